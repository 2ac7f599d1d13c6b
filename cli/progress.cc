// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace gelu::cli {

Progress::Progress(std::string label, uint64_t total)
    : label_(std::move(label)),
      total_(total),
      shown_(isatty(STDERR_FILENO) != 0),
      next_(Clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::Add(uint64_t done) {
  const uint64_t sum = done_.fetch_add(done, std::memory_order_relaxed) + done;
  if (!shown_) return;
  // Who finds another thread drawing goes back to work.
  const std::unique_lock lock(drawing_, std::try_to_lock);
  if (!lock.owns_lock() || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(100);
  drawn_ = true;
  constexpr int kWidth = 30;
  const double share = total_ == 0 ? 1.0 : static_cast<double>(sum) / static_cast<double>(total_);
  const std::string bar(static_cast<size_t>(share * kWidth), '#');
  const std::string line = fmt::format("\r{} [{:<{}}] {:3.0f} %\033[K", label_, bar, kWidth, 100 * share);
  std::fputs(line.c_str(), stderr);
}

}  // namespace gelu::cli
