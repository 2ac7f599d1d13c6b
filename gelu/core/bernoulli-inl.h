// SPDX-License-Identifier: Apache-2.0
// Yes or no from a random word: yes with probability threshold / 2^32, exactly; never for 0, always for 2^32.
#if defined(GELU_CORE_BERNOULLI_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_BERNOULLI_INL_H_
#undef GELU_CORE_BERNOULLI_INL_H_
#else
#define GELU_CORE_BERNOULLI_INL_H_
#endif
#include "gelu/core/lanes-inl.h"

GELU_BEGIN

// round(p 2^32), half up, for 0 <= p <= 1.
inline uint64_t BernoulliThreshold(double p) {
  const double scaled = p * 0x1p32;
  const auto whole = static_cast<uint64_t>(scaled);
  return whole + (scaled - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

// As a mask of the lanes of d, which are 32 or 64 bits long; so are those of the words.
template <class D>
GELU_INLINE auto Bernoulli(D d, Vec<RebindToUnsigned<D>> word, uint64_t threshold) {
  const RebindToUnsigned<D> du;
  const RebindToSigned<D> di;  // whose comparison is one instruction
  if constexpr (sizeof(LaneOf<D>) == 8) {
    return RebindMask(d, Lt(BitCast(di, word), Set(di, static_cast<int64_t>(threshold))));
  } else {
    // 2^32 is no lane, threshold - 1 is; for threshold 0 no word may be at most that.
    const uint32_t sign = uint32_t{1} << 31, last = threshold == 0 ? 0 : static_cast<uint32_t>(threshold - 1);
    const auto turned = Xor(Or(word, Set(du, threshold == 0 ? ~uint32_t{0} : 0)), Set(du, sign));
    return RebindMask(d, Not(Lt(Set(di, static_cast<int32_t>(last ^ sign)), BitCast(di, turned))));
  }
}

GELU_END
#endif  // toggled guard
