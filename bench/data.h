// SPDX-License-Identifier: Apache-2.0
// The arrays that are measured: allocated once, filled once, the same for every peer.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bench/peer.h"

namespace gelu::bench {

// Where inputs come from: N(0, 1); the pre-activations of a transformer (examples/data); uniform in [-30, 30]; uniform
// in [-14.3, -5.5], where the usual formulas have lost every digit.
enum class Source { normal, real, wide, tail };
std::string Name(Source source);

class Data {
 public:
  Arrays Get(Source source, gelu_dtype dtype, size_t n);

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  struct Storage {
    std::unique_ptr<void, Free> x, dy, y;
  };
  std::map<std::tuple<Source, gelu_dtype, size_t>, Storage> storage_;
};

}  // namespace gelu::bench
