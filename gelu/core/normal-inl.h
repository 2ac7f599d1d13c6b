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
  constexpr int kColumns = kMillsDegree + 2;
  const RebindToUnsigned<D> du;
  const RebindToSigned<D> di;
  const auto k = NearestInteger(d, Mul(t.hi, Set(d, kMillsSteps)));
  const V distance = Add(NegMulAdd(k.value, Set(d, 1.0 / kMillsSteps), t.hi), t.lo);
  static_assert(kColumns == 11, "the index below is 11 k");
  const auto k11 = Add(Add(ShiftLeft<3>(k.index), ShiftLeft<1>(k.index)), k.index);
  const auto row = BitCast(di, Add(k11, Set(du, 0u)));
  const double* table = &kMillsTable[0][0];
  V p = GatherIndex(d, table + kColumns - 1, row);
  for (int column = kColumns - 2; column >= 2; --column) {
    p = MulAdd(p, distance, GatherIndex(d, table + column, row));
  }
  return Normal(GatherIndex(d, table, row), MulAdd(p, distance, GatherIndex(d, table + 1, row)));
}

GELU_END
#endif  // toggled guard
