// SPDX-License-Identifier: Apache-2.0
// The error in ULP (ulp.h) of a result, where the real number is known as a ball.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "proof/double_double.h"
#include "proof/format.h"
#include "proof/reference.h"
#include "proof/ulp.h"

namespace gelu::proof {

struct Measurement {
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();

  double error = 0.0;
  double slack = kInfinite;  // how far the error may be off; infinite: nothing is known
  bool misrounded = false;
};

// 2^exponent, in little time where it is a normal number.
inline double Power(int exponent) {
  if (exponent < -1022 || exponent > 1023) return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// The ball does not reach over zero: always so but next to a root.
inline bool HasSign(const Ball& ball) { return std::abs(ball.hi) >= ball.error; }

// The ball of dy times the real number, for a finite dy.
inline Ball Times(const Ball& ball, double dy) {
  int exponent = 0;
  const double m = std::frexp(dy, &exponent);
  const DoubleDouble product = DoubleDouble{ball.hi, ball.lo} * m;
  if (product.hi == 0.0) return {ball.hi * m, 0.0, 0.0, 0};
  return {product.hi, product.lo, (ball.error + std::abs(ball.hi) * 0x1p-102) * std::abs(m), ball.exponent + exponent};
}

inline Measurement Measure(const Format& format, const Ball& ball, double got) {
  constexpr double kInfinite = Measurement::kInfinite;
  constexpr Measurement kWrong = {kInfinite, 0.0, true};
  if (std::isnan(got)) return kWrong;
  if (!HasSign(ball)) return {};
  if (std::signbit(got) != std::signbit(ball.hi)) return kWrong;
  if (ball.hi == 0.0) return got == 0.0 ? Measurement{0.0, 0.0, false} : kWrong;

  // |real number| is in [2^exponent, 2^(exponent + 1)); just below a power of two it is in the binade below.
  const auto bits = std::bit_cast<std::uint64_t>(ball.hi);
  const bool is_power = (bits & ((std::uint64_t{1} << 52) - 1)) == 0;
  int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023 + ball.exponent;
  const double scaled = ball.exponent == 0 ? got : std::ldexp(got, -ball.exponent);
  const bool in_two_binades = is_power && std::abs(ball.lo) < ball.error && exponent >= format.min_exponent;
  if (in_two_binades && scaled != ball.hi) return {};
  if (is_power && ball.lo != 0.0 && std::signbit(ball.lo) != std::signbit(ball.hi)) --exponent;
  if (exponent > format.max_exponent) return std::isinf(got) ? Measurement{0.0, 0.0, false} : kWrong;
  if (exponent == format.max_exponent) {
    const double largest = Power(exponent) * (2.0 - Power(1 - format.precision));
    if (std::abs(got) >= largest) return {};  // the oracle knows where infinity begins
  }
  if (std::isinf(got)) return kWrong;

  const int ulp = static_cast<int>(UlpExponent(format, exponent)) - ball.exponent;
  const double per_ulp = Power(-ulp), half = Power(ulp - 1);
  const double distance = scaled - ball.hi;
  // How much farther than half an ULP; exact in the first difference where it is close to that.
  const double excess = (std::abs(distance) - half) - std::copysign(1.0, distance) * ball.lo;
  if (std::abs(excess) < ball.error || excess == 0.0) return {};
  const double error = std::abs(distance - ball.lo) * per_ulp;
  return {error, ball.error * per_ulp + error * 0x1p-50, excess > 0.0};
}

// Says of most correctly rounded results in little time that they are, with an error below the given one: of those well
// inside the normal numbers and well away from a tie, and of those far below all numbers. Of others it says nothing.
inline bool IsPlain(const Format& format, const Ball& ball, double got, double error) {
  const auto bits = std::bit_cast<std::uint64_t>(ball.hi);
  int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  if (ball.exponent != 0) {
    return exponent + ball.exponent < format.min_exponent - format.precision - 20 && error > 0x1p-20 && got == 0.0 &&
           HasSign(ball) && std::signbit(got) == std::signbit(ball.hi);
  }
  if (exponent <= format.min_exponent || exponent >= format.max_exponent) return false;
  if (got == ball.hi && (std::abs(ball.lo) + ball.error) * 0x1p70 < std::abs(ball.hi)) return error > 0x1p-10;
  const bool is_power = (bits & ((std::uint64_t{1} << 52) - 1)) == 0;
  if (is_power && std::abs(ball.lo) < ball.error) return false;
  if (is_power && ball.lo != 0.0 && std::signbit(ball.lo) != std::signbit(ball.hi)) --exponent;
  const double distance = std::abs(got - ball.hi - ball.lo) + ball.error;
  return distance * Power(format.precision - 1 - exponent) < std::min(error, 0.499);
}

}  // namespace gelu::proof
