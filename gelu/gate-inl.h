// SPDX-License-Identifier: Apache-2.0
// What gelu_gate asks of gated forms, in lanes of any type: the limit of a, which is activated, and the limit and
// offset of b, which is not.
#if defined(GELU_GATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_GATE_INL_H_
#undef GELU_GATE_INL_H_
#else
#define GELU_GATE_INL_H_
#endif
#include <cmath>
#include <limits>

#include "gelu/core/pair-inl.h"
#include "gelu/forms.h"

GELU_BEGIN

template <class T>
struct Gate {
  T most, linear_most, offset;
};
template <class T>
Gate<T> MakeGate(const gelu_gate& gate) {
  return {static_cast<T>(gate.gate_max), static_cast<T>(gate.linear_max), static_cast<T>(gate.linear_offset)};
}

// Is it a number of the lanes, which a cast does not change?
template <class T>
bool IsLaneNumber(double v) {
  if (std::isinf(v)) return true;
  return std::fabs(v) <= double{std::numeric_limits<T>::max()} && double{static_cast<T>(v)} == v;
}

// Can lanes of T do what the gate asks for, without a sum that is too large for them?
template <class T>
bool HasGate(const gelu_gate& gate, T largest) {
  return IsLaneNumber<T>(gate.gate_max) && IsLaneNumber<T>(gate.linear_max) && IsLaneNumber<T>(gate.linear_offset) &&
         std::fabs(gate.linear_offset) <= double{largest};
}

// Comparisons of a NaN would raise a flag.
template <class D>
GELU_INLINE Vec<D> NanAsZero(D d, Vec<D> v) {
  return IfThenElse(Eq(v, v), v, Zero(d));
}

template <class D, class T>
GELU_INLINE Vec<D> LimitedPoint(D d, const Gate<T>& gate, Vec<D> a) {
  const auto most = Set(d, gate.most);
  return IfThenElse(Lt(most, NanAsZero(d, a)), most, a);
}

// b, limited.
template <class D, class T>
GELU_INLINE Vec<D> LimitedLinear(D d, const Gate<T>& gate, Vec<D> b) {
  const auto most = Set(d, gate.linear_most), number = NanAsZero(d, b);
  return IfThenElse(Lt(most, Abs(number)), IfNegativeThenElse(number, Neg(most), most), b);
}

// The gradient that reaches the input of which the output is the gradient: dy * 0 where a limit holds that one.
template <class D, class T>
GELU_INLINE Vec<D> LimitedGradient(D d, const Gate<T>& gate, int order, Vec<D> a, Vec<D> b, Vec<D> dy) {
  const auto beyond =
      order == 0 ? Lt(Set(d, gate.linear_most), Abs(NanAsZero(d, b))) : Lt(Set(d, gate.most), NanAsZero(d, a));
  return IfThenElse(beyond, Mul(dy, Zero(d)), dy);
}

GELU_END
#endif  // toggled guard
