// SPDX-License-Identifier: Apache-2.0
// Numbers of about 106 bits as unevaluated sums hi + lo of two doubles, |lo| <= ulp(hi) / 2 after Normal().
// T. J. Dekker, A floating-point technique for extending the available precision, Numer. Math. 18 (1971).
#if defined(GELU_CORE_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_PAIR_INL_H_
#undef GELU_CORE_PAIR_INL_H_
#else
#define GELU_CORE_PAIR_INL_H_
#endif
#include "gelu/core/lanes-inl.h"

GELU_BEGIN

template <class V>
struct Pair {
  V hi, lo;
};

// A constant as a pair.
struct Pair64 {
  double hi, lo;
};
template <class D>
GELU_INLINE Pair<Vec<D>> SetPair(D d, Pair64 c) {
  return {Set(d, c.hi), Set(d, c.lo)};
}

// hi + lo == a + b exactly, for |a| >= |b|.
template <class V>
GELU_INLINE Pair<V> Normal(V a, V b) {
  const V hi = Add(a, b);
  return {hi, Sub(b, Sub(hi, a))};
}

// The same for any a and b.
template <class V>
GELU_INLINE Pair<V> TwoSum(V a, V b) {
  const V hi = Add(a, b), bb = Sub(hi, a);
  return {hi, Add(Sub(a, Sub(hi, bb)), Sub(b, bb))};
}

// hi + lo == a b exactly, barring underflow.
template <class V>
GELU_INLINE Pair<V> TwoProduct(V a, V b) {
  const V hi = Mul(a, b);
  return {hi, MulAdd(a, b, Neg(hi))};
}

template <class V>
GELU_INLINE Pair<V> Neg(Pair<V> a) {
  return {Neg(a.hi), Neg(a.lo)};
}

template <class V>
GELU_INLINE Pair<V> Scale(Pair<V> a, V power_of_two) {
  return {Mul(a.hi, power_of_two), Mul(a.lo, power_of_two)};
}

// Sums and products with a relative error of a few 2^-104; a sum that cancels keeps that error relative to its terms.
template <class V>
GELU_INLINE Pair<V> Add(Pair<V> a, Pair<V> b) {
  const Pair<V> s = TwoSum(a.hi, b.hi), t = TwoSum(a.lo, b.lo);
  const Pair<V> u = Normal(s.hi, Add(s.lo, t.hi));
  return Normal(u.hi, Add(u.lo, t.lo));
}
template <class V>
GELU_INLINE Pair<V> Add(Pair<V> a, V b) {
  const Pair<V> s = TwoSum(a.hi, b);
  return Normal(s.hi, Add(s.lo, a.lo));
}
template <class V>
GELU_INLINE Pair<V> Mul(Pair<V> a, Pair<V> b) {
  const Pair<V> p = TwoProduct(a.hi, b.hi);
  return Normal(p.hi, Add(p.lo, MulAdd(a.hi, b.lo, Mul(a.lo, b.hi))));
}
template <class V>
GELU_INLINE Pair<V> Mul(Pair<V> a, V b) {
  const Pair<V> p = TwoProduct(a.hi, b);
  return Normal(p.hi, MulAdd(a.lo, b, p.lo));
}

// 1 / a by one Newton step on the quotient of the high part.
template <class D, class V>
GELU_INLINE Pair<V> Reciprocal(D d, Pair<V> a) {
  const V one = Set(d, 1.0), q = Div(one, a.hi);
  const V rest = NegMulAdd(q, a.lo, NegMulAdd(q, a.hi, one));
  return Normal(q, Mul(q, rest));
}

template <class M, class V>
GELU_INLINE Pair<V> IfThenElse(M mask, Pair<V> yes, Pair<V> no) {
  return {IfThenElse(mask, yes.hi, no.hi), IfThenElse(mask, yes.lo, no.lo)};
}

GELU_END
#endif  // toggled guard
