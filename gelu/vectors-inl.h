// SPDX-License-Identifier: Apache-2.0
// The last, partial vector of an array goes through the same code on padded copies, so that no element's result depends
// on where it lies.
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

// n < 2 kStep bytes; for so few a call of memcpy would take longer than the copy.
template <size_t kStep>
GELU_INLINE void CopyFew(char* to, const char* from, size_t n) {
  if ((n & kStep) != 0) {
    std::memcpy(to, from, kStep);
    to += kStep;
    from += kStep;
  }
  if constexpr (kStep > 1) CopyFew<kStep / 2>(to, from, n);
}

GELU_END
#endif  // toggled guard
