// SPDX-License-Identifier: Apache-2.0
// The one fast kernel, in f32 and in f64 lanes: offset, row, polynomial, base. No tail, no exp, no division, no
// dependence on the data. With the rows of core/rows.h, z = alpha x, t = |z| and H_k the k-th derivative of f at -t for
// alpha = 1:
//   f(x) = relu(x) - H0(t) / |alpha|, H0(t) = t gate(-t);   f'(x) = H1(t) for z < 0, else 1 - H1(t);
//   f''(x) = alpha H2(t).
// Results where x is NaN mean nothing.
#if defined(GELU_CORE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_ROWS_INL_H_
#undef GELU_CORE_ROWS_INL_H_
#else
#define GELU_CORE_ROWS_INL_H_
#endif
#include <cmath>
#include <type_traits>

#include "gelu/core/lanes-inl.h"
#include "gelu/core/rows.h"

GELU_BEGIN

template <class D>
using MaskOf = decltype(Eq(Vec<D>(), Vec<D>()));

template <class T>
struct RowLane;
template <>
struct RowLane<float> {
  static constexpr int kShift = 4;  // log2 of the bytes in a row
  static constexpr float kHuge = 0x1p60f, kTiny = 0x1p-118f, kSmall = 0x1p-54f, kSmallValue = 0x1p-96f;
  static constexpr float kHugePart = 0x1p40f, kTinyProduct = 0x1p-100f;  // of a factor that is a product
  static constexpr float kNext = 0x1p-18f;                               // some ULP of a root
  static constexpr bool kComplete = true;                                // rows reach to where results have their limit
};
template <>
struct RowLane<double> {
  static constexpr int kShift = 6;
  static constexpr double kHuge = 0x1p950, kTiny = 0x1p-960, kSmall = 0x1p-54, kSmallValue = 0x1p-900;
  static constexpr double kHugePart = 0x1p300, kTinyProduct = 0x1p-900;
  static constexpr double kNext = 0x1p-47;
  static constexpr bool kComplete = false;
};

// alpha for rows made for alpha = 1: |alpha| and its inverse as sums of two numbers.
template <class T>
struct RowAlpha {
  struct Sum {
    T high, low;
  };
  Sum size, inverse;
  T sign;  // 0 or -0
};
struct AlphaIsOne {};
template <class Alpha>
inline constexpr bool kHasAlpha = !std::is_same_v<Alpha, AlphaIsOne>;

inline bool HasRowAlpha(double alpha) { return 0x1p-10 <= std::fabs(alpha) && std::fabs(alpha) <= 0x1p10; }

template <class T>
RowAlpha<T> MakeRowAlpha(double alpha) {
  const double size = std::fabs(alpha), inverse = 1 / size, rest = std::fma(-inverse, size, 1.0) * inverse;
  const T high = static_cast<T>(size), inverse_high = static_cast<T>(inverse);
  return {{high, static_cast<T>(size - high)},
          {inverse_high, static_cast<T>(inverse - inverse_high + rest)},
          std::copysign(T{0}, static_cast<T>(alpha))};
}

// v with its sign turned where alpha is negative.
template <class D>
GELU_INLINE Vec<D> TurnedBy(D, AlphaIsOne, Vec<D> v) {
  return v;
}
template <class D, class T>
GELU_INLINE Vec<D> TurnedBy(D d, const RowAlpha<T>& alpha, Vec<D> v) {
  const RebindToUnsigned<D> du;
  return BitCast(d, Xor(BitCast(du, v), BitCast(du, Set(d, alpha.sign))));
}

// The smaller of |x| and end; of NaN the latter. In integers, which raise no flag.
template <class D, class T>
GELU_INLINE Vec<D> AtMost(D d, Vec<D> x, T end) {
  const RebindToSigned<D> di;
  return BitCast(d, Min(BitCast(di, Abs(x)), BitCast(di, Set(d, end))));
}

