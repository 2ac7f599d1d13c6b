// SPDX-License-Identifier: Apache-2.0
// The one f32 kernel: offset, row, cubic, base. No tail, no exp, no division, no dependence on the data. With the rows
// of core/rows.h, t = |x| and H_k the k-th derivative of f at -t:
//   f(x) = relu(x) - H0(t), H0(t) = t gate(-t);   f'(x) = H1(t) for x < 0, else 1 - H1(t);   f''(x) = H2(t).
// Results where x is NaN mean nothing.
#if defined(GELU_CORE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_ROWS_INL_H_
#undef GELU_CORE_ROWS_INL_H_
#else
#define GELU_CORE_ROWS_INL_H_
#endif
#include "gelu/core/lanes-inl.h"
#include "gelu/core/rows.h"

GELU_BEGIN

template <class D>
using MaskOf = decltype(Eq(Vec<D>(), Vec<D>()));

// t, at most the end; NaN becomes the end too. In integers, which raise no flag.
template <class D>
GELU_INLINE Vec<D> RowArgument(D d, const Rows& rows, Vec<D> x) {
  const RebindToUnsigned<D> du;
  return BitCast(d, Min(BitCast(du, Abs(x)), BitCast(du, Set(d, rows.end))));
}

// The number of t's row, as the integer in the last bits of a sum.
inline constexpr float kRowMagic = 0x1.8p23f;
template <class D>
GELU_INLINE Vec<D> RowNumber(D d, const Rows& rows, Vec<D> t) {
  return MulAdd(t, Set(d, rows.inverse_step), Set(d, kRowMagic));
}

// The place of x's row, in bytes from the first.
template <class D>
GELU_INLINE Vec<RebindToUnsigned<D>> RowOffset(D d, const Rows& rows, Vec<D> x) {
  const RebindToUnsigned<D> du;
  static_assert(sizeof *rows.words == 16);
  const auto number = RowNumber(d, rows, RowArgument(d, rows, x));
  return And(ShiftLeft<4>(BitCast(du, number)), Set(du, 0xffffffu));
}

// 2^64 H(t), in the first rows of f 2^64 (H(t) - t/2), as a sum of which the second part is the smaller.
template <class D>
struct RowSum {
  Vec<D> t, row, high, low;
};

template <bool kRoot, class D>
GELU_INLINE RowSum<D> SumOfRow(D d, const Rows& rows, const uint32_t* offset, Vec<D> x) {
  const RebindToUnsigned<D> du;
  const auto t = RowArgument(d, rows, x);
  const auto row = Sub(RowNumber(d, rows, t), Set(d, kRowMagic));
  const auto distance = NegMulAdd(row, Set(d, rows.step), t);
  Vec<D> c[4];
  LoadRows(d, rows.words, offset, c);
  const auto low = BitCast(d, ShiftLeft<16>(BitCast(du, c[3])));
  const auto rest = MulAdd(MulAdd(MulAdd(c[3], distance, c[2]), distance, c[1]), distance, low);
  if constexpr (!kRoot) return {t, row, c[0], rest};

  const RowRoot& root = rows.root;
  const auto u = Sub(t, Set(d, root.at));
  auto p = Set(d, root.series[4]);
  for (int i = 3; i >= 0; --i) p = MulAdd(p, u, Set(d, root.series[i]));
  p = MulAdd(MulAdd(p, u, Set(d, root.low)), u, Set(d, root.value));
  const auto slope = Set(d, root.slope), product = Mul(u, slope);
  const auto near = Lt(Abs(u), Set(d, root.radius));
  return {t, row, IfThenElse(near, product, c[0]), IfThenElse(near, Sub(p, NegMulAdd(u, slope, product)), rest)};
}

// f (kOrder 0), f' (1) or f'' (2).
template <int kOrder, class D>
GELU_INLINE Vec<D> RowValue(D d, const Rows& rows, const uint32_t* offset, Vec<D> x) {
  const RebindToUnsigned<D> du;
  const auto p = SumOfRow<kOrder != 0>(d, rows, offset, x);
  const auto sum = Add(p.high, p.low);
  const auto zero = Zero(d), scale = Set(d, 0x1p-64f);
  if constexpr (kOrder == 0) {
    const auto half = IfThenElseZero(Lt(p.row, Set(d, rows.halves)), Set(d, 0.5f));
    const auto base = NegMulAdd(half, p.t, IfNegativeThenElse(x, zero, x));
    // f(x) has the sign of x, which the smallest results would lose.
    const auto sign = And(BitCast(du, x), Set(du, 0x80000000u));
    return BitCast(d, Or(BitCast(du, Abs(NegMulAdd(sum, scale, base))), sign));
  }
  if constexpr (kOrder == 2) return Mul(sum, scale);
  return MulAdd(sum, IfNegativeThenElse(x, scale, Neg(scale)), IfNegativeThenElse(x, zero, Set(d, 1.0f)));
}

// factor f'(x), rows being those of f'. Undecided, and left to f64, where the factor is huge, infinite or NaN, or f'(x)
// or the result tiny: rows are good to 1 ULP of f32, not to so many bits.
template <class D>
GELU_INLINE Vec<D> RowProduct(D d, const Rows& rows, const uint32_t* offset, Vec<D> x, Vec<D> factor,
                              MaskOf<D>* undecided) {
  const RebindToUnsigned<D> du;
  const RebindToSigned<D> di;
  const auto p = SumOfRow<true>(d, rows, offset, x);
  // 2^64 f'(x) as a sum, base + (high + low) with base = 0 or 2^64 and the signs of high and low turned for x > 0.
  const auto base = IfNegativeThenElse(x, Zero(d), Set(d, 0x1p64f));
  const auto turn = AndNot(BitCast(du, x), Set(du, 0x80000000u));
  const auto high = BitCast(d, Xor(BitCast(du, p.high), turn)), low = BitCast(d, Xor(BitCast(du, p.low), turn));
  const auto sum = Add(base, high);
  const auto rest = Add(Sub(high, Sub(sum, base)), low);
  const auto huge = Lt(BitCast(di, Set(d, 0x1p60f)), BitCast(di, Abs(factor)));
  const auto safe = IfThenElse(RebindMask(d, huge), Zero(d), factor);
  const auto product = Mul(MulAdd(safe, sum, Mul(safe, rest)), Set(d, 0x1p-64f));
  const auto tiny = Or(Lt(BitCast(di, Abs(product)), BitCast(di, Set(d, 0x1p-118f))),
                       Lt(BitCast(di, Abs(sum)), BitCast(di, Set(d, 0x1p-54f))));
  const auto zero = Eq(BitCast(di, Abs(factor)), Zero(di));
  *undecided = RebindMask(d, Or(huge, And(tiny, Not(zero))));
  // A sum of parts has lost the sign of a zero.
  const auto sign = And(Xor(BitCast(du, factor), BitCast(du, Add(sum, rest))), Set(du, 0x80000000u));
  return BitCast(d, Or(BitCast(du, Abs(product)), sign));
}

GELU_END
#endif  // toggled guard
