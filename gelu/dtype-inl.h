// SPDX-License-Identifier: Apache-2.0
// How memory becomes lanes and back. Rounding and NaN rules live only here: every result is rounded once, to nearest
// even; every NaN leaves as the canonical quiet NaN.
//
// Load and Store are for f64 lanes and results that are still to be rounded. What f32 lanes hold is less than 1 ULP
// away from the exact result: LoadLanes reads them, and LanesToBits rounds, with kRoundsOnce marking lanes in which the
// error might change the rounded result as undecided.
#if defined(GELU_DTYPE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_DTYPE_INL_H_
#undef GELU_DTYPE_INL_H_
#else
#define GELU_DTYPE_INL_H_
#endif
#include <array>
#include <type_traits>

#include "gelu/dtype16-inl.h"
#include "gelu/undecided-inl.h"
#include "gelu/vectors-inl.h"
#include "gelu/wide_block-inl.h"

GELU_BEGIN

struct F64 {
  using T = double;
  template <class D>
  static GELU_INLINE Vec<D> Load(D d, const T* p) {
    return LoadU(d, p);
  }
  template <class D>
  static GELU_INLINE void Store(D d, Unrounded<D> y, T* p) {
    const auto v = RoundToNearest(d, y);
    StoreU(IfThenElse(Eq(v, v), v, BitCast(d, Set(RebindToUnsigned<D>(), RowFormat<T>::kNan))), d, p);
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
    StoreU(IfThenElse(Eq(v, v), v, BitCast(df, Set(Rebind<uint32_t, D>(), RowFormat<T>::kNan))), df, p);
  }
};

template <class...>
struct List {};
using Dtypes = List<F64, F32, F16, BF16>;  // in the order of GELU_DTYPES

// The same of a block of n elements, whole vectors of them, as function pointers. Null: lanes are the memory itself.
struct DtypeKernels {
  size_t size;
  void (*pad)(const void* from, void* to, size_t n);  // n < a vector's elements, and the last of them again and again
  void (*to_f64)(const void* from, double* to, size_t n);
  void (*to_f32)(const void* from, float* to, size_t n);
  void (*from_result)(const WideResult& from, void* to, size_t n);
  void (*from_f32)(const float* from, void* to, size_t n, Undecided& left);      // rounding as if once
  void (*from_product)(const float* from, void* to, size_t n, Undecided& left);  // rounding what is rounded already
};

template <class T>
GELU_NOINLINE void Pad(const void* from, void* to, size_t n) {
  const Rebind<T, Tag<std::conditional_t<sizeof(T) == 8, double, float>>> d;
  StoreU(LoadFew(d, static_cast<const T*>(from), n), d, static_cast<T*>(to));
}
template <class Dtype>
GELU_NOINLINE void ToF64(const void* from, double* to, size_t n) {
  const Tag<double> d;
  const auto* p = static_cast<const typename Dtype::T*>(from);
  for (size_t i = 0; i < n; i += Lanes(d)) StoreU(Dtype::Load(d, p + i), d, to + i);
}
template <class Dtype>
GELU_NOINLINE void FromResult(const WideResult& from, void* to, size_t n) {
  const Tag<double> d;
  auto* p = static_cast<typename Dtype::T*>(to);
  for (size_t i = 0; i < n; i += Lanes(d)) Dtype::Store(d, LoadResult(d, from, i), p + i);
}
template <class Dtype>
GELU_NOINLINE void ToF32(const void* from, float* to, size_t n) {
  const Tag<float> d;
  const auto* p = static_cast<const typename Dtype::T*>(from);
  for (size_t i = 0; i < n; i += Lanes(d)) StoreU(Dtype::LoadLanes(d, p + i), d, to + i);
}
template <class Dtype, bool kRoundsOnce>
GELU_NOINLINE void FromF32(const float* from, void* to, size_t n, Undecided& left) {
  const Tag<float> d;
  auto* p = static_cast<typename Dtype::T*>(to);
  for (size_t i = 0; i < n; i += Lanes(d)) {
    const auto v = LoadU(d, from + i);
    auto undecided = Lt(Zero(d), Zero(d));  // none
    const auto bits = Dtype::template LanesToBits<kRoundsOnce>(d, v, Eq(v, v), &undecided);
    if constexpr (kRoundsOnce) left.Add(d, undecided, i);
    Dtype::StoreBits(RebindToUnsigned<Tag<float>>(), bits, p + i);
  }
}

template <class Dtype>
constexpr DtypeKernels MakeDtypeKernels() {
  using T = typename Dtype::T;
  DtypeKernels k = {sizeof(T), &Pad<T>, &ToF64<Dtype>, nullptr, &FromResult<Dtype>, nullptr, nullptr};
  if constexpr (sizeof(T) == 8) k.to_f64 = nullptr;
  if constexpr (sizeof(T) < 4) {
    k.to_f32 = &ToF32<Dtype>;
    k.from_f32 = &FromF32<Dtype, true>;
    k.from_product = &FromF32<Dtype, false>;
  }
  return k;
}
template <class... All>
constexpr std::array<DtypeKernels, gelu_dtype_count_> MakeAllDtypeKernels(List<All...>) {
  static_assert(sizeof...(All) == gelu_dtype_count_);
  return {MakeDtypeKernels<All>()...};
}
inline constexpr auto kDtypeKernels = MakeAllDtypeKernels(Dtypes());

GELU_END
#endif  // toggled guard
