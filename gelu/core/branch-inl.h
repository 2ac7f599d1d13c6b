// SPDX-License-Identifier: Apache-2.0
// What the functions of the family share in f64: f(x) = x gate(alpha x) and its derivatives from one function of
// t = |alpha x| alone, the lower branch L0(t) = gate(-t), L1(t) = f'(-t), L2(t) = f''(-t), L3(t) = f'''(-t) and
// L4(t) = gate'(-t) at alpha = 1. Then
//   gate(t) = 1 - L0(t),   f'(t) = 1 - L1(t),   f''(t) = L2(t),   f'''(t) = -L3(t),   gate'(t) = L4(t).
// Nothing cancels: L0 and L1 are at most 1/2, and have high relative accuracy.
#if defined(GELU_CORE_BRANCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_BRANCH_INL_H_
#undef GELU_CORE_BRANCH_INL_H_
#else
#define GELU_CORE_BRANCH_INL_H_
#endif
#include "gelu/core/exp-inl.h"
#include "gelu/core/root.h"

GELU_BEGIN

// Where an order is meant, the slope gate' of the gate: df/dalpha = x^2 gate'(alpha x).
inline constexpr int kGateSlope = 4;

// series(x). What lies beyond the head is summed in doubles; it is below 2^-16 of the sum where the series are used.
template <class D, int kPairs, int kRest>
GELU_INLINE Pair<Vec<D>> SumSeries(D d, const Series<kPairs, kRest>& series, Pair<Vec<D>> x) {
  Vec<D> p = Set(d, series.rest[kRest - 1]);
  for (int i = kRest - 2; i >= 0; --i) p = MulAdd(p, x.hi, Set(d, series.rest[i]));
  Pair<Vec<D>> sum = Mul(x, p);
  for (int i = kPairs - 1; i >= 0; --i) {
    sum = Add(SetPair(d, Pair64{series.head[i][0], series.head[i][1]}), sum);
    if (i > 0) sum = Mul(sum, x);
  }
  return sum;
}

// The function about its root, divided by the distance from it.
template <class D, int kDegree>
GELU_INLINE Pair<Vec<D>> Quotient(D d, const Root<kDegree>& root, Pair<Vec<D>> distance) {
  Vec<D> p = Set(d, root.series[kDegree - 1]);
  for (int i = kDegree - 2; i >= 0; --i) p = MulAdd(p, distance.hi, Set(d, root.series[i]));
  return Add(SetPair(d, Pair64{root.slope[0], root.slope[1]}), Mul(p, distance.hi));
}
template <class D, int kPairs, int kRest>
GELU_INLINE Pair<Vec<D>> Quotient(D d, const LongRoot<kPairs, kRest>& root, Pair<Vec<D>> distance) {
  return SumSeries(d, root.series, distance);
}

// Near a root r the formulas cancel; there lower is replaced by the power series about r.
template <class D, class AnyRoot>
GELU_INLINE Scaled<D> NearRoot(D d, const AnyRoot& root, Pair<Vec<D>> t, Scaled<D> lower) {
  using V = Vec<D>;
  const RebindToUnsigned<D> du;
  const V high = Sub(t.hi, Set(d, root.root[0]));  // exact where the series is used
  const auto near = Lt(Abs(high), Set(d, root.radius));
  const Pair<V> low = TwoSum(t.lo, Set(d, -root.root[1]));
  const Pair<V> sum = TwoSum(high, low.hi);
  const Pair<V> distance = Normal(sum.hi, Add(sum.lo, Sub(low.lo, Set(d, root.root[2]))));
  const Pair<V> value = Mul(distance, Quotient(d, root, distance));
  return {IfThenElse(near, value, lower.value), IfThenElse(RebindMask(du, near), Zero(du), lower.shift)};
}

// t, and a tiny t as a larger number and a shift, so that the low part of a product with it does not underflow.
template <class D>
GELU_INLINE Scaled<D> RaiseTiny(D d, Pair<Vec<D>> t) {
  const RebindToUnsigned<D> du;
  const auto tiny = Lt(t.hi, Set(d, 0x1p-256));
  return {IfThenElse(tiny, Scale(t, Set(d, 0x1p256)), t), IfThenElse(RebindMask(du, tiny), Set(du, 256u), Zero(du))};
}

// The same about the root 0 of an odd function.
template <class D, int kPairs, int kRest>
GELU_INLINE Scaled<D> NearZero(D d, const OddRoot<kPairs, kRest>& root, Pair<Vec<D>> t, Scaled<D> lower) {
  const RebindToUnsigned<D> du;
  const auto near = Lt(t.hi, Set(d, root.radius));
  const Scaled<D> distance = RaiseTiny(d, t);
  const Pair<Vec<D>> value = Mul(distance.value, SumSeries(d, root.series, Mul(t, t)));
  return {IfThenElse(near, value, lower.value), IfThenElse(RebindMask(du, near), distance.shift, lower.shift)};
}

// The value at z = +-t of the gate (kOrder 0), f' (1), f'' (2), f''' (3) or gate' (kGateSlope) of the function Card at
// alpha = 1.
template <class Card, int kOrder, class D, class M>
GELU_INLINE Scaled<D> Evaluate(D d, Pair<Vec<D>> t, M negative) {
  const Scaled<D> lower = Card::template Lower<kOrder>(d, t);
  if constexpr (kOrder == 2 || kOrder == kGateSlope) return lower;
  if constexpr (kOrder == 3) {  // 0 - L3, so that every zero of f''' is +0
    const Vec<D> zero = Zero(d);
    const Pair<Vec<D>> upper = {Sub(zero, lower.value.hi), Sub(zero, lower.value.lo)};
    return {IfThenElse(negative, lower.value, upper), lower.shift};
  }
  const RebindToUnsigned<D> du;
  const Pair<Vec<D>> value = Scale(Scale(lower.value, PowerOfHalf(d, ShiftRight<1>(lower.shift))),
                                   PowerOfHalf(d, Sub(lower.shift, ShiftRight<1>(lower.shift))));
  Pair<Vec<D>> upper = Add(Neg(value), Set(d, 1.0));
  // However small it is, what is left to 1 decides where a sum or a product is halfway between two numbers.
  const Vec<D> size = IfThenElse(Eq(lower.value.hi, Zero(d)), Zero(d), Set(d, 0x1p-600));
  upper.lo = Sub(upper.lo, IfNegativeThenElse(lower.value.hi, Neg(size), size));
  return {IfThenElse(negative, lower.value, upper), IfThenElse(RebindMask(du, negative), lower.shift, Zero(du))};
}

GELU_END
#endif  // toggled guard
