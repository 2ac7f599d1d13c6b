// SPDX-License-Identifier: Apache-2.0
// Arrays of any length as whole vectors. The last, partial vector goes through the same code on padded copies, so that
// no element's result depends on where it lies.
#if defined(GELU_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_VECTORS_INL_H_
#undef GELU_VECTORS_INL_H_
#else
#define GELU_VECTORS_INL_H_
#endif
#include <cstring>

#include "gelu/core/lanes-inl.h"

GELU_BEGIN

// n < 2 kStep elements; for so few a call of memcpy would take longer than the copy.
template <size_t kStep = kMaxLanes / 2, class T>
GELU_INLINE void CopyFew(T* to, const T* from, size_t n) {
  if ((n & kStep) != 0) {
    std::memcpy(to, from, kStep * sizeof(T));
    to += kStep;
    from += kStep;
  }
  if constexpr (kStep > 1) CopyFew<kStep / 2>(to, from, n);
}

// Calls map(in, out, count) with multiples of `lanes`. In place is allowed.
template <size_t kInputs, size_t kOutputs, class T, class F>
GELU_INLINE void InWholeVectors(size_t lanes, const void* const* in, void* const* out, size_t n, F map) {
  const T* from[kInputs];
  T* to[kOutputs];
  for (size_t k = 0; k < kInputs; ++k) from[k] = static_cast<const T*>(in[k]);
  for (size_t k = 0; k < kOutputs; ++k) to[k] = static_cast<T*>(out[k]);
  const size_t rest = n % lanes, whole = n - rest;
  if (whole != 0) map(from, to, whole);
  if (rest == 0) return;
  T padded_in[kInputs][kMaxLanes], padded_out[kOutputs][kMaxLanes];
  for (size_t k = 0; k < kInputs; ++k) {
    std::memset(padded_in[k], 0, lanes * sizeof(T));
    CopyFew(padded_in[k], from[k] + whole, rest);
    from[k] = padded_in[k];
  }
  T* padded[kOutputs];
  for (size_t k = 0; k < kOutputs; ++k) padded[k] = padded_out[k];
  map(from, padded, lanes);
  for (size_t k = 0; k < kOutputs; ++k) CopyFew(to[k] + whole, padded_out[k], rest);
}

GELU_END
#endif  // toggled guard
