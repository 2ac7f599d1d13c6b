// SPDX-License-Identifier: Apache-2.0
// Numbers of about 106 bits as the unevaluated sum of two doubles, |lo| <= ulp(hi)/2: the arithmetic of the reference.
// Relative errors are below 2^-102 for each operation, as long as nothing underflows.
#pragma once
#include <cmath>

namespace gelu::proof {

struct DoubleDouble {
  double hi = 0.0, lo = 0.0;
};

// a + b exactly, for |a| >= |b| or a = 0.
inline DoubleDouble FastTwoSum(double a, double b) {
  const double hi = a + b;
  return {hi, b - (hi - a)};
}

// a + b exactly.
inline DoubleDouble TwoSum(double a, double b) {
  const double hi = a + b;
  const double part = hi - a;
  return {hi, (a - (hi - part)) + (b - part)};
}

// a * b exactly.
inline DoubleDouble TwoProduct(double a, double b) {
  const double hi = a * b;
  return {hi, std::fma(a, b, -hi)};
}

inline DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }

inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = TwoSum(a.hi, b.hi);
  const DoubleDouble low = TwoSum(a.lo, b.lo);
  const DoubleDouble sum = FastTwoSum(high.hi, high.lo + low.hi);
  return FastTwoSum(sum.hi, low.lo + sum.lo);
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

inline DoubleDouble operator+(DoubleDouble a, double b) {
  const DoubleDouble sum = TwoSum(a.hi, b);
  return FastTwoSum(sum.hi, sum.lo + a.lo);
}

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = TwoProduct(a.hi, b.hi);
  return FastTwoSum(product.hi, product.lo + std::fma(a.hi, b.lo, a.lo * b.hi));
}

inline DoubleDouble operator*(DoubleDouble a, double b) {
  const DoubleDouble product = TwoProduct(a.hi, b);
  return FastTwoSum(product.hi, std::fma(a.lo, b, product.lo));
}

// One step of Newton from the rounded quotient.
inline DoubleDouble Inverse(DoubleDouble a) {
  const double y = 1.0 / a.hi;
  const double rest = std::fma(-a.hi, y, 1.0) - a.lo * y;
  return FastTwoSum(y, y * rest);
}

}  // namespace gelu::proof
