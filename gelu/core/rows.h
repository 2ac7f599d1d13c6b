// SPDX-License-Identifier: Apache-2.0
// A function of t >= 0 as rows of 16 bytes, row k centred at k / inverse_step.
#pragma once
#include <cstdint>

namespace gelu {

// A row is four f32 words c0, c1, c2, w, scaled by 2^64:
//   H(t) = c0 + (low + d (c1 + d (c2 + d c3))),   d = t - k / inverse_step,
// where c3 is w as it stands and low, the low part of c0, is the lower half of w as a bfloat16. The scale keeps
// subnormal results and their coefficients in the normal range.
//
// Within `radius` of a root of H, rows are too coarse. There, u = t - at being exact,
//   2^64 H(t) = value + u (slope + (low + u (series[0] + u (series[1] + ...)))).
struct RowRoot {
  float at, radius, value, slope, low, series[5];
};

struct Rows {
  float inverse_step, step;
  float end;     // t of the last row, beyond which results have their limit
  float halves;  // the first rows hold H(t) - t/2
  RowRoot root;  // of radius 0 where there is none
  const uint32_t (*words)[4];
};

}  // namespace gelu
