// SPDX-License-Identifier: Apache-2.0
// The 16-bit formats, with kMantissa explicit bits and the given exponent bias, in f64 and in f32 lanes. For f16, some
// processors have the conversions.
#if defined(GELU_DTYPE16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_DTYPE16_INL_H_
#undef GELU_DTYPE16_INL_H_
#else
#define GELU_DTYPE16_INL_H_
#endif
#include "gelu/unrounded-inl.h"

GELU_BEGIN

// A lane's own format.
template <class Lane>
struct LaneFormat;
template <>
struct LaneFormat<double> {
  using Bits = uint64_t;
  static constexpr int kMantissa = 52, kBias = 1023;
};
template <>
struct LaneFormat<float> {
  using Bits = uint32_t;
  static constexpr int kMantissa = 23, kBias = 127;
};

// The bits of 0 <= magnitude, not NaN, rounded to nearest even; from f64 the magnitude must be rounded to odd.
template <class Lane, int kMantissa, int kBias, class D>
GELU_INLINE Vec<RebindToUnsigned<D>> Round16(D d, Vec<D> magnitude) {
  using From = LaneFormat<Lane>;
  using Bits = typename From::Bits;
  const RebindToUnsigned<D> du;
  constexpr int kDrop = From::kMantissa - kMantissa;
  const auto power = [&](int exponent) {
    return BitCast(d, Set(du, static_cast<Bits>(From::kBias + exponent) << From::kMantissa));
  };
  // Subnormal results: the sum's last bit is worth the smallest subnormal.
  const auto unit = power(1 - kBias - kMantissa + From::kMantissa);
  const auto subnormal = Sub(BitCast(du, Add(magnitude, unit)), BitCast(du, unit));
  const auto bits = BitCast(du, magnitude);
  const auto tie = And(ShiftRight<kDrop>(bits), Set(du, Bits{1}));
  const auto rounded = ShiftRight<kDrop>(Add(bits, Add(tie, Set(du, (Bits{1} << (kDrop - 1)) - 1))));
  const auto normal = Sub(rounded, Set(du, static_cast<Bits>(From::kBias - kBias) << kMantissa));
  const auto finite = IfThenElse(RebindMask(du, Lt(magnitude, power(1 - kBias))), subnormal, normal);
  const auto infinity = Set(du, (Bits{2} * kBias + 1) << kMantissa);
  return IfThenElse(RebindMask(du, Lt(magnitude, power(kBias + 1))), finite, infinity);
}

template <int kMantissa, int kBias>
struct Format16 {
  using T = uint16_t;
  static constexpr uint16_t kNan = ((2 * kBias + 1) << kMantissa) | (1 << (kMantissa - 1));

  // The bits of v, rounded to nearest even.
  template <class D>
  static GELU_INLINE Vec<RebindToUnsigned<D>> Round(D d, Vec<D> v) {
    const RebindToUnsigned<D> du;
    using Bits = typename LaneFormat<LaneOf<D>>::Bits;
    const auto sign = ShiftLeft<15>(ShiftRight<8 * sizeof(Bits) - 1>(BitCast(du, v)));
    const auto number = Eq(v, v);
    const auto rounded = Round16<LaneOf<D>, kMantissa, kBias>(d, IfThenElse(number, Abs(v), Zero(d)));
    return IfThenElse(RebindMask(du, number), Or(sign, rounded), Set(du, Bits{kNan}));
  }
  template <class D>
  static GELU_INLINE void Store(D d, Unrounded<D> y, T* p) {
    const auto bits = Round(d, RoundToOdd(d, y));
    // As a double in [0, 2^16), since integers narrow to 16 bits only through it on every target.
    const auto exact = Sub(BitCast(d, Or(bits, BitCast(RebindToUnsigned<D>(), Set(d, 0x1p52)))), Set(d, 0x1p52));
    const Rebind<int32_t, D> di32;
    const Rebind<uint16_t, D> du16;
    StoreU(DemoteTo(du16, DemoteTo(di32, exact)), du16, p);
  }

  template <class DU>
  static GELU_INLINE Vec<DU> LoadBits(DU du, const T* p) {
    return PromoteTo(du, LoadU(Rebind<uint16_t, DU>(), p));
  }
  template <class DU>
  static GELU_INLINE void StoreBits(DU, Vec<DU> bits, T* p) {
    const Rebind<uint16_t, DU> du16;
    const RebindToSigned<DU> di;
    StoreU(DemoteTo(du16, BitCast(di, bits)), du16, p);
  }
};

