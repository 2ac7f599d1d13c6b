// SPDX-License-Identifier: Apache-2.0
// Real numbers enclosed between two MPFR numbers. Every operation rounds outwards, so that an enclosure is a proof:
// the working precision only decides how tight it is.
#pragma once
#include <mpfr.h>

namespace gelu::proof {

class Real {
 public:
  explicit Real(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  Real(mpfr_prec_t precision, double value) : Real(precision) { mpfr_set_d(value_, value, MPFR_RNDN); }
  Real(const Real& other) : Real(other.precision()) { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Real(Real&& other) noexcept : Real(MPFR_PREC_MIN) { mpfr_swap(value_, other.value_); }
  Real& operator=(Real other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  mpfr_prec_t precision() const { return mpfr_get_prec(value_); }
  double ToDouble() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

struct Interval {
  explicit Interval(mpfr_prec_t precision) : lo(precision), hi(precision) {}
  Interval(mpfr_prec_t precision, double value) : lo(precision, value), hi(precision, value) {}  // exact from 53 bits

  mpfr_prec_t precision() const { return lo.precision(); }
  bool IsPoint() const { return mpfr_equal_p(lo.get(), hi.get()) != 0; }
  // Both ends agree to the given number of bits, and on the sign.
  bool IsTight(mpfr_prec_t bits) const;
  Real Middle() const;

  Real lo, hi;
};

// Results have the precision of the first operand.
Interval operator-(const Interval& a);
Interval operator+(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
Interval Scale(const Interval& a, int exponent);  // a * 2^exponent
Interval Inverse(const Interval& a);              // 1/a, a > 0
Interval Sqrt(const Interval& a);
Interval Exp(const Interval& a);
Interval Expm1(const Interval& a);  // exp(a) - 1
Interval Pi(mpfr_prec_t precision);
Interval Density(const Interval& z);  // of the standard normal distribution, and its distribution function:
Interval Phi(const Interval& z);

}  // namespace gelu::proof
