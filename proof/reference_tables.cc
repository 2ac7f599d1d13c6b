// SPDX-License-Identifier: Apache-2.0
#include "proof/reference_tables.h"

#include <cstddef>
#include <vector>

#include "proof/interval.h"

namespace gelu::proof {
namespace {

constexpr mpfr_prec_t kPrecision = 512;    // the recurrence of Mills' ratio loses up to 300 bits
constexpr unsigned long kMillsTerms = 28;  // at the next row, what is left out is below 2^-130

DoubleDouble Split(const Real& value) {
  Real rest(kPrecision);
  const double hi = value.ToDouble();
  mpfr_sub_d(rest.get(), value.get(), hi, MPFR_RNDN);
  return {hi, rest.ToDouble()};
}

Real Exp2(double numerator, unsigned long denominator) {
  Real r(kPrecision, numerator);
  mpfr_div_ui(r.get(), r.get(), denominator, MPFR_RNDN);
  mpfr_exp2(r.get(), r.get(), MPFR_RNDN);
  return r;
}

Real RootTwoPi() {
  Real r(kPrecision);
  mpfr_const_pi(r.get(), MPFR_RNDN);
  mpfr_mul_ui(r.get(), r.get(), 2, MPFR_RNDN);
  mpfr_sqrt(r.get(), r.get(), MPFR_RNDN);
  return r;
}

// sqrt(pi/2) exp(c^2/2) erfc(c/sqrt(2))
Real MillsAt(double c) {
  Real argument(kPrecision, 0.5), tail(kPrecision), result(kPrecision, c * c / 2);
  mpfr_sqrt(argument.get(), argument.get(), MPFR_RNDN);
  mpfr_mul_d(argument.get(), argument.get(), c, MPFR_RNDN);
  mpfr_erfc(tail.get(), argument.get(), MPFR_RNDN);
  mpfr_exp(result.get(), result.get(), MPFR_RNDN);
  mpfr_mul(result.get(), result.get(), tail.get(), MPFR_RNDN);
  mpfr_mul(result.get(), result.get(), RootTwoPi().get(), MPFR_RNDN);
  mpfr_mul_2si(result.get(), result.get(), -1, MPFR_RNDN);
  return result;
}

// The Taylor coefficients m[n] at c: from M' = t M - 1, m[1] = c m[0] - 1 and (n + 1) m[n + 1] = c m[n] + m[n - 1].
std::vector<Real> MillsSeries(double c, const Real& value) {
  std::vector<Real> series = {value};
  Real before(kPrecision, -1.0);
  for (unsigned long n = 1; n < kMillsTerms; ++n) {
    Real next(kPrecision);
    mpfr_mul_d(next.get(), series.back().get(), c, MPFR_RNDN);
    mpfr_add(next.get(), next.get(), before.get(), MPFR_RNDN);
    mpfr_div_ui(next.get(), next.get(), n, MPFR_RNDN);
    before = series.back();
    series.push_back(next);
  }
  return series;
}

Real Sum(const std::vector<Real>& series, double s) {
  Real sum(kPrecision, 0.0);
  for (std::size_t n = series.size(); n-- > 0;) {
    mpfr_mul_d(sum.get(), sum.get(), s, MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), series[n].get(), MPFR_RNDN);
  }
  return sum;
}

}  // namespace

ReferenceTables::ReferenceTables() {
  Real step(kPrecision);
  mpfr_const_log2(step.get(), MPFR_RNDN);
  mpfr_div_ui(step.get(), step.get(), kExpSteps, MPFR_RNDN);
  inverse_log2_step = 1.0 / step.ToDouble();
  Real high(30);
  mpfr_set(high.get(), step.get(), MPFR_RNDN);
  log2_step_high = high.ToDouble();
  mpfr_sub(step.get(), step.get(), high.get(), MPFR_RNDN);
  log2_step_low = Split(step);
  for (std::size_t i = 0; i < exp2.size(); ++i) exp2[i] = Split(Exp2(static_cast<double>(i), kExpSteps));

  // From the end towards zero: in that direction the differential equation forgets errors.
  Real value = MillsAt(kMillsEnd);
  for (std::size_t i = mills.size(); i-- > 0;) {
    const std::vector<Real> series = MillsSeries(static_cast<double>(i) / kMillsSteps, value);
    for (std::size_t n = 0; n < kMillsPairs; ++n) mills[i].pairs[n] = Split(series[n]);
    for (std::size_t n = 0; n < kMillsTail; ++n) mills[i].tail[n] = series[kMillsPairs + n].ToDouble();
    value = Sum(series, -1.0 / kMillsSteps);
  }

  Real r = RootTwoPi();
  mpfr_ui_div(r.get(), 1, r.get(), MPFR_RNDN);
  inverse_root_two_pi = Split(r);
  mpfr_mul_ui(r.get(), r.get(), 4, MPFR_RNDN);
  tanh_linear = Split(r);
  mpfr_set_str(r.get(), "0.044715", 10, MPFR_RNDN);
  tanh_cubic = Split(r);
  mpfr_set_ui(r.get(), 1, MPFR_RNDN);
  mpfr_div_ui(r.get(), r.get(), 3, MPFR_RNDN);
  third = Split(r);
}

const ReferenceTables& ReferenceTables::Get() {
  static const ReferenceTables tables;
  return tables;
}

}  // namespace gelu::proof
