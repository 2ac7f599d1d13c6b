// SPDX-License-Identifier: Apache-2.0
#include "bench/accuracy.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "proof/oracle.h"
#include "proof/ulp.h"

namespace gelu::bench {
namespace {

proof::Array Elements(gelu_dtype dtype, const void* data, size_t n) {
  proof::Array elements(dtype, n);
  std::memcpy(elements.data(), data, n * gelu_dtype_size(dtype));
  return elements;
}

}  // namespace

std::vector<double> WorstErrors(const Kernel& kernel, const Arrays& arrays, std::span<const Call> calls) {
  const proof::Array x = Elements(kernel.dtype, arrays.x, arrays.n), dy = Elements(kernel.dtype, arrays.dy, arrays.n);
  std::vector<proof::Real> exact;
  exact.reserve(arrays.n);
  for (size_t i = 0; i < arrays.n; ++i) {
    const gelu_params params = {kernel.alpha, kNoClip};
    proof::Evaluation evaluation(kernel.function, params, proof::ToDouble(kernel.dtype, x[i]));
    exact.push_back(evaluation.Exact(kernel.form, proof::ToDouble(kernel.dtype, dy[i])));
  }
  std::vector<double> worst;
  for (const Call& call : calls) {
    worst.push_back(std::numeric_limits<double>::quiet_NaN());
    if (!call.run) continue;
    std::memset(arrays.y, 0xff, arrays.n * gelu_dtype_size(kernel.dtype));
    call.run();
    if (call.finish) call.finish();
    const proof::Array y = Elements(kernel.dtype, arrays.y, arrays.n);
    worst.back() = 0;
    for (size_t i = 0; i < arrays.n; ++i) {
      worst.back() = std::max(worst.back(), proof::UlpError(kernel.dtype, y[i], exact[i]));
    }
  }
  return worst;
}

}  // namespace gelu::bench
