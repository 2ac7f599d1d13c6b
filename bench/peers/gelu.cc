// SPDX-License-Identifier: Apache-2.0
// This library. One thread calls the C interface; more split the arrays as gelu::parallel
// does, on gelu::Threads.
#include "gelu/gelu.hpp"

#include <algorithm>
#include <atomic>

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
    return {[=] { detail::Check(Apply(kernel, arrays)); }};
  }

 private:
  static gelu_status Apply(const Kernel& kernel, const Arrays& arrays) {
    const gelu_params params = {kernel.alpha, Params().clip};
    return gelu_apply(kernel.function, kernel.form, kernel.dtype, &params, arrays.in.data(), arrays.out.data(),
                      arrays.n);
  }

  // The elements of one task.
  static Arrays Part(const Kernel& kernel, Arrays arrays, size_t task) {
    const size_t begin = task * detail::kTaskElements, bytes = begin * gelu_dtype_size(kernel.dtype);
    for (size_t k = 0; k < gelu_form_inputs(kernel.form); ++k) {
      arrays.in[k] = static_cast<const char*>(arrays.in[k]) + bytes;
    }
    for (size_t k = 0; k < gelu_form_outputs(kernel.form); ++k) {
      arrays.out[k] = static_cast<char*>(arrays.out[k]) + bytes;
    }
    arrays.n = std::min(detail::kTaskElements, arrays.n - begin);
    return arrays;
  }

  static Call Split(const Kernel& kernel, const Arrays& arrays, unsigned threads) {
    return {[=, team = Threads(threads)] {
      std::atomic<gelu_status> worst{GELU_OK};
      team((arrays.n + detail::kTaskElements - 1) / detail::kTaskElements, [&](size_t task) noexcept {
        if (const gelu_status status = Apply(kernel, Part(kernel, arrays, task)); status != GELU_OK) worst = status;
      });
      detail::Check(worst);
    }};
  }
};

}  // namespace

std::unique_ptr<Peer> MakeGelu() { return std::make_unique<Gelu>(); }

}  // namespace gelu::bench
