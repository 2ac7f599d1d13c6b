// SPDX-License-Identifier: Apache-2.0
// Mills ratio of the normal distribution: Q(t) = Phi(-t) = exp(-t^2/2) M(t), with a relative error below 2^-57.
#if defined(GELU_CORE_NORMAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_NORMAL_INL_H_
#undef GELU_CORE_NORMAL_INL_H_
#else
#define GELU_CORE_NORMAL_INL_H_
#endif
#include "gelu/core/exp-inl.h"
#include "gelu/core/normal_table.h"

GELU_BEGIN

// M(t) for 0 <= t <= kMillsEnd: the row nearest to t, and a polynomial in the distance d from it. d (c1 + ...) is below
// 2^-5 M(t), so that its rounding errors hardly count.
template <class D>
GELU_INLINE Pair<Vec<D>> MillsRatio(D d, Pair<Vec<D>> t) {
  using V = Vec<D>;
  const RebindToUnsigned<D> du;
  const auto k = NearestInteger(d, Mul(t.hi, Set(d, kMillsSteps)));
  const V distance = Add(NegMulAdd(k.value, Set(d, 1.0 / kMillsSteps), t.hi), t.lo);
  static_assert(kMillsDegree == 9 && sizeof kMillsTable[0] == 8 * 11, "the offset below is 88 k");
  alignas(64) uint64_t offset[kMaxLanes];
  StoreU(Add(Add(ShiftLeft<6>(k.index), ShiftLeft<4>(k.index)), ShiftLeft<3>(k.index)), du, offset);
  V c[2];
  const auto load = [&](int column) { LoadRowPairs(d, &kMillsTable[0][column], offset, c); };
  load(9);
  V p = MulAdd(c[1], distance, c[0]);
  for (int column = 7; column >= 3; column -= 2) {
    load(column);
    p = MulAdd(MulAdd(p, distance, c[1]), distance, c[0]);
  }
  load(1);
  const V rest = MulAdd(MulAdd(p, distance, c[1]), distance, c[0]);
  load(0);
  return Normal(c[0], rest);
}

GELU_END
#endif  // toggled guard
