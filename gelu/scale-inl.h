// SPDX-License-Identifier: Apache-2.0
// What parameters do to every result of a call: a factor, and dropout.
#if defined(GELU_SCALE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_SCALE_INL_H_
#undef GELU_SCALE_INL_H_
#else
#define GELU_SCALE_INL_H_
#endif
#include <cmath>
#include <cstring>

#include "gelu/core/bernoulli-inl.h"
#include "gelu/core/pair-inl.h"
#include "gelu/core/philox-inl.h"
#include "gelu/undecided-inl.h"

GELU_BEGIN

// ceiling / (1 - p), as a sum; where all is dropped, 1.
inline Pair64 MakeScale(const gelu_params& params) {
  Pair64 inverse = {1.0, 0.0};
  if (params.dropout != nullptr && params.dropout->p < 1) {
    const double p = params.dropout->p, keep = 1 - p, keep_low = (1 - keep) - p;
    inverse.hi = 1 / keep;
    inverse.lo = (std::fma(-inverse.hi, keep, 1.0) - inverse.hi * keep_low) / keep;
  }
  if (params.ceiling == nullptr) return inverse;
  const double ceiling = *params.ceiling, high = inverse.hi * ceiling;
  return {high, std::fma(inverse.hi, ceiling, -high) + inverse.lo * ceiling};
}

template <class Bits>
void Drop(Bits* results, const uint32_t* words, uint64_t threshold, size_t n) {
  for (size_t i = 0; i < n; ++i) results[i] = words[i] < threshold ? results[i] : Bits{0};
}

// The results of n elements, the first of them element `begin` of the call.
GELU_NOINLINE inline void DropResults(const gelu_dropout& dropout, size_t begin, void* results, size_t size, size_t n) {
  uint32_t words[kBlock];
  RandomWords(Tag<uint64_t>(), dropout.seed, dropout.stream, dropout.first + begin, words, n);
  const uint64_t threshold = BernoulliThreshold(1 - dropout.p);
  if (size == 8) {
    Drop(static_cast<uint64_t*>(results), words, threshold, n);
  } else if (size == 4) {
    Drop(static_cast<uint32_t*>(results), words, threshold, n);
  } else {
    Drop(static_cast<uint16_t*>(results), words, threshold, n);
  }
}

GELU_END
#endif  // toggled guard
