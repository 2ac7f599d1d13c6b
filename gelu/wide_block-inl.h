// SPDX-License-Identifier: Apache-2.0
// What passes between the steps of the wide way: blocks of f64.
#if defined(GELU_WIDE_BLOCK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_WIDE_BLOCK_INL_H_
#undef GELU_WIDE_BLOCK_INL_H_
#else
#define GELU_WIDE_BLOCK_INL_H_
#endif
#include "gelu/gelu.h"
#include "gelu/unrounded-inl.h"

GELU_BEGIN

inline constexpr size_t kWideBlock = 64;  // elements; a multiple of the lanes of any vector

struct WideInput {
  alignas(64) double x[kWideBlock];
};
// Sums hi + lo.
struct WidePoint {
  alignas(64) double hi[kWideBlock], lo[kWideBlock];
};
// The members of Unrounded (unrounded-inl.h).
struct WideResult {
  alignas(64) double hi[kWideBlock], lo[kWideBlock], exponent[kWideBlock];
};

using WideKernel = void (*)(const WidePoint& x, WideResult& y, size_t n, const gelu_params& params);

template <class D>
GELU_INLINE Unrounded<D> LoadResult(D d, const WideResult& y, size_t i) {
  const Pair<Vec<D>> value = {LoadU(d, y.hi + i), LoadU(d, y.lo + i)};
  return {value, LoadU(d, y.exponent + i)};
}
template <class D>
GELU_INLINE void StoreResult(D d, const Unrounded<D>& v, WideResult& y, size_t i) {
  StoreU(v.value.hi, d, y.hi + i);
  StoreU(v.value.lo, d, y.lo + i);
  StoreU(v.exponent, d, y.exponent + i);
}

GELU_END
#endif  // toggled guard
