// SPDX-License-Identifier: Apache-2.0
// The fast reference: f, f' and f'' in double-double with a bound of its own error, for runs over 2^32 inputs. It
// shares nothing with gelu/core; reference_test holds it against the oracle. A new function is one line in
// reference.cc.
#pragma once
#include <cstddef>

#include "gelu/family.h"

namespace gelu::proof {

// The real number is (hi + lo + d) * 2^exponent with |d| < error, or d = 0 = error. Where |hi| >= error it has the sign
// of hi, a zero that of an exact zero; |lo| = error says on which side of hi it lies and no more.
struct Ball {
  double hi, lo, error;
  int exponent;
};

class Reference {
 public:
  // alpha is finite, and zero or of ordinary size: a product alpha * x must not lose its low half for want of
  // exponents.
  Reference(gelu_function function, double alpha);

  // Of other forms the oracle alone knows.
  static constexpr bool Serves(gelu_form form) {
    return form == gelu_form_forward || form == gelu_form_derivative || form == gelu_form_second_derivative ||
           form == gelu_form_backward;
  }

  // The balls of n finite x; for backward they are those of f'. Safe to call from any number of threads.
  // Errors relative to the terms of the result, before they cancel: 2^-94.
  void Evaluate(gelu_form form, const double* x, Ball* balls, std::size_t n) const {
    exact_(constants_, form, x, balls, n);
  }
  // The same in plain doubles, several times as fast, with errors of 2^-40.
  void Estimate(gelu_form form, const double* x, Ball* balls, std::size_t n) const {
    quick_(constants_, form, x, balls, n);
  }

  struct Constants {
    double alpha;
    double slope;                   // alpha gate'(0)
    double limit;                   // gate(-t) for the smallest t > 0
    double rest[gelu_form_count_];  // by its sign, what is left where the gate has all but vanished
  };
  using Batch = void (*)(const Constants& constants, gelu_form form, const double* x, Ball* balls, std::size_t n);

 private:
  Batch exact_, quick_;
  Constants constants_;
};

}  // namespace gelu::proof
