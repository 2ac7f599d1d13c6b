# SPDX-License-Identifier: Apache-2.0
# prove: the driver that proves the bounds and keeps the ledger.
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)

file(GLOB_RECURSE kernel_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gelu/*.h ${PROJECT_SOURCE_DIR}/gelu/*.cc)
set(code_hash ${CMAKE_CURRENT_BINARY_DIR}/include/proof/prove_hash.h)
add_custom_command(OUTPUT ${code_hash}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/gelu -DOUTPUT=${code_hash}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/prove_hash.cmake
  DEPENDS ${kernel_sources} prove_hash.cmake
  COMMENT "Hashing the code that evaluates each function")

add_library(gelu_prove STATIC
  ledger.cc prove_inputs.cc prove_judge.cc prove_meter.cc prove_plan.cc prove_run.cc prove_tally.cc ${code_hash})
target_include_directories(gelu_prove PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/include)
target_link_libraries(gelu_prove PUBLIC gelu_oracle fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
target_link_libraries(gelu_tests PRIVATE gelu_prove)

add_executable(prove prove.cc)
target_compile_definitions(prove PRIVATE
  GELU_LEDGER_FILE="${CMAKE_CURRENT_SOURCE_DIR}/ledger.tsv"
  GELU_PROGRESS_FILE="${CMAKE_CURRENT_BINARY_DIR}/prove-progress.json")
target_link_libraries(prove PRIVATE gelu_prove CLI11::CLI11)

add_test(NAME prove.quick COMMAND prove --quick)
add_test(NAME ledger_is_current COMMAND prove --list)
set_tests_properties(ledger_is_current PROPERTIES FAIL_REGULAR_EXPRESSION "stale")
