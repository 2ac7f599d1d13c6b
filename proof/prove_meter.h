// SPDX-License-Identifier: Apache-2.0
// Says on standard error how far a run has come: in place on a terminal, now and then a line elsewhere.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace gelu::proof {

class Meter {
 public:
  Meter(std::string what, std::uint64_t done, std::uint64_t total);
  ~Meter();
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  void Show(std::uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  std::uint64_t begin_, total_;
  bool terminal_, shown_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace gelu::proof