// What is known of an input: a number, or the sum of two of which the second is the smaller.
template <class D>
struct RowInput {
  Vec<D> x;
};
template <class D>
struct RowInputSum {
  Vec<D> x, low;
};
template <class Input>
inline constexpr bool kIsSum = false;
template <class D>
inline constexpr bool kIsSum<RowInputSum<D>> = true;

// Where an input lies: x with the sign of alpha x, |x| as far as it matters, as the sum size + size_low, and
// t = |alpha x|, at most the end of the rows, as the sum t + low.
template <class D>
struct RowPoint {
  Vec<D> x, size, size_low, t, low;
};
template <class D, class T>
GELU_INLINE RowPoint<D> MakeRowPoint(D d, const Rows<T>& rows, AlphaIsOne, RowInput<D> in) {
  const auto t = AtMost(d, in.x, rows.end), zero = Zero(d);
  return {in.x, t, zero, t, zero};
}
template <class D, class T>
GELU_INLINE RowPoint<D> MakeRowPoint(D d, const Rows<T>& rows, const RowAlpha<T>& alpha, RowInput<D> in) {
  const T reach = 2 * rows.end * alpha.inverse.high;  // |x| beyond which t is beyond the rows
  const auto size = AtMost(d, in.x, reach), a = Set(d, alpha.size.high), high = Mul(size, a);
  const auto low = MulAdd(size, Set(d, alpha.size.low), MulAdd(size, a, Neg(high)));
  return {TurnedBy(d, alpha, in.x), size, Zero(d), Min(high, Set(d, rows.end)), low};
}
template <class D, class T, class Alpha>
GELU_INLINE RowPoint<D> MakeRowPoint(D d, const Rows<T>& rows, const Alpha& alpha, RowInputSum<D> in) {
  const RebindToUnsigned<D> du;
  RowPoint<D> p = MakeRowPoint(d, rows, alpha, RowInput<D>{in.x});
  const auto sign = And(BitCast(du, in.x), BitCast(du, Set(d, -T{0})));
  p.size_low = BitCast(d, Xor(BitCast(du, in.low), sign));
  const auto inside = Lt(p.t, Set(d, rows.end));
  if constexpr (kHasAlpha<Alpha>) {
    p.low = IfThenElseZero(inside, MulAdd(p.size_low, Set(d, alpha.size.high), p.low));
  } else {
    p.low = IfThenElseZero(inside, p.size_low);
  }
  return p;
}

// The place of x's row, in bytes from the first.
template <class D, class T, class Alpha, class Input>
GELU_INLINE Vec<RebindToUnsigned<D>> RowOffset(D d, const Rows<T>& rows, const Alpha& alpha, Input in) {
  const RebindToUnsigned<D> du;
  constexpr int kShift = RowLane<T>::kShift;
  static_assert(sizeof *rows.words == 1 << kShift);
  const auto number = Add(MakeRowPoint(d, rows, alpha, in).t, Set(d, rows.magic));
  return And(ShiftLeft<kShift>(BitCast(du, number)), Set(du, 0xfffffu << kShift));
}

// 2^64 H(t), in the first rows of f 2^64 (H(t) - t/2), as a sum of which the second part is the smaller.
template <class D>
struct RowSum {
  Vec<D> centre, high, low;
};

