// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace gelu::cli {

// A bar on standard error, if that is a terminal and the work takes over a second. It is wiped out in the end.
class Progress {
 public:
  Progress(std::string label, uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Add(uint64_t done);  // from any thread

 private:
  using Clock = std::chrono::steady_clock;

  const std::string label_;
  const uint64_t total_;
  const bool shown_;
  std::atomic<uint64_t> done_ = 0;
  std::mutex drawing_;
  Clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace gelu::cli
