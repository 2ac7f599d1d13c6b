// SPDX-License-Identifier: Apache-2.0
// The one way a command fails: main prints "gelu: " and the message on standard error and exits with the code.
#pragma once
#include <stdexcept>
#include <string>

namespace gelu::cli {

inline constexpr int kExitCheck = 1;  // a check that was asked for found something
inline constexpr int kExitUsage = 2;  // wrong usage, or a file that cannot be read or written

// The message reads "what: why; what to do", with the offending value in it.
struct Failure : std::runtime_error {
  explicit Failure(const std::string& message, int code = kExitUsage) : std::runtime_error(message), exit_code(code) {}
  int exit_code;
};

}  // namespace gelu::cli