struct BF16 : Format16<7, 127> {
  template <class D>
  static GELU_INLINE Vec<D> Load(D d, const T* p) {
    return PromoteTo(d, LoadLanes(Rebind<float, D>(), p));
  }
  template <class D>
  static GELU_INLINE Vec<D> LoadLanes(D d, const T* p) {
    return BitCast(d, ShiftLeft<16>(LoadBits(RebindToUnsigned<D>(), p)));
  }
  // The bits of f32 with half of them dropped; undecided in a tie.
  template <bool kRoundsOnce, class D, class V, class M>
  static GELU_INLINE Vec<RebindToUnsigned<D>> LanesToBits(D d, V v, M number, M* undecided) {
    const RebindToUnsigned<D> du;
    const auto bits = BitCast(du, v);
    const auto odd = And(ShiftRight<16>(bits), Set(du, 1u));
    const auto rounded = ShiftRight<16>(Add(bits, Add(odd, Set(du, 0x7fffu))));
    if constexpr (kRoundsOnce) {
      *undecided = Or(*undecided, RebindMask(d, Eq(ShiftLeft<16>(bits), Set(du, 0x80000000u))));
    }
    return IfThenElse(RebindMask(du, number), rounded, Set(du, uint32_t{kNan}));
  }
};

struct F16 : Format16<10, 15> {
  template <class D>
  static GELU_INLINE Vec<D> Load(D d, const T* p) {
    return PromoteTo(d, LoadLanes(Rebind<float, D>(), p));
  }
  // Undecided: where 1 ULP less and 1 ULP more would be rounded to different numbers.
  template <bool kRoundsOnce, class D, class V, class M>
  static GELU_INLINE auto LanesToBits(D d, V v, M number, M* undecided) {
    const V result = IfThenElse(number, v, BitCast(d, Set(RebindToUnsigned<D>(), 0x7fc00000u)));
    if constexpr (kRoundsOnce) {
      const auto less = RoundLanes(d, Mul(result, Set(d, 1 - 0x1p-23f)));
      const auto more = RoundLanes(d, Mul(result, Set(d, 1 + 0x1p-23f)));
      *undecided = Or(*undecided, Not(RebindMask(d, Same(d, less, more))));
      return less;
    } else {
      return RoundLanes(d, result);
    }
  }

#if defined(GELU_HALF_CONVERSIONS)
  // The processor converts exactly, and rounds to nearest even, subnormals too.
  template <class D>
  static GELU_INLINE Vec<D> LoadLanes(D d, const T* p) {
    return PromoteTo(d, BitCast(Rebind<hwy::float16_t, D>(), LoadU(Rebind<uint16_t, D>(), p)));
  }
  template <class D>
  static GELU_INLINE Vec<Rebind<uint16_t, D>> RoundLanes(D, Vec<D> v) {
    return BitCast(Rebind<uint16_t, D>(), DemoteTo(Rebind<hwy::float16_t, D>(), v));
  }
  template <class D>
  static GELU_INLINE auto Same(D, Vec<Rebind<uint16_t, D>> a, Vec<Rebind<uint16_t, D>> b) {
    const RebindToUnsigned<D> du;
    return Eq(PromoteTo(du, Xor(a, b)), Zero(du));
  }
  template <class DU>
  static GELU_INLINE void StoreBits(DU, Vec<Rebind<uint16_t, DU>> bits, T* p) {
    StoreU(bits, Rebind<uint16_t, DU>(), p);
  }
#else
  template <class D>
  static GELU_INLINE Vec<D> LoadLanes(D d, const T* p) {
    const RebindToUnsigned<D> du;
    const RebindToSigned<D> di;
    const auto bits = LoadBits(du, p);
    const auto magnitude = And(bits, Set(du, 0x7fffu));
    const auto sign = ShiftLeft<16>(Xor(bits, magnitude));
    // The exponent is rebased by a multiplication, which subnormals survive; infinity and NaN get theirs by hand.
    const auto moved = ShiftLeft<13>(magnitude);
    const auto scaled = Mul(BitCast(d, moved), Set(d, 0x1p112f));
    const auto finite = Lt(BitCast(di, magnitude), Set(di, 0x7c00));
    const auto special = Or(moved, Set(du, 0x7f800000u));
    const auto value = IfThenElse(RebindMask(du, finite), BitCast(du, scaled), special);
    return BitCast(d, Or(value, sign));
  }
  template <class D>
  static GELU_INLINE Vec<RebindToUnsigned<D>> RoundLanes(D d, Vec<D> v) {
    return Round(d, v);
  }
  template <class D>
  static GELU_INLINE auto Same(D, Vec<RebindToUnsigned<D>> a, Vec<RebindToUnsigned<D>> b) {
    return Eq(a, b);
  }
#endif
};

GELU_END
#endif  // toggled guard
