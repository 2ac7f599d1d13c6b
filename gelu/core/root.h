// SPDX-License-Identifier: Apache-2.0
// A simple root of a derivative and the power series about it.
#pragma once
namespace gelu {

// f(root + d) = d (slope + d (series[0] + d (series[1] + ...))) for |d| < radius. root and slope are unevaluated sums:
// an argument of 106 bits can come so near that the difference needs more bits of the root.
template <int kDegree>
struct Root {
  double radius;
  double root[3];
  double slope[2];
  double series[kDegree];
};

}  // namespace gelu
