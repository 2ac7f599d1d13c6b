// SPDX-License-Identifier: Apache-2.0
#include "proof/interval.h"

#include <cmath>

namespace gelu::proof {
namespace {

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// A correctly rounded function at one number needs one evaluation.
Interval Around(Unary function, const Real& x) {
  Interval r(x.precision());
  const int inexact = function(r.lo.get(), x.get(), MPFR_RNDD);
  r.hi = r.lo;
  if (inexact != 0) mpfr_nextabove(r.hi.get());
  return r;
}

Interval Increasing(Unary function, const Interval& a) {
  if (a.IsPoint()) return Around(function, a.lo);
  Interval r(a.precision());
  function(r.lo.get(), a.lo.get(), MPFR_RNDD);
  function(r.hi.get(), a.hi.get(), MPFR_RNDU);
  return r;
}

Interval Decreasing(Unary function, const Interval& a) {
  if (a.IsPoint()) return Around(function, a.lo);
  Interval r(a.precision());
  function(r.lo.get(), a.hi.get(), MPFR_RNDD);
  function(r.hi.get(), a.lo.get(), MPFR_RNDU);
  return r;
}

// Phi at one number, from Phi(z) = 1/2 + phi(z) sum_n z^(2n+1) / (1 3 5 ... (2n+1)), whose terms all have the sign of
// z. mpfr_erfc takes a millisecond where the other tail is small but not yet asymptotic.
Interval PhiAt(const Real& z) {
  const double square = z.ToDouble() * z.ToDouble();
  const mpfr_prec_t precision = z.precision();
  Interval r(precision);
  if (square < 1e-9 || square > 3.2 * static_cast<double>(precision)) {
    r.lo = r.hi = z;
    r = Scale(Decreasing(mpfr_erfc, -(r * Sqrt(Interval(precision, 0.5)))), -1);
    return r;
  }
  // 1/2 - phi(z) sum loses the bits of Phi(-z) > exp(-z^2 / 2) / (4 (z + 1)).
  const auto lost = mpfr_signbit(z.get()) ? static_cast<mpfr_prec_t>(0.75 * square + 8) : 0;
  const mpfr_prec_t working = precision + lost + 24;
  Real squared(working), term(working), sum(working);
  mpfr_sqr(squared.get(), z.get(), MPFR_RNDD);
  mpfr_abs(term.get(), z.get(), MPFR_RNDD);
  mpfr_set(sum.get(), term.get(), MPFR_RNDD);
  unsigned long n = 0;
  const auto is_last = [&] { return mpfr_get_exp(term.get()) + working < mpfr_get_exp(sum.get()); };
  while (!is_last() || static_cast<double>(n) < square) {  // from there on the terms at least halve
    ++n;
    mpfr_mul(term.get(), term.get(), squared.get(), MPFR_RNDD);
    mpfr_div_ui(term.get(), term.get(), 2 * n + 1, MPFR_RNDD);
    mpfr_add(sum.get(), sum.get(), term.get(), MPFR_RNDD);
  }
  // Each step loses at most a relative 2^(2 - working) in its term, the square included, and the sum as much again; the
  // rest of the series is below its last term.
  Interval series(working), exact(working);
  series.lo = sum;
  Real loss(working);
  mpfr_mul_ui(loss.get(), sum.get(), 8 * (n + 2), MPFR_RNDU);
  mpfr_mul_2si(loss.get(), loss.get(), -working, MPFR_RNDU);
  mpfr_add(series.hi.get(), sum.get(), loss.get(), MPFR_RNDU);
  mpfr_set(exact.lo.get(), z.get(), MPFR_RNDN);
  mpfr_set(exact.hi.get(), z.get(), MPFR_RNDN);
  const Interval half = series * Density(exact);  // |Phi(z) - 1/2|
  const Interval sum_of_halves = Interval(working, 0.5) + (mpfr_signbit(z.get()) ? -half : half);
  mpfr_set(r.lo.get(), sum_of_halves.lo.get(), MPFR_RNDD);
  mpfr_set(r.hi.get(), sum_of_halves.hi.get(), MPFR_RNDU);
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
  Real r(precision() + 2);  // enough to be neither end
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
Interval Expm1(const Interval& a) { return Increasing(mpfr_expm1, a); }

Interval Density(const Interval& z) { return Exp(Scale(-(z * z), -1)) * Inverse(Sqrt(Scale(Pi(z.precision()), 1))); }

Interval Phi(const Interval& z) {
  Interval r = PhiAt(z.lo);
  if (!z.IsPoint()) r.hi = PhiAt(z.hi).hi;
  return r;
}

Interval Pi(mpfr_prec_t precision) {
  Interval r(precision);
  mpfr_const_pi(r.lo.get(), MPFR_RNDD);
  mpfr_const_pi(r.hi.get(), MPFR_RNDU);
  return r;
}

}  // namespace gelu::proof
