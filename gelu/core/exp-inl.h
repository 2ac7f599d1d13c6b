// SPDX-License-Identifier: Apache-2.0
// exp(-u) for 0 <= u < 1500, as a pair and a power of two, with a relative error below 2^-64.
#if defined(GELU_CORE_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_EXP_INL_H_
#undef GELU_CORE_EXP_INL_H_
#else
#define GELU_CORE_EXP_INL_H_
#endif
#include "gelu/core/exp_table.h"
#include "gelu/core/pair-inl.h"

GELU_BEGIN

// The number value * 2^-shift. Keeping the power apart lets a product be rounded once, into subnormals too.
template <class D>
struct Scaled {
  Pair<Vec<D>> value;
  Vec<RebindToUnsigned<D>> shift;
};

// 2^-shift, or 0 where that is less.
template <class D>
GELU_INLINE Vec<D> PowerOfHalf(D d, Vec<RebindToUnsigned<D>> wanted) {
  const RebindToUnsigned<D> du;
  const auto shift = Min(wanted, Set(du, 2044u));
  // Two factors, since 2^-shift itself may be subnormal.
  const auto half = ShiftRight<1>(shift);
  const auto a = BitCast(d, ShiftLeft<52>(Sub(Set(du, 1023u), half)));
  const auto b = BitCast(d, ShiftLeft<52>(Sub(Set(du, 1023u), Sub(shift, half))));
  return Mul(a, b);
}

// The nearest integer to v in [0, 2^50), as a double and as an integer.
template <class D>
struct Nearest {
  Vec<D> value;
  Vec<RebindToUnsigned<D>> index;
};
template <class D>
GELU_INLINE Nearest<D> NearestInteger(D d, Vec<D> v) {
  const RebindToUnsigned<D> du;
  const auto magic = Set(d, 0x1.8p52);  // its last bit is worth 1
  const auto sum = Add(v, magic);
  return {Sub(sum, magic), And(BitCast(du, sum), Set(du, (uint64_t{1} << 51) - 1))};
}

// u = n log(2)/64 + r, n = 64 k + j:  exp(-u) = 2^-k 2^(-j/64) exp(-r), |r| < 2^-7.5.
template <class D>
GELU_INLINE Scaled<D> ExpNegative(D d, Pair<Vec<D>> u) {
  using V = Vec<D>;
  const RebindToUnsigned<D> du;
  const auto n = NearestInteger(d, Mul(u.hi, Set(d, kExpInverseStep)));
  // The first difference is exact: both terms are multiples of the last bit of the smaller one.
  const V reduced = NegMulAdd(n.value, Set(d, kExpStepHigh), u.hi);
  const Pair<V> r = TwoSum(reduced, NegMulAdd(n.value, Set(d, kExpStepLow), u.lo));
  const V s = Neg(r.hi);
  // exp(s) = 1 + s + s^2 (1/2 + s (1/6 + ...)); the first omitted term is below 2^-75.
  V p = MulAdd(s, Set(d, 1.0 / 5040), Set(d, 1.0 / 720));
  p = MulAdd(s, p, Set(d, 1.0 / 120));
  p = MulAdd(s, p, Set(d, 1.0 / 24));
  p = MulAdd(s, p, Set(d, 1.0 / 6));
  p = MulAdd(s, p, Set(d, 0.5));
  const V tail = Sub(Mul(Mul(s, s), p), MulAdd(r.lo, s, r.lo));  // exp(-r) = 1 + s + tail

  alignas(64) uint64_t offset[kMaxLanes];
  StoreU(ShiftLeft<4>(And(n.index, Set(du, 63u))), du, offset);
  V power[2];
  LoadRowPairs(d, kExpTable, offset, power);
  const V hi = power[0], lo = power[1];
  const Pair<V> product = TwoProduct(hi, s);
  const Pair<V> sum = Normal(hi, product.hi);
  const V rest = Add(product.lo, MulAdd(hi, tail, MulAdd(lo, s, lo)));
  return {Normal(sum.hi, Add(sum.lo, rest)), ShiftRight<6>(n.index)};
}

GELU_END
#endif  // toggled guard
