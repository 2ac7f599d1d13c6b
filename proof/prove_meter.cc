// SPDX-License-Identifier: Apache-2.0
#include "proof/prove_meter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace gelu::proof {

Meter::Meter(std::string what, std::uint64_t done, std::uint64_t total)
    : what_(std::move(what)), begin_(done), total_(total), terminal_(isatty(STDERR_FILENO) == 1) {}

Meter::~Meter() {
  if (terminal_ && shown_) fmt::print(stderr, "\r\033[K");
}

void Meter::Show(std::uint64_t done) {
  using std::chrono::duration;
  const auto now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(terminal_ ? 300 : 30000)) return;
  last_ = now;
  shown_ = true;
  const double seconds = duration<double>(now - start_).count();
  const double rate = static_cast<double>(done - begin_) / seconds;
  const auto left = static_cast<std::uint64_t>(static_cast<double>(total_ - done) / rate);
  fmt::print(stderr, "{}{}: {:.1f} %, {:.1f} million inputs/s, {}:{:02} left{}", terminal_ ? "\r" : "", what_,
             100.0 * static_cast<double>(done) / static_cast<double>(total_), rate / 1e6, left / 60, left % 60,
             terminal_ ? "\033[K" : "\n");
  std::fflush(stderr);
}

}  // namespace gelu::proof