template <bool kRoot, bool kLow, class D, class T, class Bits>
GELU_INLINE RowSum<D> SumOfRow(D d, const Rows<T>& rows, const Bits* offset, const RowPoint<D>& point) {
  const RebindToUnsigned<D> du;
  constexpr int kWords = RowFormat<T>::kWords, kSeries = RowFormat<T>::kSeries;
  const auto magic = Set(d, rows.magic), centre = Sub(Add(point.t, magic), magic);
  auto distance = Sub(point.t, centre);
  if constexpr (kLow) distance = Add(distance, point.low);
  Vec<D> c[kWords];
  LoadRows(d, rows.words, offset, c);
  auto rest = c[kWords - 1];
  for (int i = kWords - 2; i >= 1; --i) rest = MulAdd(rest, distance, c[i]);
  rest = MulAdd(rest, distance, BitCast(d, ShiftLeft<4 * sizeof(T)>(BitCast(du, c[kWords - 1]))));
  if constexpr (!kRoot) return {centre, c[0], rest};

  const RowRoot<T>& root = rows.root;
  const auto u = Sub(point.t, Set(d, root.at));
  auto all_u = u;
  if constexpr (kLow) all_u = Add(u, point.low);
  const auto slope = Set(d, root.slope), curve = Set(d, root.curve), chord = MulAdd(curve, all_u, slope);
  auto p = Set(d, root.series[kSeries - 1]);
  for (int i = kSeries - 2; i >= 0; --i) p = MulAdd(p, all_u, Set(d, root.series[i]));
  const auto chord_low = Add(MulAdd(curve, all_u, Sub(slope, chord)), Set(d, root.low));
  auto value = Set(d, root.value);
  if constexpr (kLow) value = MulAdd(chord, point.low, value);
  const auto product = Mul(u, chord), product_lost = NegMulAdd(u, chord, product);
  const auto low = Sub(MulAdd(MulAdd(p, all_u, chord_low), all_u, value), product_lost);
  const auto near = Lt(Abs(u), Set(d, root.radius));
  return {centre, IfThenElse(near, product, c[0]), IfThenElse(near, low, rest)};
}

// Where t is a sum, so near to a root that `value` and what is left of t cancel.
template <class D, class T>
GELU_INLINE MaskOf<D> NextToRoot(D d, const Rows<T>& rows, const RowPoint<D>& p) {
  return Lt(Abs(Sub(p.t, Set(d, rows.root.at))), Set(d, RowLane<T>::kNext));
}

// Results beyond the rows are not decided, but for those that tend to x or 1.
template <bool kBothSides, class D, class T>
GELU_INLINE MaskOf<D> BeyondRows(D d, const Rows<T>& rows, const RowPoint<D>& p) {
  const RebindToSigned<D> di;
  const auto beyond = Eq(p.t, Set(d, rows.end));
  if constexpr (kBothSides) return beyond;
  return And(beyond, RebindMask(d, Lt(BitCast(di, p.x), Zero(di))));
}

// Is t a sum?
template <class Alpha, class Input>
inline constexpr bool kHasLow = kHasAlpha<Alpha> || kIsSum<Input>;

template <int kOrder, class Alpha, class Input, class D, class T>
GELU_INLINE MaskOf<D> UndecidedByRow(D d, const Rows<T>& rows, const RowPoint<D>& p) {
  auto undecided = Lt(Zero(d), Zero(d));  // none
  if constexpr (!RowLane<T>::kComplete) undecided = BeyondRows<kOrder == 2>(d, rows, p);
  if constexpr (kHasLow<Alpha, Input> && kOrder != 0) undecided = Or(undecided, NextToRoot(d, rows, p));
  return undecided;
}

