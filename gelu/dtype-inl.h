// SPDX-License-Identifier: Apache-2.0
// How memory becomes lanes and back. Rounding and NaN rules live only here: every result is rounded once, to nearest
// even; every NaN leaves as the canonical quiet NaN.
//
// Load and Store are for f64 lanes. A type that also has results in f32 lanes, less than 1 ULP of f32 away from the
// exact ones, reads them by LoadSingle and has their bits by SingleToBits. Lanes that are no number get NaN. With
// kRoundsOnce, lanes in which the error might change the rounded result are marked as undecided.
#if defined(GELU_DTYPE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_DTYPE_INL_H_
#undef GELU_DTYPE_INL_H_
#else
#define GELU_DTYPE_INL_H_
#endif
#include "gelu/dtype16-inl.h"
#include "gelu/unrounded-inl.h"

GELU_BEGIN

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
  static constexpr uint32_t kNan = 0x7fc00000;
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

  template <class D>
  static GELU_INLINE Vec<D> LoadSingle(D d, const T* p) {
    return LoadU(d, p);
  }
  template <bool kRoundsOnce, class D, class V, class M>
  static GELU_INLINE Vec<RebindToUnsigned<D>> SingleToBits(D, V v, M number, M*) {
    const RebindToUnsigned<D> du;
    return IfThenElse(RebindMask(du, number), BitCast(du, v), Set(du, kNan));
  }
  template <class DU>
  static GELU_INLINE Vec<DU> LoadBits(DU, const T* p) {
    return BitCast(DU(), LoadU(Rebind<float, DU>(), p));
  }
  template <class DU>
  static GELU_INLINE void StoreBits(DU, Vec<DU> bits, T* p) {
    const Rebind<float, DU> df;
    StoreU(BitCast(df, bits), df, p);
  }
};

template <class...>
struct List {};
using Dtypes = List<F64, F32, F16, BF16>;  // in the order of GELU_DTYPES

GELU_END
#endif  // toggled guard
