// SPDX-License-Identifier: Apache-2.0
// How memory becomes lanes and back. Rounding and NaN rules live only here: every result is rounded once, to nearest
// even; every NaN leaves as the canonical quiet NaN.
//
// Load and Store are for f64 lanes and results that are still to be rounded. Results less than 1 ULP of a Lane away
// from the exact ones are made from what LoadLanes reads, and their bits by LanesToBits, in which lanes that are no
// number get NaN. With kRoundsOnce, lanes in which the error might change the rounded result are marked as undecided.
// Rows of such a result leave none undecided where kRowsDecide says so.
#if defined(GELU_DTYPE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_DTYPE_INL_H_
#undef GELU_DTYPE_INL_H_
#else
#define GELU_DTYPE_INL_H_
#endif
#include "gelu/dtype16-inl.h"
#include "gelu/unrounded-inl.h"

GELU_BEGIN

// A type that is its own lane.
template <class Number, class Bits, Bits kCanonicalNan>
struct OwnLane {
  using T = Number;
  using Lane = Number;
  static constexpr Bits kNan = kCanonicalNan;
  template <class D>
  static GELU_INLINE Vec<D> LoadLanes(D d, const T* p) {
    return LoadU(d, p);
  }
  template <bool kRoundsOnce, class D, class V, class M>
  static GELU_INLINE Vec<RebindToUnsigned<D>> LanesToBits(D, V v, M number, M*) {
    const RebindToUnsigned<D> du;
    return IfThenElse(RebindMask(du, number), BitCast(du, v), Set(du, kNan));
  }
  template <class DU>
  static GELU_INLINE Vec<DU> LoadBits(DU, const T* p) {
    return BitCast(DU(), LoadU(Rebind<T, DU>(), p));
  }
  template <class DU>
  static GELU_INLINE void StoreBits(DU, Vec<DU> bits, T* p) {
    const Rebind<T, DU> d;
    StoreU(BitCast(d, bits), d, p);
  }
};

struct F64 : OwnLane<double, uint64_t, uint64_t{0x7ff8} << 48> {
  static constexpr bool kRowsDecide = false;
  template <class D>
  static GELU_INLINE Vec<D> Load(D d, const T* p) {
    return LoadU(d, p);
  }
  template <class D>
  static GELU_INLINE void Store(D d, Unrounded<D> y, T* p) {
    const auto v = RoundToNearest(y);
    StoreU(IfThenElse(Eq(v, v), v, BitCast(d, Set(RebindToUnsigned<D>(), kNan))), d, p);
  }
};

struct F32 : OwnLane<float, uint32_t, 0x7fc00000> {
  static constexpr bool kRowsDecide = true;
  template <class D>
  static GELU_INLINE Vec<D> Load(D d, const T* p) {
    return PromoteTo(d, LoadU(Rebind<float, D>(), p));
  }
  template <class D>
  static GELU_INLINE void Store(D d, Unrounded<D> y, T* p) {
    const Rebind<float, D> df;
    const auto v = DemoteTo(df, RoundToOdd(d, y));
    StoreU(IfThenElse(Eq(v, v), v, BitCast(df, Set(Rebind<uint32_t, D>(), kNan))), df, p);
  }
};

template <class...>
struct List {};
using Dtypes = List<F64, F32, F16, BF16>;  // in the order of GELU_DTYPES

GELU_END
#endif  // toggled guard
