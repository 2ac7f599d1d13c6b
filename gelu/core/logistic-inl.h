// SPDX-License-Identifier: Apache-2.0
// Gates that are logistic functions of an odd argument u(z), in f64: gate(z) = 1 / (1 + exp(-u(z))).
#if defined(GELU_CORE_LOGISTIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_LOGISTIC_INL_H_
#undef GELU_CORE_LOGISTIC_INL_H_
#else
#define GELU_CORE_LOGISTIC_INL_H_
#endif
#include "gelu/core/branch-inl.h"

GELU_BEGIN

// u, u', u'' and u''' at t.
template <class V>
struct Argument {
  Pair<V> u, u1, u2, u3;
};

// With E = exp(-u), P = 1 / (1 + E) = gate(t) and Q = E P = gate(-t):
//   gate(-t) = Q,   f'(-t) = Q (1 - t u' P),   f''(-t) = Q P (2 u' + t (u'' - u'^2 (P - Q))),   P - Q = (1 - E) P,
//   f'''(-t) = Q P (3 u' (P - Q) (u' + t u'') - 3 u'' - t ((1 - 6 Q P) u'^3 + u''')),   gate'(-t) = Q P u'.
// In f''' P - Q cancels where t is small.
template <int kOrder, class D>
GELU_INLINE Scaled<D> LogisticLower(D d, Pair<Vec<D>> t, Argument<Vec<D>> a) {
  using V = Vec<D>;
  const Scaled<D> e = ExpNegative(d, a.u);
  const V power = PowerOfHalf(d, ShiftRight<1>(e.shift));
  const V power2 = PowerOfHalf(d, Sub(e.shift, ShiftRight<1>(e.shift)));
  const Pair<V> small = Scale(Scale(e.value, power), power2);
  const V one = Set(d, 1.0);
  const Pair<V> upper = Reciprocal(d, Add(small, one));
  const Pair<V> lower = Mul(e.value, upper);
  if constexpr (kOrder == 0) return {lower, e.shift};
  if constexpr (kOrder == 1) {
    const Pair<V> slope = Mul(Mul(t, a.u1), upper);
    return {Mul(lower, Add(Neg(slope), one)), e.shift};
  }
  if constexpr (kOrder == kGateSlope) return {Mul(Mul(lower, upper), a.u1), e.shift};
  const Pair<V> difference = Mul(Add(Neg(small), one), upper);
  if constexpr (kOrder == 3) {
    const V three = Set(d, 3.0);
    const Pair<V> product = Mul(Mul(small, upper), upper);  // Q P without the shift
    const Pair<V> curvature = Add(Neg(Mul(product, Set(d, 6.0))), one);
    const Pair<V> even = Add(Mul(Mul(curvature, a.u1), Mul(a.u1, a.u1)), a.u3);
    const Pair<V> odd = Add(Mul(Mul(a.u1, difference), Add(a.u1, Mul(t, a.u2))), Neg(a.u2));
    return {Mul(Mul(lower, upper), Add(Mul(odd, three), Neg(Mul(t, even)))), e.shift};
  }
  const Pair<V> inner = Add(a.u2, Neg(Mul(Mul(a.u1, a.u1), difference)));
  const Pair<V> bracket = Add(Scale(a.u1, Set(d, 2.0)), Mul(t, inner));
  return {Mul(Mul(lower, upper), bracket), e.shift};
}

GELU_END
#endif  // toggled guard
