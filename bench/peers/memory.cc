// SPDX-License-Identifier: Apache-2.0
// The traffic of a kernel without its arithmetic: memcpy for one input and one output; for more, the sum of all inputs
// read and written to all outputs, in a loop that compilers turn into vectors.
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "bench/peer.h"
#include "gelu/threads.hpp"

namespace gelu::bench {
namespace {

using Move = void (*)(const Arrays& arrays, size_t begin, size_t bytes);

void Copy(const Arrays& arrays, size_t begin, size_t bytes) {
  std::memcpy(static_cast<char*>(arrays.out[0]) + begin, static_cast<const char*>(arrays.in[0]) + begin, bytes);
}

template <size_t... kIn, size_t... kOut>
void Sum(const Arrays& arrays, size_t begin, size_t bytes, std::index_sequence<kIn...>, std::index_sequence<kOut...>) {
  const size_t first = begin / sizeof(uint64_t);
  const std::array in = {static_cast<const uint64_t*>(arrays.in[kIn]) + first...};
  const std::array out = {static_cast<uint64_t*>(arrays.out[kOut]) + first...};
  for (size_t i = 0; i < bytes / sizeof(uint64_t); ++i) {
    const uint64_t sum = (in[kIn][i] + ...);
    ((out[kOut][i] = sum), ...);
  }
}

template <size_t kInputs, size_t kOutputs>
constexpr Move MoveOf() {
  if constexpr (kInputs == 1 && kOutputs == 1) return &Copy;
  return [](const Arrays& arrays, size_t begin, size_t bytes) {
    Sum(arrays, begin, bytes, std::make_index_sequence<kInputs>(), std::make_index_sequence<kOutputs>());
  };
}
constexpr Move kMoves[] = {  // by form
#define GELU_FORM(name, inputs, outputs, meaning) MoveOf<inputs, outputs>(),
    GELU_FORMS(GELU_FORM)
#undef GELU_FORM
};

class Memory : public Peer {
 public:
  std::string name() const override { return "memory"; }
  std::string version() const override { return "memcpy, or a loop of as many reads and writes"; }
  bool computes() const override { return false; }

  Call Prepare(const Kernel& kernel, const Arrays& arrays, unsigned threads) override {
    const Move move = kMoves[kernel.form];
    const size_t bytes = arrays.n * gelu_dtype_size(kernel.dtype);
    if (threads == 1) return {[=] { move(arrays, 0, bytes); }};
    const size_t part = (bytes / threads + 63) / 64 * 64;
    return {[=, team = Threads(threads)] {
      team(threads, [&](size_t i) {
        const size_t begin = i * part;
        move(arrays, begin, begin + part < bytes ? part : bytes - begin);
      });
    }};
  }
};

}  // namespace

std::unique_ptr<Peer> MakeMemory() { return std::make_unique<Memory>(); }

}  // namespace gelu::bench
