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

// 0 < n < Lanes(d) elements, the last of them repeated. Put together in memory, a vector could not be loaded before all
// that came before it is done.
template <class D, class T>
GELU_INLINE Vec<D> LoadFew(D d, const T* p, size_t n) {
  const auto lane = Iota(d, T{0});
  auto v = Set(d, p[0]);
  for (size_t i = 1; i < n; ++i) v = IfThenElse(Lt(lane, Set(d, static_cast<T>(i))), v, Set(d, p[i]));
  return v;
}

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

// Calls map(in, out, count) with multiples of the number of lanes. In place is allowed.
template <size_t kInputs, size_t kOutputs, class T, class D, class F>
GELU_INLINE void InWholeVectors(D d, const void* const* in, void* const* out, size_t n, F map) {
  const Rebind<T, D> dt;
  const size_t lanes = Lanes(d);
  const T* from[kInputs];
  T* to[kOutputs];
  for (size_t k = 0; k < kInputs; ++k) from[k] = static_cast<const T*>(in[k]);
  for (size_t k = 0; k < kOutputs; ++k) to[k] = static_cast<T*>(out[k]);
  const size_t rest = n % lanes, whole = n - rest;
  if (whole != 0) map(from, to, whole);
  if (rest == 0) return;
  T padded_in[kInputs][kMaxLanes], padded_out[kOutputs][kMaxLanes];
  for (size_t k = 0; k < kInputs; ++k) {
    StoreU(LoadFew(dt, from[k] + whole, rest), dt, padded_in[k]);
    from[k] = padded_in[k];
  }
  T* padded[kOutputs];
  for (size_t k = 0; k < kOutputs; ++k) padded[k] = padded_out[k];
  map(from, padded, lanes);
  for (size_t k = 0; k < kOutputs; ++k) CopyFew(to[k] + whole, padded_out[k], rest);
}

GELU_END
#endif  // toggled guard
