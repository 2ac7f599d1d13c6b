// SPDX-License-Identifier: Apache-2.0
// What is measured, and who computes it: this library, the libraries that users would otherwise take, and plain memory
// traffic as the limit.
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gelu/forms.h"
#include "gelu/gelu.h"

namespace gelu::bench {

struct Kernel {
  gelu_function function;
  gelu_form form;
  gelu_dtype dtype;
  double alpha = 1.0;
};

// n elements each, in the order of gelu.h. Those that the form does not have are null.
struct Arrays {
  std::array<const void*, kMaxInputs> in;
  std::array<void*, kMaxOutputs> out;
  size_t n;
};

// run evaluates the arrays once; empty: the peer has no such kernel. finish, if any, brings the results to the
// outputs where run leaves them in memory of the peer's own.
struct Call {
  std::function<void()> run = {};
  std::function<void()> finish = {};
};

class Peer {
 public:
  Peer() = default;
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  // Whether its results are those of the kernel; memory traffic has none.
  virtual bool computes() const { return true; }
  // A peer that has the parts of a kernel alone composes it: each part evaluates whole arrays, and what one leaves for
  // the next lies in memory of the peer's own.
  virtual Call Prepare(const Kernel& kernel, const Arrays& arrays, unsigned threads) = 0;
};

// All of them. avx512: loops that are compiled here are compiled for it; otherwise for AVX2.
std::vector<std::unique_ptr<Peer>> MakePeers(bool avx512);

std::unique_ptr<Peer> MakeGelu();
std::unique_ptr<Peer> MakeMemory();
std::unique_ptr<Peer> MakeOneDnn();
std::unique_ptr<Peer> MakeNaive(bool avx512);
std::unique_ptr<Peer> MakeSleef(bool avx512);
std::vector<std::unique_ptr<Peer>> MakePythonPeers();  // PyTorch, XLA, ONNX Runtime, MKL

}  // namespace gelu::bench
