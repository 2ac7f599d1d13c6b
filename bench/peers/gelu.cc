// SPDX-License-Identifier: Apache-2.0
// This library. One thread calls the C interface; more go through gelu::parallel's way of splitting, on gelu::Threads.
#include "gelu/gelu.hpp"

#include <algorithm>
#include <array>

#include "bench/peer.h"
#include "gelu/threads.hpp"

namespace gelu::bench {
namespace {

class Gelu : public Peer {
 public:
  std::string name() const override { return "gelu"; }
  std::string version() const override { return std::string(gelu_version()) + " " + gelu_target(); }

  Call Prepare(const Kernel& kernel, const Arrays& arrays, unsigned threads) override {
    if (threads > 1) return Split(kernel, arrays, threads);
    return {[=] {
      const gelu_params params = {kernel.alpha, Params().clip};
      const std::array<const void*, 2> in = {arrays.x, arrays.dy};
      void* out = arrays.y;
      detail::Check(gelu_apply(kernel.function, kernel.form, kernel.dtype, &params, in.data(), &out, arrays.n));
    }};
  }

 private:
  static Call Split(const Kernel& kernel, const Arrays& arrays, unsigned threads) {
    return {[=] {
      const auto apply = [&]<size_t kInputs>(const std::array<const void*, kInputs>& in) {
        Inputs<kInputs> inputs{in, {}, {}};
        inputs.dtype.fill(kernel.dtype);
        inputs.size.fill(arrays.n);
        const Outputs<1> output{{arrays.y}, {kernel.dtype}, {arrays.n}};
        parallel(Threads(threads), static_cast<Form>(kernel.form), static_cast<Function>(kernel.function), inputs,
                 output, {.alpha = kernel.alpha});
      };
      if (gelu_form_inputs(kernel.form) == 1) {
        apply(std::array{arrays.x});
      } else {
        apply(std::array{arrays.x, arrays.dy});
      }
    }};
  }
};

}  // namespace

std::unique_ptr<Peer> MakeGelu() { return std::make_unique<Gelu>(); }

}  // namespace gelu::bench
