// SPDX-License-Identifier: Apache-2.0
// The traffic of a kernel without its arithmetic: memcpy for one input; for two, the sum of both read and written, in
// a loop that compilers turn into vectors.
#include <cstdint>
#include <cstring>

#include "bench/peer.h"
#include "gelu/threads.hpp"

namespace gelu::bench {
namespace {

void Move(const Arrays& arrays, size_t inputs, size_t begin, size_t bytes) {
  const auto* x = static_cast<const char*>(arrays.x) + begin;
  auto* y = static_cast<char*>(arrays.y) + begin;
  if (inputs == 1) {
    std::memcpy(y, x, bytes);
    return;
  }
  const auto* a = reinterpret_cast<const uint64_t*>(x);
  const auto* b = reinterpret_cast<const uint64_t*>(static_cast<const char*>(arrays.dy) + begin);
  auto* c = reinterpret_cast<uint64_t*>(y);
  for (size_t i = 0; i < bytes / sizeof(uint64_t); ++i) c[i] = a[i] + b[i];
}

class Memory : public Peer {
 public:
  std::string name() const override { return "memory"; }
  std::string version() const override { return "memcpy, or two reads and a write"; }
  bool computes() const override { return false; }

  Call Prepare(const Kernel& kernel, const Arrays& arrays, unsigned threads) override {
    const size_t inputs = gelu_form_inputs(kernel.form), bytes = arrays.n * gelu_dtype_size(kernel.dtype);
    if (threads == 1) return {[=] { Move(arrays, inputs, 0, bytes); }};
    const size_t part = (bytes / threads + 63) / 64 * 64;
    return {[=, team = Threads(threads)] {
      team(threads, [&](size_t i) {
        const size_t begin = i * part;
        Move(arrays, inputs, begin, begin + part < bytes ? part : bytes - begin);
      });
    }};
  }
};

}  // namespace

std::unique_ptr<Peer> MakeMemory() { return std::make_unique<Memory>(); }

}  // namespace gelu::bench
