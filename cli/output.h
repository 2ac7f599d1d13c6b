// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace gelu::cli {

// What was printed has arrived: otherwise throws, as fmt::print does. main tells a reader that went away, which is
// success, from a disk that is full.
inline void FlushOutput() {
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
}

}  // namespace gelu::cli
