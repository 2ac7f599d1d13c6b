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

// kept * ceiling: 1 / (1 - p), as a sum, and the limit of the gate.
struct ResultScale {
  Pair64 kept = {1.0, 0.0};
  double ceiling = 1.0;

  explicit ResultScale(const gelu_params& params) {
    if (params.ceiling != nullptr) ceiling = *params.ceiling;
    if (params.dropout == nullptr || params.dropout->p == 1) return;  // where all is dropped
    const double p = params.dropout->p, keep = 1 - p, keep_low = (1 - keep) - p;
    kept.hi = 1 / keep;
    kept.lo = (std::fma(-kept.hi, keep, 1.0) - kept.hi * keep_low) / keep;
  }
  bool IsOne() const { return kept.hi == 1 && kept.lo == 0 && ceiling == 1; }
};

// The same in lanes, as a sum; false where that would overflow or lose bits.
template <class T>
struct LaneScale {
  T high, low;
};
template <class T>
bool FindLaneScale(const ResultScale& scale, LaneScale<T>* lane_scale) {
  constexpr double kLeast = RowLane<T>::kTinyProduct, kMost = RowLane<T>::kHugePart;
  const auto is_moderate = [&](double v) { return kLeast < std::fabs(v) && std::fabs(v) < kMost; };
  if (!is_moderate(scale.ceiling) || !is_moderate(scale.kept.hi) || !is_moderate(scale.ceiling * scale.kept.hi)) {
    return false;
  }
  const double high = scale.kept.hi * scale.ceiling;
  const double low = std::fma(scale.kept.hi, scale.ceiling, -high) + scale.kept.lo * scale.ceiling;
  const auto lane = static_cast<T>(high);
  *lane_scale = {lane, static_cast<T>(high - lane + low)};
  return true;
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
