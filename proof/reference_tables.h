// SPDX-License-Identifier: Apache-2.0
// The two transcendental functions of the reference, in double-double and in double, from tables that MPFR fills at
// first use.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "proof/double_double.h"

namespace gelu::proof {

struct ReferenceTables {
  static constexpr int kLogExpSteps = 10;
  static constexpr int kExpSteps = 1 << kLogExpSteps;    // per factor of two
  static constexpr int kMillsSteps = 16;                 // per unit
  static constexpr int kMillsEnd = 40;                   // Mills(t) is wanted for 0 <= t <= kMillsEnd
  static constexpr int kMillsPairs = 9, kMillsTail = 9;  // Taylor coefficients in double-double, then in double

  struct MillsRow {
    std::array<DoubleDouble, kMillsPairs> pairs;
    std::array<double, kMillsTail> tail;
  };

  double log2_step_high;       // ln(2) / kExpSteps, so short that its multiples up to 2^21 are exact
  DoubleDouble log2_step_low;  // the rest of it
  double inverse_log2_step;
  std::array<DoubleDouble, kExpSteps> exp2;  // 2^(i / kExpSteps)
  std::array<MillsRow, kMillsEnd * kMillsSteps + 1> mills;
  DoubleDouble inverse_root_two_pi;  // 1/sqrt(2 pi)
  DoubleDouble tanh_linear;          // 2 sqrt(2/pi)
  DoubleDouble tanh_cubic;           // 0.044715
  DoubleDouble third;

  static const ReferenceTables& Get();

 private:
  ReferenceTables();
};

inline double PowerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<std::int64_t>(exponent + 1023) << 52);
}

// exp(v) = result * 2^exponent with result in [1/2, 2], for -1400 <= v <= 0. The relative error is below 2^-98.
inline DoubleDouble Exp(const ReferenceTables& tables, DoubleDouble v, int& exponent) {
  const double n = std::nearbyint(v.hi * tables.inverse_log2_step);
  const DoubleDouble low = tables.log2_step_low * -n;
  const DoubleDouble r = TwoSum(std::fma(-n, tables.log2_step_high, v.hi), v.lo) + low;
  const double h = r.hi;
  const double rest = 1.0 / 24 + h * (1.0 / 120 + h * (1.0 / 720 + h * (1.0 / 5040 + h * (1.0 / 40320))));
  DoubleDouble sum = tables.third * 0.5 + r * rest;
  sum = r * sum + 0.5;
  sum = r * sum + 1.0;
  sum = r * sum + 1.0;
  const auto steps = static_cast<std::int64_t>(n);
  exponent = static_cast<int>(steps >> ReferenceTables::kLogExpSteps);
  return sum * tables.exp2[static_cast<std::size_t>(steps & (ReferenceTables::kExpSteps - 1))];
}

// The same to about 2^-51, for the v that is given.
inline double Exp(const ReferenceTables& tables, double v, int& exponent) {
  const double n = std::nearbyint(v * tables.inverse_log2_step);
  const double r = std::fma(-n, tables.log2_step_low.hi, std::fma(-n, tables.log2_step_high, v));
  const double sum = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24))));
  const auto steps = static_cast<std::int64_t>(n);
  exponent = static_cast<int>(steps >> ReferenceTables::kLogExpSteps);
  return sum * tables.exp2[static_cast<std::size_t>(steps & (ReferenceTables::kExpSteps - 1))].hi;
}

// Mills' ratio Q(t) / phi(t), where Q is the upper tail of the normal distribution and phi its density, for
// 0 <= t <= kMillsEnd. The relative error is below 2^-98.
inline DoubleDouble Mills(const ReferenceTables& tables, DoubleDouble t) {
  constexpr double kSteps = ReferenceTables::kMillsSteps;
  const double nearest = std::nearbyint(t.hi * kSteps);
  const ReferenceTables::MillsRow& row = tables.mills[static_cast<std::size_t>(nearest)];
  const DoubleDouble s = TwoSum(t.hi - nearest / kSteps, t.lo);
  double tail = row.tail.back();
  for (std::size_t i = row.tail.size() - 1; i-- > 0;) tail = std::fma(tail, s.hi, row.tail[i]);
  DoubleDouble sum = row.pairs.back() + s * tail;
  for (std::size_t i = row.pairs.size() - 1; i-- > 0;) sum = row.pairs[i] + s * sum;
  return sum;
}

// The same to about 2^-50.
inline double Mills(const ReferenceTables& tables, double t) {
  constexpr double kSteps = ReferenceTables::kMillsSteps;
  const double nearest = std::nearbyint(t * kSteps);
  const ReferenceTables::MillsRow& row = tables.mills[static_cast<std::size_t>(nearest)];
  const double s = t - nearest / kSteps;
  double sum = row.pairs.back().hi;
  for (std::size_t i = row.pairs.size() - 1; i-- > 0;) sum = std::fma(sum, s, row.pairs[i].hi);
  return sum;
}

}  // namespace gelu::proof