// f (kOrder 0), f' (1) or f'' (2).
template <int kOrder, class D, class T, class Alpha, class Input, class Bits>
GELU_INLINE Vec<D> RowValue(D d, const Rows<T>& rows, const Alpha& alpha, const Bits* offset, Input in,
                            MaskOf<D>* undecided) {
  constexpr bool kAlpha = kHasAlpha<Alpha>;
  const RowPoint<D> p = MakeRowPoint(d, rows, alpha, in);
  const RowSum<D> s = SumOfRow<kOrder != 0, kHasLow<Alpha, Input>>(d, rows, offset, p);
  *undecided = UndecidedByRow<kOrder, Alpha, Input>(d, rows, p);

  const auto zero = Zero(d), scale = Set(d, static_cast<T>(0x1p-64));
  auto low = s.low;
  auto half = zero, low_base = zero;  // of order 0
  if constexpr (kOrder == 0) {
    half = IfThenElseZero(Lt(s.centre, Set(d, rows.halves)), Set(d, T{0.5}));
    // The low part of the base joins that of the row.
    if constexpr (kIsSum<Input>) {
      low_base = NegMulAdd(half, p.size_low, IfNegativeThenElse(p.x, zero, p.size_low));
      low_base = Mul(low_base, Set(d, static_cast<T>(0x1p64)));
      if constexpr (!kAlpha) low = Sub(low, low_base);
    }
  }
  auto sum = Add(s.high, low);
  if constexpr (kAlpha && kOrder != 1) {
    const auto [factor_high, factor_low] = kOrder == 0 ? alpha.inverse : alpha.size;
    const auto factor = Set(d, factor_high);
    auto rest = MulAdd(s.high, Set(d, factor_low), Mul(low, factor));
    if constexpr (kIsSum<Input>) rest = Sub(rest, low_base);
    sum = MulAdd(s.high, factor, rest);
  }
  if constexpr (kOrder == 0) {
    // -0, not 0: f(x) has the sign of x, however small it is.
    const auto base = NegMulAdd(half, p.size, IfNegativeThenElse(p.x, Set(d, -T{0}), p.x));
    return TurnedBy(d, alpha, NegMulAdd(sum, scale, base));
  } else if constexpr (kOrder == 1) {
    return MulAdd(sum, IfNegativeThenElse(p.x, scale, Neg(scale)), IfNegativeThenElse(p.x, zero, Set(d, T{1})));
  } else if constexpr (kAlpha) {
    return Mul(sum, Set(d, std::copysign(static_cast<T>(0x1p-64), alpha.sign)));
  } else {
    return Mul(sum, scale);
  }
}

// Is |v| above the limit, or v infinite or NaN?
template <class D, class T>
GELU_INLINE MaskOf<D> IsAbove(D d, Vec<D> v, T limit) {
  const RebindToSigned<D> di;
  return RebindMask(d, Lt(BitCast(di, Set(d, limit)), BitCast(di, Abs(v))));
}

// A derivative as a sum: high + low, times 2^64 but in order 0; `small` are those that are too small to have a low
// part, `zero` those that are exactly zero.
template <class D>
struct RowNumber {
  Vec<D> high, low;
  MaskOf<D> small, zero;
};

