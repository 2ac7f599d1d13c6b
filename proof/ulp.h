// SPDX-License-Identifier: Apache-2.0
// The one definition of the error in ULP that this project uses.
//
//   error = |got - exact| / ulp(exact)
//
// exact is the real number of the unrounded formula. ulp(exact) is the spacing of the output format in the binade
// [2^e, 2^(e+1)) of |exact|, that is 2^(e - precision + 1); below the normal range it is the spacing of the subnormals.
// So a correctly rounded result has at most 0.5, and got needs no neighbour of its own.
//
// Infinite, whatever the distance:
//   a NaN where exact is a number, or anything but the canonical quiet NaN where it is none;
//   an infinity unless exact rounds to that infinity, and anything else where exact rounds to an infinity;
//   the wrong sign, of a zero as well: got has the sign of exact, and the sign of an exact zero is that of oracle.h.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "proof/format.h"
#include "proof/interval.h"
#include "proof/oracle.h"

namespace gelu::proof {

// The exponent of ulp(value) for a nonzero finite value with 2^exponent <= |value| < 2^(exponent + 1).
constexpr long UlpExponent(const Format& format, long exponent) {
  return (exponent < format.min_exponent ? format.min_exponent : exponent) - (format.precision - 1);
}

inline double UlpError(gelu_dtype dtype, std::uint64_t got, const Real& exact) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const Format format = FormatOf(dtype);
  const std::uint64_t rounded = RoundTo(dtype, exact);
  if (got == rounded && (format.IsNan(got) || format.IsInfinite(got))) return 0.0;
  if (format.Magnitude(got) >= format.Infinity() || format.Magnitude(rounded) >= format.Infinity()) return kInfinite;
  if (format.IsNegative(got) != (mpfr_signbit(exact.get()) != 0)) return kInfinite;
  const long exponent = mpfr_zero_p(exact.get()) ? format.min_exponent : mpfr_get_exp(exact.get()) - 1;
  Real distance(exact.precision() + 64);
  mpfr_sub_d(distance.get(), exact.get(), ToDouble(dtype, got), MPFR_RNDN);
  mpfr_mul_2si(distance.get(), distance.get(), -UlpExponent(format, exponent), MPFR_RNDN);
  return std::abs(distance.ToDouble());
}

}  // namespace gelu::proof
