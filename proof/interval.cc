// SPDX-License-Identifier: Apache-2.0
#include "proof/interval.h"

#include <cmath>

namespace gelu::proof {
namespace {

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

Interval Increasing(Unary function, const Interval& a) {
  Interval r(a.precision());
  function(r.lo.get(), a.lo.get(), MPFR_RNDD);
  function(r.hi.get(), a.hi.get(), MPFR_RNDU);
  return r;
}

Interval Decreasing(Unary function, const Interval& a) {
  Interval r(a.precision());
  function(r.lo.get(), a.hi.get(), MPFR_RNDD);
  function(r.hi.get(), a.lo.get(), MPFR_RNDU);
  return r;
}

// erfc at one number, from erf(x) = 2/sqrt(pi) exp(-x^2) sum_n 2^n x^(2n+1) / (1 3 5 ... (2n+1)), whose terms are all
// positive. mpfr_erfc takes a millisecond where the other tail is small but not yet asymptotic.
Interval ErfcAt(const Real& x) {
  const double estimate = std::abs(x.ToDouble());
  const mpfr_prec_t precision = x.precision();
  Interval r(precision);
  if (estimate < 0.5 || estimate * estimate > 1.1 * static_cast<double>(precision)) {
    mpfr_erfc(r.lo.get(), x.get(), MPFR_RNDD);
    mpfr_erfc(r.hi.get(), x.get(), MPFR_RNDU);
    return r;
  }
  // 1 - erf(x) loses the bits of erfc(x) > exp(-x^2) / (2x + 1).
  const auto lost = mpfr_signbit(x.get()) ? 0 : static_cast<mpfr_prec_t>(1.5 * estimate * estimate + 8);
  const mpfr_prec_t working = precision + lost + 24;
  Real square(working), term(working), sum(working);
  mpfr_sqr(square.get(), x.get(), MPFR_RNDD);
  mpfr_mul_2si(square.get(), square.get(), 1, MPFR_RNDD);
  mpfr_abs(term.get(), x.get(), MPFR_RNDD);
  mpfr_set(sum.get(), term.get(), MPFR_RNDD);
  unsigned long n = 0;
  const auto last = [&] { return mpfr_get_exp(term.get()) + working < mpfr_get_exp(sum.get()); };
  while (!last() || static_cast<double>(n) < 2 * estimate * estimate) {  // then the terms at least halve
    ++n;
    mpfr_mul(term.get(), term.get(), square.get(), MPFR_RNDD);
    mpfr_div_ui(term.get(), term.get(), 2 * n + 1, MPFR_RNDD);
    mpfr_add(sum.get(), sum.get(), term.get(), MPFR_RNDD);
  }
  // Each step loses at most a relative 2^(2 - working) in its term, the square included, and the sum as much again; the
  // rest of the series is below its last term.
  Interval series(working);
  series.lo = sum;
  Real loss(working);
  mpfr_mul_ui(loss.get(), sum.get(), 8 * (n + 2), MPFR_RNDU);
  mpfr_mul_2si(loss.get(), loss.get(), -working, MPFR_RNDU);
  mpfr_add(series.hi.get(), sum.get(), loss.get(), MPFR_RNDU);

  Interval argument(working);
  argument.lo = argument.hi = square;
  mpfr_nextabove(argument.hi.get());
  mpfr_nextabove(argument.hi.get());
  const Interval factor = Scale(Exp(Scale(-argument, -1)) * Inverse(Sqrt(Pi(working))), 1);
  const Interval erf = series * factor;
  const Interval erfc = Interval(working, 1.0) + (mpfr_signbit(x.get()) ? erf : -erf);
  mpfr_set(r.lo.get(), erfc.lo.get(), MPFR_RNDD);
  mpfr_set(r.hi.get(), erfc.hi.get(), MPFR_RNDU);
  return r;
}

}  // namespace

bool Interval::IsTight(mpfr_prec_t bits) const {
  if (IsPoint() || mpfr_nan_p(lo.get())) return true;
  if (mpfr_sgn(lo.get()) * mpfr_sgn(hi.get()) <= 0) return false;
  Real width(64);
  mpfr_sub(width.get(), hi.get(), lo.get(), MPFR_RNDU);
  const mpfr_srcptr smaller = mpfr_sgn(lo.get()) > 0 ? lo.get() : hi.get();
  return mpfr_get_exp(width.get()) + bits < mpfr_get_exp(smaller);
}

Real Interval::Middle() const {
  if (IsPoint() || mpfr_nan_p(lo.get())) return lo;
  Real r(precision());
  mpfr_add(r.get(), lo.get(), hi.get(), MPFR_RNDN);
  mpfr_mul_2si(r.get(), r.get(), -1, MPFR_RNDN);
  return r;
}

Interval operator-(const Interval& a) { return Decreasing(mpfr_neg, a); }

Interval operator+(const Interval& a, const Interval& b) {
  Interval r(a.precision());
  mpfr_add(r.lo.get(), a.lo.get(), b.lo.get(), MPFR_RNDD);
  mpfr_add(r.hi.get(), a.hi.get(), b.hi.get(), MPFR_RNDU);
  return r;
}

Interval operator*(const Interval& a, const Interval& b) {
  Interval r(a.precision());
  if (!mpfr_signbit(a.lo.get()) && !mpfr_signbit(b.lo.get())) {
    mpfr_mul(r.lo.get(), a.lo.get(), b.lo.get(), MPFR_RNDD);
    mpfr_mul(r.hi.get(), a.hi.get(), b.hi.get(), MPFR_RNDU);
    return r;
  }
  mpfr_mul(r.lo.get(), a.lo.get(), b.lo.get(), MPFR_RNDD);
  mpfr_mul(r.hi.get(), a.lo.get(), b.lo.get(), MPFR_RNDU);
  Real product(a.precision());
  const mpfr_srcptr pairs[][2] = {{a.lo.get(), b.hi.get()}, {a.hi.get(), b.lo.get()}, {a.hi.get(), b.hi.get()}};
  for (const auto& pair : pairs) {
    mpfr_mul(product.get(), pair[0], pair[1], MPFR_RNDD);
    mpfr_min(r.lo.get(), r.lo.get(), product.get(), MPFR_RNDD);
    mpfr_mul(product.get(), pair[0], pair[1], MPFR_RNDU);
    mpfr_max(r.hi.get(), r.hi.get(), product.get(), MPFR_RNDU);
  }
  return r;
}

Interval Scale(const Interval& a, int exponent) {
  Interval r(a.precision());
  mpfr_mul_2si(r.lo.get(), a.lo.get(), exponent, MPFR_RNDD);
  mpfr_mul_2si(r.hi.get(), a.hi.get(), exponent, MPFR_RNDU);
  return r;
}

Interval Inverse(const Interval& a) {
  return Decreasing([](mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rounding) { return mpfr_ui_div(r, 1, x, rounding); }, a);
}

Interval Sqrt(const Interval& a) { return Increasing(mpfr_sqrt, a); }
Interval Exp(const Interval& a) { return Increasing(mpfr_exp, a); }

// |erfc'(x)| = 2/sqrt(pi) exp(-x^2) < 1.25 exp(-x^2)
Interval Erfc(const Interval& a) {
  Interval r = ErfcAt(a.lo);
  if (a.IsPoint()) return r;
  Real drop(a.precision()), width(a.precision());
  if (mpfr_sgn(a.lo.get()) > 0) {
    mpfr_sqr(drop.get(), a.lo.get(), MPFR_RNDD);
  } else if (mpfr_sgn(a.hi.get()) < 0) {
    mpfr_sqr(drop.get(), a.hi.get(), MPFR_RNDD);
  } else {
    mpfr_set_zero(drop.get(), 1);
  }
  mpfr_neg(drop.get(), drop.get(), MPFR_RNDU);
  mpfr_exp(drop.get(), drop.get(), MPFR_RNDU);
  mpfr_sub(width.get(), a.hi.get(), a.lo.get(), MPFR_RNDU);
  mpfr_mul(drop.get(), drop.get(), width.get(), MPFR_RNDU);
  mpfr_mul_d(drop.get(), drop.get(), 1.25, MPFR_RNDU);
  mpfr_sub(r.lo.get(), r.lo.get(), drop.get(), MPFR_RNDD);
  return r;
}

Interval Pi(mpfr_prec_t precision) {
  Interval r(precision);
  mpfr_const_pi(r.lo.get(), MPFR_RNDD);
  mpfr_const_pi(r.hi.get(), MPFR_RNDU);
  return r;
}

}  // namespace gelu::proof
