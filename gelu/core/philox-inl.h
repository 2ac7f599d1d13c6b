// SPDX-License-Identifier: Apache-2.0
// Random words by Philox4x32-10: a word depends on the seed, the stream and the element's index alone.
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC'11.
#if defined(GELU_CORE_PHILOX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_PHILOX_INL_H_
#undef GELU_CORE_PHILOX_INL_H_
#else
#define GELU_CORE_PHILOX_INL_H_
#endif
#include <cstring>

#include "gelu/core/lanes-inl.h"

GELU_BEGIN

#ifndef SBS
#define SBS 2
#endif
inline constexpr int kPhiloxRounds = 10;
inline constexpr size_t kSideBySide = SBS;

// Four words, of 32 bits each, in 64-bit lanes whose upper halves mean nothing: so both halves of a product are at hand.
template <class V>
struct PhiloxWords {
  V word[4];
};
template <class D>
GELU_INLINE PhiloxWords<Vec<D>> PhiloxRound(D d, const PhiloxWords<Vec<D>>& in, const Vec<D> (&key)[2]) {
  const auto a = MulLower(in.word[0], Set(d, 0xd2511f53u)), b = MulLower(in.word[2], Set(d, 0xcd9e8d57u));
  return {{Xor(ShiftRight<32>(b), Xor(in.word[1], key[0])), b, Xor(ShiftRight<32>(a), Xor(in.word[3], key[1])), a}};
}

// The seed as the key of each round, in such lanes too.
template <class V>
struct PhiloxKeys {
  V key[kPhiloxRounds][2];
};
template <class D>
GELU_INLINE PhiloxKeys<Vec<D>> MakePhiloxKeys(D d, uint64_t seed) {
  PhiloxKeys<Vec<D>> keys;
  keys.key[0][0] = Set(d, seed);
  keys.key[0][1] = Set(d, seed >> 32);
  for (int i = 1; i < kPhiloxRounds; ++i) {
    keys.key[i][0] = Add(keys.key[i - 1][0], Set(d, 0x9e3779b9u));  // golden ratio
    keys.key[i][1] = Add(keys.key[i - 1][1], Set(d, 0xbb67ae85u));  // sqrt(3) - 1
  }
  return keys;
}

// The words of the counters first + IotaOfPairs, and of the vectors that follow: side by side, since a round waits for
// the one before it. The upper half of the counters is given: the same for all of them, the compiler takes it out of the
// loop, and with it most of the first three rounds.
template <size_t kVectors, class D>
GELU_INLINE void Philox(D d, const PhiloxKeys<Vec<D>>& keys, uint64_t stream, uint64_t first, Vec<D> upper, uint32_t* out) {
  PhiloxWords<Vec<D>> w[kVectors];
  for (size_t v = 0; v < kVectors; ++v) {
    w[v] = {{Add(Set(d, first + v * Lanes(d)), IotaOfPairs(d)), upper, Set(d, stream & 0xffffffff),
             Set(d, stream >> 32)}};
  }
  for (const auto& key : keys.key) {
    for (auto& words : w) words = PhiloxRound(d, words, key);
  }
  const auto lower_half = Set(d, 0xffffffffu);
  for (const auto& words : w) {
    StorePairs(Or(And(words.word[0], lower_half), ShiftLeft<32>(words.word[1])),
               Or(And(words.word[2], lower_half), ShiftLeft<32>(words.word[3])), d, out);
    out += 4 * Lanes(d);
  }
}

// out[i] is the word of element first + i, i < n: word (first + i) % 4 of the counter (first + i) / 4. How a range is
// split into calls makes no difference. d is a tag of 64-bit words.
template <class D>
GELU_NOINLINE void RandomWords(D d, uint64_t seed, uint64_t stream, uint64_t first, uint32_t* out, size_t n) {
  const PhiloxKeys<Vec<D>> keys = MakePhiloxKeys(d, seed);
  const size_t whole = 4 * Lanes(d);
  alignas(64) uint32_t some[4 * kMaxLanes];
  while (n != 0) {
    // As far as the upper half of the counter stays what it is: to a multiple of 2^34.
    const uint64_t until = (uint64_t{1} << 34) - first % (uint64_t{1} << 34);
    size_t count = n < until ? n : static_cast<size_t>(until);
    const auto upper = Set(d, first >> 34);
    n -= count;
    const auto partial = [&](size_t skip, size_t copied) {
      Philox<1>(d, keys, stream, first / 4, upper, some);
      std::memcpy(out, some + skip, copied * sizeof *out);
      first += copied;
      out += copied;
      count -= copied;
    };
    if (const size_t skip = first % 4; skip != 0) partial(skip, count < whole - skip ? count : whole - skip);
    for (; count >= kSideBySide * whole; count -= kSideBySide * whole) {
      Philox<kSideBySide>(d, keys, stream, first / 4, upper, out);
      first += kSideBySide * whole;
      out += kSideBySide * whole;
    }
    while (count != 0) partial(0, count < whole ? count : whole);
  }
}

GELU_END
#endif  // toggled guard
