// SPDX-License-Identifier: Apache-2.0
// The 16-bit formats, with kMantissa explicit bits and the given exponent bias, in f64 and in f32 lanes.
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
  using Lane = float;
  static constexpr bool kRowsDecide = false;
  static constexpr uint16_t kNan = ((2 * kBias + 1) << kMantissa) | (1 << (kMantissa - 1));

  template <class D>
  static GELU_INLINE Vec<D> Load(D d, const T* p) {
    return PromoteTo(d, LoadLanes(Rebind<float, D>(), p));
  }
  template <class D>
  static GELU_INLINE void Store(D d, Unrounded<D> y, T* p) {
    const RebindToUnsigned<D> du;
    const auto v = RoundToOdd(d, y);
    const auto sign = ShiftLeft<15>(ShiftRight<63>(BitCast(du, v)));
    const auto number = Eq(v, v);
    const auto magnitude = IfThenElse(number, Abs(v), Zero(d));
    const auto rounded = Round16<double, kMantissa, kBias>(d, magnitude);
    const auto bits = IfThenElse(RebindMask(du, number), Or(sign, rounded), Set(du, uint64_t{kNan}));
    // As a double in [0, 2^16), since integers narrow to 16 bits only through it on every target.
    const auto exact = Sub(BitCast(d, Or(bits, BitCast(du, Set(d, 0x1p52)))), Set(d, 0x1p52));
    const Rebind<int32_t, D> di32;
    const Rebind<uint16_t, D> du16;
    StoreU(DemoteTo(du16, DemoteTo(di32, exact)), du16, p);
  }

  template <class D>
  static GELU_INLINE Vec<D> LoadLanes(D d, const T* p) {
    const RebindToUnsigned<D> du;
    const auto bits = LoadBits(du, p);
    if constexpr (kBias == 127) return BitCast(d, ShiftLeft<16>(bits));
    const RebindToSigned<D> di;
    const auto magnitude = And(bits, Set(du, 0x7fffu));
    const auto sign = ShiftLeft<16>(Xor(bits, magnitude));
    // The exponent is rebased by a multiplication, which subnormals survive; infinity and NaN get theirs by hand.
    const auto moved = ShiftLeft<23 - kMantissa>(magnitude);
    const auto scale = BitCast(d, Set(du, static_cast<uint32_t>(127 + 127 - kBias) << 23));
    const auto scaled = Mul(BitCast(d, moved), scale);
    const auto finite = Lt(BitCast(di, magnitude), Set(di, (2 * kBias + 1) << kMantissa));
    const auto special = Or(moved, Set(du, 0x7f800000u));
    const auto value = IfThenElse(RebindMask(du, finite), BitCast(du, scaled), special);
    return BitCast(d, Or(value, sign));
  }
  template <bool kRoundsOnce, class D, class V, class M>
  static GELU_INLINE Vec<RebindToUnsigned<D>> LanesToBits(D d, V v, M number, M* undecided) {
    const RebindToUnsigned<D> du;
    const RebindToSigned<D> di;
    constexpr int kDrop = 23 - kMantissa;
    constexpr uint32_t kTie = 1u << (kDrop - 1);
    // With the exponent rebased, subnormals of the format are those of f32, which end where they should; what the
    // multiplication rounds away there costs the result 1 ULP. Too large a magnitude is infinity's.
    V magnitude = Abs(v);
    if constexpr (kBias != 127) {
      magnitude = Mul(magnitude, BitCast(d, Set(du, static_cast<uint32_t>(kBias) << 23)));
    }
    const auto bits = BitCast(du, magnitude);
    const auto odd = And(ShiftRight<kDrop>(bits), Set(du, 1u));
    auto rounded = ShiftRight<kDrop>(Add(bits, Add(odd, Set(du, kTie - 1))));
    if constexpr (kBias != 127) rounded = Min(rounded, Set(du, (2u * kBias + 1) << kMantissa));
    if constexpr (kRoundsOnce) {
      // How far the dropped bits are from a tie, plus kSlack.
      constexpr uint32_t kSlack = kBias == 127 ? 0 : 1;
      const auto distance = And(Sub(bits, Set(du, kTie - kSlack)), Set(du, 2 * kTie - 1));
      *undecided = Or(*undecided, RebindMask(d, Lt(BitCast(di, distance), Set(di, 2 * kSlack + 1))));
    }
    const auto sign = ShiftLeft<15>(ShiftRight<31>(BitCast(du, v)));
    return IfThenElse(RebindMask(du, number), Or(sign, rounded), Set(du, uint32_t{kNan}));
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

using F16 = Format16<10, 15>;
using BF16 = Format16<7, 127>;

GELU_END
#endif  // toggled guard
