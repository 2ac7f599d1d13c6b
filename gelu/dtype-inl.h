// SPDX-License-Identifier: Apache-2.0
// How memory becomes f64 lanes and back. Rounding and NaN rules live only here: every result is rounded once, to
// nearest even, from an unevaluated sum; every NaN leaves as the canonical quiet NaN.
#if defined(GELU_DTYPE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_DTYPE_INL_H_
#undef GELU_DTYPE_INL_H_
#else
#define GELU_DTYPE_INL_H_
#endif
#include "gelu/core/exp-inl.h"

GELU_BEGIN

// The result (value.hi + value.lo) * scale1 * scale2 before its one rounding; the scales are powers of two.
template <class D>
struct Unrounded {
  Pair<Vec<D>> value;
  Vec<D> scale1, scale2;
};

// Rounds to double.
template <class D>
GELU_INLINE Vec<D> RoundToNearest(Unrounded<D> y) {
  return Mul(Mul(y.value.hi, y.scale1), y.scale2);
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
  return Mul(Mul(value, y.scale1), y.scale2);
}

// The bits of |v|, which is rounded to odd, in a 16-bit format with kMantissa explicit bits and the given exponent
// bias; 0 <= |v|, not NaN.
template <int kMantissa, int kBias, class D>
GELU_INLINE Vec<RebindToUnsigned<D>> Round16(D d, Vec<D> magnitude) {
  const RebindToUnsigned<D> du;
  constexpr int kDrop = 52 - kMantissa;
  constexpr uint64_t kInfinity = (uint64_t{2} * kBias + 1) << kMantissa;
  // Subnormal results: the sum's last bit is worth the smallest subnormal.
  const auto unit = BitCast(d, Set(du, static_cast<uint64_t>(1023 + 1 - kBias - kMantissa + 52) << 52));
  const auto subnormal = Sub(BitCast(du, Add(magnitude, unit)), BitCast(du, unit));
  const auto bits = BitCast(du, magnitude);
  const auto tie = And(ShiftRight<kDrop>(bits), Set(du, 1u));
  const auto rounded = ShiftRight<kDrop>(Add(bits, Add(tie, Set(du, (uint64_t{1} << (kDrop - 1)) - 1))));
  const auto normal = Sub(rounded, Set(du, static_cast<uint64_t>(1023 - kBias) << kMantissa));
  const auto smallest = BitCast(d, Set(du, static_cast<uint64_t>(1023 + 1 - kBias) << 52));
  const auto overflow = BitCast(d, Set(du, static_cast<uint64_t>(1023 + kBias + 1) << 52));
  const auto finite = IfThenElse(RebindMask(du, Lt(magnitude, smallest)), subnormal, normal);
  return IfThenElse(RebindMask(du, Lt(magnitude, overflow)), finite, Set(du, kInfinity));
}

template <int kMantissa, int kBias, class D>
GELU_INLINE void Store16(D d, Unrounded<D> y, uint16_t* p) {
  const RebindToUnsigned<D> du;
  constexpr uint64_t kNan = ((uint64_t{2} * kBias + 1) << kMantissa) | (uint64_t{1} << (kMantissa - 1));
  const auto v = RoundToOdd(d, y);
  const auto sign = ShiftLeft<15>(ShiftRight<63>(BitCast(du, v)));
  const auto number = Eq(v, v);
  const auto magnitude = IfThenElse(number, Abs(v), Zero(d));
  const auto bits =
      IfThenElse(RebindMask(du, number), Or(sign, Round16<kMantissa, kBias>(d, magnitude)), Set(du, kNan));
  // As a double in [0, 2^16), since integers narrow to 16 bits only through it on every target.
  const auto exact = Sub(BitCast(d, Or(bits, BitCast(du, Set(d, 0x1p52)))), Set(d, 0x1p52));
  const Rebind<int32_t, D> di32;
  const Rebind<uint16_t, D> du16;
  StoreU(DemoteTo(du16, DemoteTo(di32, exact)), du16, p);
}

struct F64 {
  using T = double;
  template <class D>
  static GELU_INLINE Vec<D> Load(D d, const T* p) {
    return LoadU(d, p);
  }
  template <class D>
  static GELU_INLINE void Store(D d, Unrounded<D> y, T* p) {
    const auto v = RoundToNearest(y);
    StoreU(IfThenElse(Eq(v, v), v, BitCast(d, Set(RebindToUnsigned<D>(), uint64_t{0x7ff8} << 48))), d, p);
  }
};

struct F32 {
  using T = float;
  template <class D>
  static GELU_INLINE Vec<D> Load(D d, const T* p) {
    return PromoteTo(d, LoadU(Rebind<float, D>(), p));
  }
  template <class D>
  static GELU_INLINE void Store(D d, Unrounded<D> y, T* p) {
    const Rebind<float, D> df;
    const auto v = DemoteTo(df, RoundToOdd(d, y));
    StoreU(IfThenElse(Eq(v, v), v, BitCast(df, Set(Rebind<uint32_t, D>(), 0x7fc00000u))), df, p);
  }
};

struct F16 {
  using T = uint16_t;
  template <class D>
  static GELU_INLINE Vec<D> Load(D d, const T* p) {
    const Rebind<uint32_t, D> du;
    const Rebind<float, D> df;
    const auto bits = PromoteTo(du, LoadU(Rebind<uint16_t, D>(), p));
    const auto magnitude = And(bits, Set(du, 0x7fffu));
    const auto sign = ShiftLeft<16>(Xor(bits, magnitude));
    // The exponent is rebased by a multiplication, which subnormals survive; infinity and NaN get theirs by hand.
    const auto finite = BitCast(du, Mul(BitCast(df, ShiftLeft<13>(magnitude)), Set(df, 0x1p112f)));
    const auto special = Or(ShiftLeft<13>(magnitude), Set(du, 0x7f800000u));
    const auto value = IfThenElse(RebindMask(du, Lt(BitCast(df, finite), Set(df, 65536.0f))), finite, special);
    return PromoteTo(d, BitCast(df, Or(value, sign)));
  }
  template <class D>
  static GELU_INLINE void Store(D d, Unrounded<D> y, T* p) {
    Store16<10, 15>(d, y, p);
  }
};

struct BF16 {
  using T = uint16_t;
  template <class D>
  static GELU_INLINE Vec<D> Load(D d, const T* p) {
    const Rebind<uint32_t, D> du;
    const Rebind<float, D> df;
    return PromoteTo(d, BitCast(df, ShiftLeft<16>(PromoteTo(du, LoadU(Rebind<uint16_t, D>(), p)))));
  }
  template <class D>
  static GELU_INLINE void Store(D d, Unrounded<D> y, T* p) {
    Store16<7, 127>(d, y, p);
  }
};

template <class...>
struct List {};
using Dtypes = List<F64, F32, F16, BF16>;  // in the order of GELU_DTYPES

GELU_END
#endif  // toggled guard
