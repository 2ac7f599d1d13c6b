// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/loops.h"

#include <sleef.h>

#include <utility>

#include "bench/peer.h"

namespace gelu::bench {
namespace {

class Loops : public Peer {
 public:
  using Find = Loop (*)(gelu_function, gelu_dtype);
  Loops(std::string name, std::string version, Find find)
      : name_(std::move(name)), version_(std::move(version)), find_(find) {}
  std::string name() const override { return name_; }
  std::string version() const override { return version_; }

  Call Prepare(const Kernel& kernel, const Arrays& arrays, unsigned threads) override {
    if (kernel.form != gelu_form_forward || kernel.alpha != 1 || threads > 1 || arrays.n % 16 != 0) return {};
    const Loop loop = find_(kernel.function, kernel.dtype);
    if (loop == nullptr) return {};
    return {[=] { loop(arrays.in[0], arrays.out[0], arrays.n); }};
  }

 private:
  std::string name_, version_;
  Find find_;
};

std::string March(bool avx512) { return avx512 ? "x86-64-v4" : "x86-64-v3"; }

}  // namespace

std::unique_ptr<Peer> MakeNaive(bool avx512) {
  return std::make_unique<Loops>("naive", "libm, -O3 -ffast-math -march=" + March(avx512),
                                 avx512 ? &NaiveLoopV4 : &NaiveLoopV3);
}

std::unique_ptr<Peer> MakeSleef(bool avx512) {
  const std::string version = std::to_string(SLEEF_VERSION_MAJOR) + "." + std::to_string(SLEEF_VERSION_MINOR);
  return std::make_unique<Loops>("SLEEF", version + " " + March(avx512), avx512 ? &SleefLoopV4 : &SleefLoopV3);
}

std::vector<std::unique_ptr<Peer>> MakePeers(bool avx512) {
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(MakeGelu());
  peers.push_back(MakeMemory());
  peers.push_back(MakeOneDnn());
  for (auto& peer : MakePythonPeers()) peers.push_back(std::move(peer));
  peers.push_back(MakeSleef(avx512));
  peers.push_back(MakeNaive(avx512));
  return peers;
}

}  // namespace gelu::bench
