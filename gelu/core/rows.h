// SPDX-License-Identifier: Apache-2.0
// A function of t >= 0 as rows of 16 bytes, row k centred at k / inverse_step.
#pragma once
#include <cstdint>

namespace gelu {

// A row is four f32 words c0, c1, c2, w, scaled by 2^64:
//   H(t) = c0 + (low + d (c1 + d (c2 + d c3))),   d = t - k / inverse_step,
// where c3 is w as it stands and low, the low part of c0, is the lower half of w as a bfloat16. The scale keeps
// subnormal results and their coefficients in the normal range.
struct Rows {
  float inverse_step;
  float end;     // t of the last row, beyond which results have their limit
  float halves;  // the first rows hold H(t) - t/2
  float root;    // within `near` of it rows are too coarse
  float near;
  const uint32_t (*words)[4];
};

}  // namespace gelu
