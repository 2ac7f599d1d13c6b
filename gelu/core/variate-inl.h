// SPDX-License-Identifier: Apache-2.0
// A standard normal variate from a random word u: the quantile of (u + 1/2) / 2^32, with a relative error below 2^-42.
// That of ~u is its exact negative. None is larger than 6.338, the quantile of 1 - 2^-33.
#if defined(GELU_CORE_VARIATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_VARIATE_INL_H_
#undef GELU_CORE_VARIATE_INL_H_
#else
#define GELU_CORE_VARIATE_INL_H_
#endif
#include "gelu/core/lanes-inl.h"
#include "gelu/core/quantile_table.h"

GELU_BEGIN

// d is a tag of f64 lanes; the upper halves of the words are zero. A row of the table is for an eighth of a binade of
// q, 2^32 times the probability beyond the variate.
template <class D>
GELU_INLINE Vec<D> NormalVariate(D d, Vec<RebindToUnsigned<D>> word) {
  using V = Vec<D>;
  const RebindToUnsigned<D> du;
  static_assert(kQuantileSteps == 8 && kQuantileDegree == 7, "a row is chosen by three bits and is eight words long");
  // u - 2^31 + 1/2, every step exact: 2^52 + u has u as its last bits.
  const V u = BitCast(d, Or(word, Set(du, uint64_t{0x433} << 52)));
  const V side = Add(Sub(u, Set(d, 0x1p52 + 0x1p31)), Set(d, 0.5));
  const V q = Sub(Set(d, 0x1p31), Abs(side));
  const auto bits = BitCast(du, q);
  const auto row = Sub(ShiftRight<49>(bits), Set(du, uint64_t{1022} << 3));
  alignas(64) uint64_t offset[kMaxLanes];
  StoreU(ShiftLeft<6>(row), du, offset);
  V c[8];
  LoadRows(d, kQuantileTable, offset, c);
  const V middle = BitCast(d, Or(ShiftLeft<49>(ShiftRight<49>(bits)), Set(du, uint64_t{1} << 48)));
  const V distance = Sub(q, IfThenElse(Lt(q, Set(d, 0x1p31 - 0x1p27)), middle, Set(d, 0x1p31)));
  V t = MulAdd(c[7], distance, c[6]);
  for (int k = 5; k >= 0; --k) t = MulAdd(t, distance, c[k]);
  const auto sign = And(BitCast(du, side), Set(du, uint64_t{1} << 63));
  return BitCast(d, Or(BitCast(du, t), sign));
}

GELU_END
#endif  // toggled guard
