// SPDX-License-Identifier: Apache-2.0
// The one f32 kernel: index, row, cubic, base. No tail, no exp, no division, no branch but near a root, and no
// dependence on the data. With the rows of core/rows.h, t = |x| and H_k the k-th derivative of f at -t:
//   f(x) = relu(x) - H0(t), H0(t) = t gate(-t);   f'(x) = H1(t) for x < 0, else 1 - H1(t);   f''(x) = H2(t).
#if defined(GELU_CORE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_ROWS_INL_H_
#undef GELU_CORE_ROWS_INL_H_
#else
#define GELU_CORE_ROWS_INL_H_
#endif
#include "gelu/core/lanes-inl.h"
#include "gelu/core/rows.h"

GELU_BEGIN

// t, the number of its row and the distance from the row's centre. NaN becomes 0, infinity the end.
template <class D>
struct RowPoint {
  Vec<D> t, row, distance;
};

// The row number as the integer that a sum with kRowMagic holds in its last bits.
inline constexpr float kRowMagic = 0x1.8p23f;
template <class D>
GELU_INLINE Vec<D> RowNumber(D d, const Rows& rows, Vec<D> t) {
  return MulAdd(t, Set(d, rows.inverse_step), Set(d, kRowMagic));
}

template <class D>
GELU_INLINE Vec<D> RowArgument(D d, const Rows& rows, Vec<D> x) {
  return Min(IfThenElse(Eq(x, x), Abs(x), Zero(d)), Set(d, rows.end));
}

template <class D>
GELU_INLINE Vec<RebindToUnsigned<D>> RowIndex(D d, const Rows& rows, Vec<D> x) {
  const RebindToUnsigned<D> du;
  return And(BitCast(du, RowNumber(d, rows, RowArgument(d, rows, x))), Set(du, 0x3fffffu));
}

template <class D>
GELU_INLINE RowPoint<D> MakeRowPoint(D d, const Rows& rows, Vec<D> x) {
  const auto t = RowArgument(d, rows, x);
  const auto row = Sub(RowNumber(d, rows, t), Set(d, kRowMagic));
  return {t, row, NegMulAdd(row, Set(d, 1.0f / rows.inverse_step), t)};
}

// 2^64 H(t), or 2^64 (H(t) - t/2) in the first rows.
template <class D>
GELU_INLINE Vec<D> RowCubic(D d, const Rows& rows, const uint32_t* index, Vec<D> distance) {
  const RebindToUnsigned<D> du;
  Vec<D> c[4];
  LoadRows(d, rows.words, index, c);
  const auto low = BitCast(d, ShiftLeft<16>(BitCast(du, c[3])));
  return Add(c[0], MulAdd(MulAdd(MulAdd(c[3], distance, c[2]), distance, c[1]), distance, low));
}

template <int kOrder, class D>
GELU_INLINE Vec<D> RowValue(D d, const Rows& rows, const uint32_t* index, Vec<D> x) {
  const RebindToUnsigned<D> du;
  const auto p = MakeRowPoint(d, rows, x);
  const auto sum = RowCubic(d, rows, index, p.distance);
  const auto zero = Zero(d), scale = Set(d, 0x1p-64f);
  const auto number = Eq(x, x);
  if constexpr (kOrder == 2) return IfThenElse(number, Mul(sum, scale), x);
  if constexpr (kOrder == 1) {
    const auto factor = IfNegativeThenElse(x, scale, Neg(scale));
    const auto y = MulAdd(sum, factor, IfNegativeThenElse(x, zero, Set(d, 1.0f)));
    return IfThenElse(number, y, x);
  }
  const auto half = IfThenElse(Lt(p.row, Set(d, rows.halves)), Set(d, 0.5f), zero);
  const auto base = NegMulAdd(half, p.t, IfNegativeThenElse(x, zero, x));
  const auto y = NegMulAdd(sum, scale, base);
  // f(x) has the sign of x, which the smallest results would lose.
  const auto sign = Set(du, 0x80000000u);
  const auto signed_y = BitCast(d, Or(And(BitCast(du, x), sign), BitCast(du, Abs(y))));
  return IfThenElse(number, signed_y, x);
}

GELU_END
#endif  // toggled guard
