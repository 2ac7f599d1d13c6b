# SPDX-License-Identifier: Apache-2.0
# prove: the driver that proves the bounds and keeps the ledger.
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)

add_library(gelu_prove STATIC
  ledger.cc prove_inputs.cc prove_judge.cc prove_meter.cc prove_plan.cc prove_run.cc prove_tally.cc)
target_link_libraries(gelu_prove PUBLIC gelu_oracle fmt::fmt nlohmann_json::nlohmann_json Threads::Threads
  PRIVATE gelu_code_hash)
target_link_libraries(gelu_tests PRIVATE gelu_prove)

add_executable(prove prove.cc)
target_compile_definitions(prove PRIVATE
  GELU_LEDGER_FILE="${CMAKE_CURRENT_SOURCE_DIR}/ledger.tsv"
  GELU_PROGRESS_FILE="${CMAKE_CURRENT_BINARY_DIR}/prove-progress.json")
target_link_libraries(prove PRIVATE gelu_prove CLI11::CLI11)

add_test(NAME prove.quick COMMAND prove --quick)
add_test(NAME ledger_is_current COMMAND prove --list)
set_tests_properties(ledger_is_current PROPERTIES FAIL_REGULAR_EXPRESSION "stale;missing")
