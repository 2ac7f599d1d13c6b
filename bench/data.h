// SPDX-License-Identifier: Apache-2.0
// The arrays that are measured: allocated once, filled once, the same for every peer. Those of a form are made when it
// is first asked for.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bench/peer.h"

namespace gelu::bench {

// Where the first input comes from: N(0, 1); the pre-activations of a transformer (examples/data); uniform in
// [-30, 30]; uniform in [-14.3, -5.5], where the usual formulas have lost every digit. Further inputs are N(0, 1).
enum class Source { normal, real, wide, tail };
std::string Name(Source source);

class Data {
 public:
  Arrays Get(const Kernel& kernel, Source source, size_t n);

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  using Memory = std::unique_ptr<void, Free>;
  struct Storage {
    std::array<Memory, kMaxInputs> in;
    std::array<Memory, kMaxOutputs> out;
  };
  std::map<std::tuple<Source, gelu_dtype, size_t>, Storage> storage_;
};

}  // namespace gelu::bench
