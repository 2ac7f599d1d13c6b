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

// The real numbers of each output.
std::vector<std::vector<proof::Real>> Exact(const Kernel& kernel, const Arrays& arrays) {
  const proof::Meaning& meaning = proof::MeaningOf(kernel.form);
  const gelu_params params = proof::ParamsOf(kernel.alpha);
  std::vector<proof::Array> in;
  for (size_t k = 0; k < meaning.inputs; ++k) in.push_back(Elements(kernel.dtype, arrays.in[k], arrays.n));
  std::vector<std::vector<proof::Real>> exact(meaning.outputs);
  for (size_t i = 0; i < arrays.n; ++i) {
    std::vector<double> inputs;
    for (const proof::Array& array : in) inputs.push_back(proof::ToDouble(kernel.dtype, array[i]));
    proof::Evaluation evaluation = proof::EvaluationAt(kernel.function, params, meaning, inputs);
    for (size_t k = 0; k < meaning.outputs; ++k) exact[k].push_back(evaluation.Exact(meaning.output[k], inputs));
  }
  return exact;
}

double WorstError(const Kernel& kernel, const Arrays& arrays, const std::vector<std::vector<proof::Real>>& exact) {
  double worst = 0;
  for (size_t k = 0; k < exact.size(); ++k) {
    const proof::Array y = Elements(kernel.dtype, arrays.out[k], arrays.n);
    for (size_t i = 0; i < arrays.n; ++i) worst = std::max(worst, proof::UlpError(kernel.dtype, y[i], exact[k][i]));
  }
  return worst;
}

}  // namespace

std::vector<double> WorstErrors(const Kernel& kernel, const Arrays& arrays, std::span<const Call> calls) {
  const std::vector<std::vector<proof::Real>> exact = Exact(kernel, arrays);
  std::vector<double> worst;
  for (const Call& call : calls) {
    worst.push_back(std::numeric_limits<double>::quiet_NaN());
    if (!call.run) continue;
    for (size_t k = 0; k < exact.size(); ++k) {
      std::memset(arrays.out[k], 0xff, arrays.n * gelu_dtype_size(kernel.dtype));
    }
    call.run();
    if (call.finish) call.finish();
    worst.back() = WorstError(kernel, arrays, exact);
  }
  return worst;
}

}  // namespace gelu::bench
