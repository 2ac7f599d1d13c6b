// SPDX-License-Identifier: Apache-2.0
// What the functions of the family share in f64: f(x) = x gate(alpha x) and its derivatives from one function of
// t = |alpha x| alone, the lower branch L0(t) = gate(-t), L1(t) = f'(-t), L2(t) = f''(-t) at alpha = 1. Then
//   gate(t) = 1 - L0(t),   f'(t) = 1 - L1(t),   f''(t) = L2(t).
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

// Near a root r the formulas cancel; there lower is replaced by the power series about r.
template <class D, int kDegree>
GELU_INLINE Scaled<D> NearRoot(D d, const Root<kDegree>& root, Pair<Vec<D>> t, Scaled<D> lower) {
  using V = Vec<D>;
  const RebindToUnsigned<D> du;
  const V high = Sub(t.hi, Set(d, root.root[0]));  // exact where the series is used
  const auto near = Lt(Abs(high), Set(d, root.radius));
  const Pair<V> low = TwoSum(t.lo, Set(d, -root.root[1]));
  const Pair<V> sum = TwoSum(high, low.hi);
  const Pair<V> distance = Normal(sum.hi, Add(sum.lo, Sub(low.lo, Set(d, root.root[2]))));
  V p = Set(d, root.series[kDegree - 1]);
  for (int i = kDegree - 2; i >= 0; --i) p = MulAdd(p, distance.hi, Set(d, root.series[i]));
  const Pair<V> slope = Add(SetPair(d, Pair64{root.slope[0], root.slope[1]}), Mul(p, distance.hi));
  return {IfThenElse(near, Mul(distance, slope), lower.value), IfThenElse(RebindMask(du, near), Zero(du), lower.shift)};
}

// The value at z = +-t of the gate (kOrder 0), f' (1) or f'' (2) of the function Card at alpha = 1.
template <class Card, int kOrder, class D, class M>
GELU_INLINE Scaled<D> Evaluate(D d, Pair<Vec<D>> t, M negative) {
  const Scaled<D> lower = Card::template Lower<kOrder>(d, t);
  if constexpr (kOrder == 2) return lower;
  const RebindToUnsigned<D> du;
  const Pair<Vec<D>> value = Scale(Scale(lower.value, PowerOfHalf(d, ShiftRight<1>(lower.shift))),
                                   PowerOfHalf(d, Sub(lower.shift, ShiftRight<1>(lower.shift))));
  const Pair<Vec<D>> upper = Add(Neg(value), Set(d, 1.0));
  return {IfThenElse(negative, lower.value, upper), IfThenElse(RebindMask(du, negative), lower.shift, Zero(du))};
}

GELU_END
#endif  // toggled guard
