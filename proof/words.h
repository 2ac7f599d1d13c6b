// SPDX-License-Identifier: Apache-2.0
// The words of the generator of gelu_dropout, as the paper of Random123 has them.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>

#include "gelu/gelu.h"

namespace gelu::proof {

inline std::uint32_t RandomWord(const gelu_dropout& random, std::uint64_t i) {
  const std::uint64_t index = random.first + i, block = index / 4;
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  std::array<std::uint32_t, 4> counter = {low(block), low(block >> 32), low(random.stream), low(random.stream >> 32)};
  std::uint32_t key0 = low(random.seed), key1 = low(random.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xd2511f53} * counter[0], b = std::uint64_t{0xcd9e8d57} * counter[2];
    counter = {low(b >> 32) ^ counter[1] ^ key0, low(b), low(a >> 32) ^ counter[3] ^ key1, low(a)};
    key0 += 0x9e3779b9;
    key1 += 0xbb67ae85;
  }
  return counter[index % 4];
}

inline bool IsKept(const gelu_dropout& dropout, std::uint64_t i) {
  return RandomWord(dropout, i) < std::floor((1 - dropout.p) * 0x1p32 + 0.5);
}

}  // namespace gelu::proof
