// SPDX-License-Identifier: Apache-2.0
// Gnuplot as a child process: no shell, no file, no start-up file of the user.
#pragma once
#include <string>

namespace gelu::cli {

// Runs a script and returns what it wrote to standard output. Throws Failure where gnuplot is missing or fails.
std::string RunGnuplot(const std::string& script);

}  // namespace gelu::cli
