// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluator.h"

#include <numeric>

namespace gelu::cli {
namespace {

constexpr size_t kValues = size_t{1} << 16;
constexpr uint64_t kWorthATable = 2 * kValues;

}  // namespace

Evaluator::Evaluator(const gelu_activation& activation, gelu_form form,
                     const std::array<uint64_t, gelu_dtype_count_>& elements)
    : activation_(activation), form_(form) {
  for (int id = 0; gelu_form_inputs(form) == 1 && gelu_form_outputs(form) == 1 && id < gelu_dtype_count_; ++id) {
    const auto dtype = static_cast<gelu_dtype>(id);
    if (gelu_dtype_size(dtype) != sizeof(uint16_t) || elements[dtype] <= kWorthATable) continue;
    std::vector<uint16_t> results(kValues);
    std::iota(results.begin(), results.end(), uint16_t{0});
    // Where this fails there is no table, and Apply fails in the same way.
    if (Apply(dtype, results.data(), nullptr, results.data(), kValues) == GELU_OK) results_[dtype] = std::move(results);
  }
}

gelu_status Evaluator::Apply(gelu_dtype dtype, const void* x, const void* other, void* out, size_t n) const {
  const std::vector<uint16_t>& results = results_[dtype];
  if (results.empty()) {
    const std::array<const void*, 2> in = {x, other};
    return gelu_apply(activation_.function, form_, dtype, &activation_.params, in.data(), &out, n);
  }
  const auto* from = static_cast<const uint16_t*>(x);
  auto* to = static_cast<uint16_t*>(out);
  for (size_t i = 0; i < n; ++i) to[i] = results[from[i]];
  return GELU_OK;
}

gelu_status Evaluator::ApplyToRuns(gelu_dtype dtype, const void* both, size_t run, bool second_first, void* out,
                                   size_t n) const {
  const std::array<size_t, 2> shape = {n / run, run};
  const std::array<ptrdiff_t, 2> strides = {static_cast<ptrdiff_t>(2 * run), 1};
  const std::array<const ptrdiff_t*, 2> in_strides = {strides.data(), strides.data()};
  const void* const behind = static_cast<const std::byte*>(both) + run * gelu_dtype_size(dtype);
  const std::array<const void*, 2> in = {second_first ? behind : both, second_first ? both : behind};
  return gelu_apply_strided(activation_.function, form_, dtype, &activation_.params, shape.size(), shape.data(),
                            in.data(), in_strides.data(), &out, nullptr);
}

}  // namespace gelu::cli
