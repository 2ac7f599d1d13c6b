// SPDX-License-Identifier: Apache-2.0
// A result in f64 lanes before its one rounding.
#if defined(GELU_UNROUNDED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_UNROUNDED_INL_H_
#undef GELU_UNROUNDED_INL_H_
#else
#define GELU_UNROUNDED_INL_H_
#endif
#include "gelu/core/exp-inl.h"

GELU_BEGIN

// The result (value.hi + value.lo) * 2^exponent before its one rounding; the exponent is an integer.
template <class D>
struct Unrounded {
  Pair<Vec<D>> value;
  Vec<D> exponent;
};

// 2^exponent for an integer of at most 1022 in size.
template <class D>
GELU_INLINE Vec<D> PowerOfTwo(D d, Vec<D> exponent) {
  const RebindToUnsigned<D> du;
  return BitCast(d, ShiftLeft<52>(BitCast(du, Add(exponent, Set(d, 0x1p52 + 1023)))));
}

// v * 2^exponent, rounded once.
template <class D>
GELU_INLINE Vec<D> ScaleByPower(D d, Vec<D> v, Vec<D> exponent) {
  const auto most = Set(d, 2040.0), magic = Set(d, 0x1.8p52);
  const auto e = Max(Min(exponent, most), Neg(most));
  const auto half = Sub(MulAdd(e, Set(d, 0.5), magic), magic);
  return Mul(Mul(v, PowerOfTwo(d, half)), PowerOfTwo(d, Sub(e, half)));
}

// Rounds to double.
template <class D>
GELU_INLINE Vec<D> RoundToNearest(D d, Unrounded<D> y) {
  return ScaleByPower(d, y.value.hi, y.exponent);
}

// Rounds to double "to odd": toward zero, and then the last bit is set if anything was lost. A second rounding, to a
// format of at most 51 bits, then gives what rounding the exact value once would have given.
// S. Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums, IEEE Trans. Comput. 57 (2008).
template <class D>
GELU_INLINE Vec<D> RoundToOdd(D d, Unrounded<D> y) {
  const RebindToUnsigned<D> du;
  const auto hi = BitCast(du, y.value.hi), lo = BitCast(du, y.value.lo);
  const auto opposite = ShiftRight<63>(Xor(hi, lo));
  const auto odd = BitCast(d, Or(Sub(hi, opposite), Set(du, 1u)));
  const auto value = IfThenElse(Eq(y.value.lo, Zero(d)), y.value.hi, odd);
  return ScaleByPower(d, value, y.exponent);
}

template <class D, class M>
GELU_INLINE Unrounded<D> Replace(D d, M where, Vec<D> exact, Unrounded<D> y) {
  const auto zero = Zero(d);
  return {IfThenElse(where, Pair<Vec<D>>{exact, zero}, y.value), IfThenElse(where, zero, y.exponent)};
}

// value with the sign of a * b: a sum of parts has lost that of a zero.
template <class D>
GELU_INLINE Vec<D> WithSignOfProduct(D d, Vec<D> value, Vec<D> a, Vec<D> b) {
  const RebindToUnsigned<D> du;
  const auto sign = And(Xor(BitCast(du, a), BitCast(du, b)), Set(du, uint64_t{1} << 63));
  return BitCast(d, Or(BitCast(du, value), sign));
}

// A finite pair as mantissa * 2^exponent, 2 <= |mantissa.hi| < 4 or zero.
template <class D>
struct Parts {
  Pair<Vec<D>> mantissa;
  Vec<D> exponent;
};
template <class D>
GELU_INLINE Parts<D> Decompose(D d, Pair<Vec<D>> v) {
  const RebindToUnsigned<D> du;
  const auto one = Set(d, 1.0), magic = Set(d, 0x1p52);
  const auto tiny = Lt(Abs(v.hi), Set(d, 0x1p-960));
  const auto hi = BitCast(du, Mul(v.hi, IfThenElse(tiny, Set(d, 0x1p64), one)));
  const auto lo = Mul(v.lo, IfThenElse(tiny, Set(d, 0x1p64), one));
  const auto field = And(ShiftRight<52>(hi), Set(du, 0x7ffu));
  const auto power = IfThenElse(Eq(v.hi, Zero(d)), one, BitCast(d, ShiftLeft<52>(Sub(Set(du, 2047u), field))));
  const auto exponent = Sub(BitCast(d, Or(field, BitCast(du, magic))), Set(d, 0x1p52 + 1024));
  return {{Mul(BitCast(d, hi), power), Mul(lo, power)}, Sub(exponent, IfThenElseZero(tiny, Set(d, 64.0)))};
}

// y * factor, however large or small the parts are. What is infinite or NaN follows the rules of an IEEE product.
template <class D>
GELU_INLINE Unrounded<D> Times(D d, Unrounded<D> y, Pair<Vec<D>> factor) {
  using V = Vec<D>;
  const V one = Set(d, 1.0);
  const auto finite_factor = IsFinite(factor.hi), finite = And(IsFinite(y.value.hi), finite_factor);
  const Pair<V> unit = {one, Zero(d)};
  const Parts<D> a = Decompose(d, IfThenElse(finite, y.value, unit));
  const Parts<D> b = Decompose(d, IfThenElse(finite, factor, unit));
  const Pair<V> value = Mul(a.mantissa, b.mantissa);
  const V hi = WithSignOfProduct(d, value.hi, y.value.hi, factor.hi);
  // The lanes that are finite are discarded here, and must not overflow for all that. Masked by `finite` they would:
  // clang drops a mask inside of a selection by the same one.
  const V small = Max(Min(factor.hi, one), Neg(one));
  const V special = Mul(y.value.hi, IfThenElse(finite_factor, small, factor.hi));
  const Unrounded<D> product = {{hi, value.lo}, Add(y.exponent, Add(a.exponent, b.exponent))};
  return Replace(d, Not(finite), special, product);
}

GELU_END
#endif  // toggled guard