template <int kOrder, class D, class T, class Alpha, class Input, class Bits>
GELU_INLINE RowNumber<D> RowNumberAt(D d, const Rows<T>& rows, const Alpha& alpha, const Bits* offset, Input in,
                                     MaskOf<D>* undecided) {
  constexpr bool kAlpha = kHasAlpha<Alpha>;
  const RebindToUnsigned<D> du;
  const RebindToSigned<D> di;
  const auto huge = IsAbove(d, in.x, RowLane<T>::kHuge);
  if constexpr (kOrder == 0) in.x = IfThenElse(huge, Zero(d), in.x);  // the difference of infinities is none
  const RowPoint<D> p = MakeRowPoint(d, rows, alpha, in);
  const RowSum<D> s = SumOfRow<kOrder != 0, kHasLow<Alpha, Input>>(d, rows, offset, p);
  *undecided = UndecidedByRow<kOrder, Alpha, Input>(d, rows, p);
  if constexpr (kOrder == 0) *undecided = Or(*undecided, huge);
  // There, f64 rows are good to 1 ULP and no more.
  if constexpr (kOrder != 0 && !RowLane<T>::kComplete) *undecided = Or(*undecided, NextToRoot(d, rows, p));

  auto high = s.high, low = s.low;
  if constexpr (kAlpha && kOrder != 1) {
    const auto [factor_high, factor_low] = kOrder == 0 ? alpha.inverse : alpha.size;
    const auto factor = Set(d, factor_high), product = Mul(high, factor);
    const auto lost = NegMulAdd(high, factor, product);
    low = Sub(MulAdd(high, Set(d, factor_low), Mul(low, factor)), lost);
    high = product;
  }
  const auto is_below = [&](Vec<D> v, T limit) {
    return RebindMask(d, Lt(BitCast(di, Abs(v)), BitCast(di, Set(d, limit))));
  };
  const auto none = Lt(Zero(d), Zero(d));
  if constexpr (kOrder == 2) {
    return {TurnedBy(d, alpha, high), TurnedBy(d, alpha, low), is_below(high, RowLane<T>::kSmall), none};
  }
  // base - (high + low), or in order 1 for z < 0 the sum itself.
  Vec<D> base;
  if constexpr (kOrder == 0) {
    static_assert(!kIsSum<Input>);
    const auto scale = Set(d, static_cast<T>(0x1p-64));
    const auto half = IfThenElseZero(Lt(s.centre, Set(d, rows.halves)), Set(d, T{0.5}));
    base = NegMulAdd(half, p.size, IfNegativeThenElse(p.x, Set(d, -T{0}), p.x));
    high = Neg(Mul(high, scale));
    low = Neg(Mul(low, scale));
  } else {
    base = IfNegativeThenElse(p.x, Zero(d), Set(d, static_cast<T>(0x1p64)));
    const auto turn = AndNot(BitCast(du, p.x), BitCast(du, Set(d, -T{0})));
    high = BitCast(d, Xor(BitCast(du, high), turn));
    low = BitCast(d, Xor(BitCast(du, low), turn));
  }
  const auto sum = Add(base, high);
  const auto rest = Add(Sub(high, Sub(sum, base)), low);
  if constexpr (kOrder == 0) {
    return {TurnedBy(d, alpha, sum), TurnedBy(d, alpha, rest), is_below(sum, RowLane<T>::kSmallValue),
            RebindMask(d, Eq(BitCast(di, Abs(in.x)), Zero(di)))};
  }
  return {sum, rest, is_below(sum, RowLane<T>::kSmall), none};
}

// number * (factor + factor_low). Undecided, and left to the wide way, where the factor is huge, infinite or NaN, or
// the number or the product tiny: rows are good to 1 ULP, not to so many bits. A zero factor is exactly zero.
template <int kOrder, bool kFactorIsSum, class D>
GELU_INLINE Vec<D> RowProduct(D d, const RowNumber<D>& number, Vec<D> factor, Vec<D> factor_low, MaskOf<D>* undecided) {
  using T = LaneOf<D>;
  const RebindToUnsigned<D> du;
  const RebindToSigned<D> di;
  constexpr T kMost = RowLane<T>::kHuge * (kOrder == 2 ? T{0x1p-20} : T{1});  // f'' has alpha in it
  const auto huge = Lt(BitCast(di, Set(d, kMost)), BitCast(di, Abs(factor)));
  const auto safe = IfThenElse(RebindMask(d, huge), Zero(d), factor);
  auto rest = Mul(safe, number.low);
  if constexpr (kFactorIsSum) {
    rest = MulAdd(IfThenElse(RebindMask(d, huge), Zero(d), factor_low), number.high, rest);
  }
  auto product = MulAdd(safe, number.high, rest);
  if constexpr (kOrder != 0) product = Mul(product, Set(d, static_cast<T>(0x1p-64)));
  const auto tiny =
      Or(RebindMask(d, Lt(BitCast(di, Abs(product)), BitCast(di, Set(d, RowLane<T>::kTiny)))), number.small);
  const auto zero = Or(RebindMask(d, Eq(BitCast(di, Abs(factor)), Zero(di))), number.zero);
  *undecided = Or(*undecided, Or(RebindMask(d, huge), And(tiny, Not(zero))));
  // A sum of parts has lost the sign of a zero. Only a derivative's may lie in the low part.
  const auto signed_number = kOrder == 0 ? number.high : Add(number.high, number.low);
  const auto sign = And(Xor(BitCast(du, factor), BitCast(du, signed_number)), BitCast(du, Set(d, -T{0})));
  return BitCast(d, Or(BitCast(du, Abs(product)), sign));
}

GELU_END
#endif  // toggled guard
