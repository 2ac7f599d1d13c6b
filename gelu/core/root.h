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

// c0 + c1 x + ...: the first kPairs coefficients, the head, are unevaluated sums.
template <int kPairs, int kRest>
struct Series {
  double head[kPairs][2];
  double rest[kRest];
};

// The same to more bits: f(root + d) = d series(d) for |d| < radius.
template <int kPairs, int kRest>
struct LongRoot {
  double radius;
  double root[3];
  Series<kPairs, kRest> series;
};

// An odd function about its root 0: f(d) = d series(d^2) for |d| < radius.
template <int kPairs, int kRest>
struct OddRoot {
  double radius;
  Series<kPairs, kRest> series;
};

}  // namespace gelu
