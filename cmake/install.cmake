# SPDX-License-Identifier: Apache-2.0
# What a user of the library gets: the two doors and the list that gelu.h includes, the library, and its description
# for find_package(gelu) and pkg-config. Everything is found relative to where it lies, so that a tree can be moved.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME gelu)

install(TARGETS gelu EXPORT gelu FILE_SET HEADERS)
install(EXPORT gelu NAMESPACE gelu:: FILE gelu-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gelu)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gelu-config.cmake.in gelu-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gelu NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(gelu-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gelu-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/gelu-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gelu)

# A shared library brings what it needs; with an archive, the program has to link it.
set(GELU_PC_LIBS "-L\${libdir} -lgelu")
set(GELU_PC_LIBS_PRIVATE "-lstdc++ -lm")
if(NOT BUILD_SHARED_LIBS)
  string(APPEND GELU_PC_LIBS " ${GELU_PC_LIBS_PRIVATE}")
endif()
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR fixed)
if(fixed)
  set(GELU_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
    OUTPUT_VARIABLE up)
  set(GELU_PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(dir LIBDIR INCLUDEDIR)
  set(GELU_PC_${dir} ${CMAKE_INSTALL_${dir}})
  cmake_path(ABSOLUTE_PATH GELU_PC_${dir} BASE_DIRECTORY "\${prefix}")
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/gelu.pc.in gelu.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gelu.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
unset(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME)

# The tool finds a shared library from where it lies itself.
if(TARGET gelu_cli)
  file(RELATIVE_PATH lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(gelu_cli PROPERTIES INSTALL_RPATH $<$<BOOL:${BUILD_SHARED_LIBS}>:$ORIGIN/${lib}>)
  install(TARGETS gelu_cli COMPONENT tool)
endif()
