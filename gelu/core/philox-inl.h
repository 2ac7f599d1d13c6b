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

inline constexpr int kPhiloxRounds = 10;
inline constexpr size_t kSideBySide = 3;  // vectors; the state of more does not fit into 16 registers

// Words, of 32 bits each, are in 64-bit lanes whose upper halves mean nothing: so both halves of a product are at hand.

// The seed as the key of each round. An array: g++ builds a struct's constructor without the target's instructions.
template <class D>
using PhiloxKeys = Vec<D>[kPhiloxRounds][2];
template <class D>
GELU_INLINE void MakePhiloxKeys(D d, uint64_t seed, PhiloxKeys<D>& key) {
  key[0][0] = Set(d, seed);
  key[0][1] = Set(d, seed >> 32);
  for (int i = 1; i < kPhiloxRounds; ++i) {
    key[i][0] = Add(key[i - 1][0], Set(d, 0x9e3779b9u));  // golden ratio
    key[i][1] = Add(key[i - 1][1], Set(d, 0xbb67ae85u));  // sqrt(3) - 1
  }
}

// The products of a round by word 0 and by word 2. The words that come out of it:
//   0: upper half of second ^ word 1 ^ key[0];   1: second;   2: upper half of first ^ word 3 ^ key[1];   3: first.
template <class D>
GELU_INLINE Vec<D> FirstProduct(D d, Vec<D> word) {
  return MulLower(word, Set(d, 0xd2511f53u));
}
template <class D>
GELU_INLINE Vec<D> SecondProduct(D d, Vec<D> word) {
  return MulLower(word, Set(d, 0xcd9e8d57u));
}

// What the first two rounds of counters have in common that differ in word 0 alone.
template <class D>
struct PhiloxStart {
  Vec<D> word2_of_1, word0_of_2, word2_of_2, word3_of_2;
};
template <class D>
GELU_INLINE PhiloxStart<D> MakePhiloxStart(D d, const PhiloxKeys<D>& key, uint64_t stream, uint64_t word1) {
  const auto second = SecondProduct(d, Set(d, stream));
  const auto first_of_2 = FirstProduct(d, Xor3(ShiftRight<32>(second), Set(d, word1), key[0][0]));
  return {Xor(Set(d, stream >> 32), key[0][1]), Xor(second, key[1][0]), Xor(ShiftRight<32>(first_of_2), key[1][1]),
          first_of_2};
}

// The words of the counters first + IotaOfFours, and of the vectors that follow: side by side, since a round waits for
// the one before it.
template <size_t kVectors, class D>
GELU_INLINE void Philox(D d, const PhiloxKeys<D>& key, const PhiloxStart<D>& start, uint64_t first, uint32_t* out) {
  Vec<D> state[kVectors][4];
  for (size_t v = 0; v < kVectors; ++v) {
    auto& word = state[v];
    word[3] = FirstProduct(d, Add(Set(d, first + v * Lanes(d)), IotaOfFours(d)));
    word[1] = SecondProduct(d, Xor(ShiftRight<32>(word[3]), start.word2_of_1));
    word[0] = Xor(ShiftRight<32>(word[1]), start.word0_of_2);
    word[2] = Xor(word[3], start.word2_of_2);
    word[3] = start.word3_of_2;
  }
  for (int i = 2; i < kPhiloxRounds; ++i) {
    for (auto& word : state) {
      const auto a = FirstProduct(d, word[0]), b = SecondProduct(d, word[2]);
      word[0] = Xor3(ShiftRight<32>(b), word[1], key[i][0]);
      word[1] = b;
      word[2] = Xor3(ShiftRight<32>(a), word[3], key[i][1]);
      word[3] = a;
    }
  }
  for (const auto& word : state) {
    StoreFours(word[0], word[1], word[2], word[3], d, out);
    out += 4 * Lanes(d);
  }
}

// out[i] is the word of element first + i, i < n: word (first + i) % 4 of the counter (first + i) / 4. How a range is
// split into calls makes no difference. d is a tag of 64-bit words.
template <class D>
GELU_NOINLINE void RandomWords(D d, uint64_t seed, uint64_t stream, uint64_t first, uint32_t* out, size_t n) {
  PhiloxKeys<D> key;
  MakePhiloxKeys(d, seed, key);
  const size_t whole = 4 * Lanes(d);
  alignas(64) uint32_t some[4 * kMaxLanes];
  while (n != 0) {
    // As far as word 1 of the counter stays what it is: to a multiple of 2^34.
    const uint64_t until = (uint64_t{1} << 34) - first % (uint64_t{1} << 34);
    size_t count = n < until ? n : static_cast<size_t>(until);
    const PhiloxStart<D> start = MakePhiloxStart(d, key, stream, first >> 34);
    n -= count;
    const auto partial = [&](size_t skip, size_t copied) {
      Philox<1>(d, key, start, first / 4, some);
      std::memcpy(out, some + skip, copied * sizeof *out);
      first += copied;
      out += copied;
      count -= copied;
    };
    if (const size_t skip = first % 4; skip != 0) partial(skip, count < whole - skip ? count : whole - skip);
    for (; count >= kSideBySide * whole; count -= kSideBySide * whole) {
      Philox<kSideBySide>(d, key, start, first / 4, out);
      first += kSideBySide * whole;
      out += kSideBySide * whole;
    }
    while (count != 0) partial(0, count < whole ? count : whole);
  }
}

GELU_END
#endif  // toggled guard
