// SPDX-License-Identifier: Apache-2.0
// The rows of the table, and the bars that this library has set itself.
#pragma once
#include <string>
#include <vector>

#include "bench/data.h"
#include "bench/peer.h"

namespace gelu::bench {

struct Case {
  Kernel kernel;
  Source source;
  size_t n;
  unsigned threads;
};

// What a call costs, in ns of the whole call, where n is this small; ns per element elsewhere.
inline constexpr size_t kFew = 16;

// Arrays of 16 KiB and 512 KiB by one thread; 128 MiB each by two, where only memory is a peer; forward also for other
// inputs than N(0, 1), and for a few elements. Forms that users meet less often in f32 and bf16 alone, or in one case;
// some in none.
std::vector<Case> Cases();

// "gelu forward f32", with alpha where it is not 1
std::string Name(const Kernel& kernel);
std::string Size(const Case& c);

// The time of `against` divided by the time of gelu is to be at least `ratio`.
struct Bar {
  std::string against;  // a peer's name; "" for the fastest that computes the kernel
  double ratio;
};
std::vector<Bar> Bars(const Case& c, bool avx512);

}  // namespace gelu::bench
