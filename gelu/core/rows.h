// SPDX-License-Identifier: Apache-2.0
// A function of t >= 0 as rows, row k centred at k step; for f32 lanes and for f64 lanes.
#pragma once
#include <cstdint>

namespace gelu {

// A row is kWords words c0, ..., c(n-1), w, scaled by 2^64:
//   H(t) = c0 + (low + d (c1 + d (c2 + ... d cn))),   d = t - k step,
// where cn is w as it stands and low, the low part of c0, is the lower half of w as the upper half of a number. The
// scale keeps subnormal results in f32 and their coefficients in the normal range.
template <class T>
struct RowFormat;
template <>
struct RowFormat<float> {
  using Bits = uint32_t;
  static constexpr Bits kNan = 0x7fc00000;  // the canonical one
  static constexpr int kWords = 4, kSeries = 5;
};
template <>
struct RowFormat<double> {
  using Bits = uint64_t;
  static constexpr Bits kNan = Bits{0x7ff8} << 48;
  static constexpr int kWords = 8, kSeries = 9;
};

// Within `radius` of a root of H, rows are too coarse. There, u = t - at being exact,
//   2^64 H(t) = value + u (slope + u curve + (low + u (series[0] + u (series[1] + ...)))),
// low being the low part of slope and series[0] that of curve.
template <class T>
struct RowRoot {
  T at, radius, value, slope, curve, low, series[RowFormat<T>::kSeries];
};

template <class T>
struct Rows {
  T magic;  // t + magic is rounded to the centre of a row, whose number is in the last bits
  T end;    // t of the last row. Beyond it f32 results have their limit, for alphas down to 2^-10, and so have those of
            // f64 that tend to x or 1
  T halves;         // rows centred below hold H(t) - t/2
  RowRoot<T> root;  // of radius 0 where there is none
  const typename RowFormat<T>::Bits (*words)[RowFormat<T>::kWords];
};

// The rows of a function and its two derivatives for one alpha, as far as it has its own.
struct RowSet {
  double alpha;
  const Rows<float>* f32[3];
  const Rows<double>* f64[3];

  template <class T>
  constexpr const Rows<T>* Find(int order) const {
    if constexpr (sizeof(T) == 4)
      return f32[order];
    else
      return f64[order];
  }
};

}  // namespace gelu
