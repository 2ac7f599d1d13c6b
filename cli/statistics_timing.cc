// SPDX-License-Identifier: Apache-2.0
#include "cli/statistics_timing.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "gelu/gelu.hpp"

namespace gelu::cli {
namespace {

constexpr std::size_t kElements = 8192;  // input and output stay in the second-level cache for every type
constexpr double kShortest = 2e5;        // ns; the clock and interrupts do not matter then
constexpr std::size_t kRepeats = 9;

}  // namespace

double NanosecondsPerElement(const gelu_activation& activation, gelu_dtype dtype, std::span<const std::byte> elements) {
  if (elements.empty()) return 0;
  // A short tensor is repeated, or the price of the call would be all that is seen.
  std::vector<std::byte> in(kElements * gelu_dtype_size(dtype)), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = elements[i % elements.size()];

  const auto measure = [&](std::size_t calls) {
    const void* x = in.data();
    void* y = out.data();
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < calls; ++i) {
      detail::Check(gelu_apply(activation.function, gelu_form_forward, dtype, &activation.params, &x, &y, kElements));
    }
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
  };

  std::size_t calls = 1;
  while (measure(calls) < kShortest) calls *= 2;
  std::array<double, kRepeats> times;
  for (double& time : times) time = measure(calls) / (static_cast<double>(calls) * kElements);
  std::nth_element(times.begin(), times.begin() + kRepeats / 2, times.end());
  return times[kRepeats / 2];
}

}  // namespace gelu::cli
