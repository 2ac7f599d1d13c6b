# SPDX-License-Identifier: Apache-2.0
# gelu_code_hash: the header proof/prove_hash.h, which says of which code a row of the ledger speaks.
file(GLOB_RECURSE kernel_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gelu/*.h ${PROJECT_SOURCE_DIR}/gelu/*.cc)
set(code_hash ${PROJECT_BINARY_DIR}/include/proof/prove_hash.h)
add_custom_command(OUTPUT ${code_hash}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/gelu -DOUTPUT=${code_hash}
    -P ${CMAKE_CURRENT_LIST_DIR}/prove_hash.cmake
  DEPENDS ${kernel_sources} ${CMAKE_CURRENT_LIST_DIR}/prove_hash.cmake
  COMMENT "Hashing the code that evaluates each function")
add_library(gelu_code_hash INTERFACE ${code_hash})
target_include_directories(gelu_code_hash INTERFACE ${PROJECT_BINARY_DIR}/include)
