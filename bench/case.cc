// SPDX-License-Identifier: Apache-2.0
#include "bench/case.h"

#include <fmt/format.h>

#include <cstring>

namespace gelu::bench {
namespace {

constexpr size_t kInCache[] = {size_t{16} << 10, size_t{512} << 10};
constexpr size_t kInMemory = size_t{128} << 20;

// A form, and the dtypes and sizes that it is measured in.
enum class Extent { all, f32_and_bf16, one };
struct Measured {
  gelu_form form;
  Extent extent;
};
constexpr Measured kMeasured[] = {
    {gelu_form_forward, Extent::all},
    {gelu_form_derivative, Extent::all},
    {gelu_form_second_derivative, Extent::all},
    {gelu_form_backward, Extent::all},
    {gelu_form_bias, Extent::f32_and_bf16},
    {gelu_form_bias_backward, Extent::f32_and_bf16},
    {gelu_form_gated, Extent::f32_and_bf16},
    {gelu_form_gated_backward, Extent::f32_and_bf16},
    {gelu_form_double_backward, Extent::f32_and_bf16},
    {gelu_form_value_and_derivative, Extent::f32_and_bf16},
    {gelu_form_third_derivative, Extent::one},
    {gelu_form_alpha_derivative, Extent::one},
};

bool Has(Extent extent, int dtype) {
  if (extent == Extent::one) return dtype == gelu_dtype_f32;
  return extent == Extent::all || dtype == gelu_dtype_f32 || dtype == gelu_dtype_bf16;
}

// An empty function, form or dtype stands for all. avx3, avx2: arrays in cache; 0: none. memory: against the traffic
// alone.
struct BarOf {
  const char* function;
  const char* form;
  const char* dtype;
  const char* against;
  double avx3, avx2, memory;
};
constexpr BarOf kBars[] = {
    {"gelu", "forward", "f32", "oneDNN", 1.3, 0, 0},
    {"gelu", "forward", "f32", "PyTorch", 1.15, 0, 0},
    {"gelu", "forward", "f32", "", 0, 1.5, 0.9},
    {"gelu_tanh", "forward", "f32", "", 1.15, 4, 0.9},
    {"silu", "forward", "f32", "", 1, 1.25, 0.9},
    {"", "derivative", "f32", "PyTorch", 2, 2, 0.9},
    {"", "backward", "f32", "PyTorch", 2, 2, 0.9},
    {"", "second_derivative", "f32", "", 2, 2, 0.8},
    {"", "forward", "bf16", "", 3, 1.5, 0.9},
    {"", "backward", "bf16", "", 3, 1.5, 0.8},
    {"", "forward", "f16", "", 3, 1.5, 0.7},
    {"", "backward", "f16", "", 3, 1.5, 0.6},
    {"gelu", "forward", "f64", "MKL", 1.5, 1.5, 0.4},
    {"gelu", "forward", "f64", "PyTorch", 1, 0, 0},
    {"", "gated", "", "", 2, 2, 0.9},
    {"", "bias", "", "", 2, 2, 0.9},
    {"", "gated_backward", "", "", 2, 2, 0.8},
};

bool Matches(const char* wanted, const char* name) { return *wanted == '\0' || std::strcmp(wanted, name) == 0; }

}  // namespace

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (int function = 0; function < gelu_fn_count_; ++function) {
    const auto kernel = [&](int form, int dtype, double alpha = 1) {
      return Kernel{static_cast<gelu_function>(function), static_cast<gelu_form>(form), static_cast<gelu_dtype>(dtype),
                    alpha};
    };
    for (const auto& [form, extent] : kMeasured) {
      for (int dtype = 0; dtype < gelu_dtype_count_; ++dtype) {
        if (!Has(extent, dtype)) continue;
        const size_t size = gelu_dtype_size(static_cast<gelu_dtype>(dtype));
        if (extent == Extent::one) {
          cases.push_back({kernel(form, dtype), Source::normal, kInCache[1] / size, 1});
          continue;
        }
        for (const size_t bytes : kInCache) cases.push_back({kernel(form, dtype), Source::normal, bytes / size, 1});
        cases.push_back({kernel(form, dtype), Source::normal, kInMemory / size, 2});
      }
    }
    const size_t n = kInCache[1] / gelu_dtype_size(gelu_dtype_f32);
    for (const Source source : {Source::real, Source::wide, Source::tail}) {
      cases.push_back({kernel(gelu_form_forward, gelu_dtype_f32), source, n, 1});
    }
    for (const double alpha : {1.702, 0.7}) {
      cases.push_back({kernel(gelu_form_forward, gelu_dtype_f32, alpha), Source::normal, n, 1});
    }
    for (const size_t few : {size_t{1}, kFew}) {
      cases.push_back({kernel(gelu_form_forward, gelu_dtype_f32), Source::normal, few, 1});
    }
  }
  return cases;
}

std::string Name(const Kernel& kernel) {
  std::string name = fmt::format("{} {} {}", gelu_function_name(kernel.function), gelu_form_name(kernel.form),
                                 gelu_dtype_name(kernel.dtype));
  return kernel.alpha == 1 ? name : fmt::format("{} alpha {}", name, kernel.alpha);
}

std::string Size(const Case& c) {
  if (c.n <= kFew) return fmt::format("n = {}", c.n);
  const size_t bytes = c.n * gelu_dtype_size(c.kernel.dtype);
  return bytes < (1 << 20) ? fmt::format("{} KiB", bytes >> 10) : fmt::format("{} MiB", bytes >> 20);
}

std::vector<Bar> Bars(const Case& c, bool avx512) {
  std::vector<Bar> bars;
  if (c.n <= kFew || c.kernel.alpha != 1) return bars;
  for (const BarOf& bar : kBars) {
    if (!Matches(bar.function, gelu_function_name(c.kernel.function)) ||
        !Matches(bar.form, gelu_form_name(c.kernel.form)) || !Matches(bar.dtype, gelu_dtype_name(c.kernel.dtype))) {
      continue;
    }
    if (c.threads > 1) {
      if (bar.memory > 0) bars.push_back({"memory", bar.memory});
    } else if (const double ratio = avx512 ? bar.avx3 : bar.avx2; ratio > 0 && c.source == Source::normal) {
      bars.push_back({bar.against, ratio});
    }
  }
  return bars;
}

}  // namespace gelu::bench
