// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelu/gelu.h"

namespace gelu::cli {

// One activation in a form of one result and at most two inputs, on many elements: the same bits as gelu_apply. 16-bit
// elements have 65,536 values only; where more are to come, a form of one input is evaluated on each value once, and
// looked up from then on.
class Evaluator {
 public:
  // elements: how many of each dtype are to come.
  Evaluator(const gelu_activation& activation, gelu_form form, const std::array<uint64_t, gelu_dtype_count_>& elements);

  // From any thread. out may be x; other is not read by forms of one input.
  gelu_status Apply(gelu_dtype dtype, const void* x, const void* other, void* out, size_t n) const;

  // n results of both inputs in one array: `run` elements of the first, as many of the second, and so on; or the second
  // first. n is a multiple of run.
  gelu_status ApplyToRuns(gelu_dtype dtype, const void* both, size_t run, bool second_first, void* out, size_t n) const;

 private:
  const gelu_activation activation_;
  const gelu_form form_;
  std::array<std::vector<uint16_t>, gelu_dtype_count_> results_;  // of each value, in order; empty: not looked up
};

}  // namespace gelu::cli
