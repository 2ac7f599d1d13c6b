// SPDX-License-Identifier: Apache-2.0
// The formula with the C library's functions, as a loop that the compiler turns into vectors (-O3 -ffast-math).
#include <cmath>

#include "bench/peers/loops.h"

namespace gelu::bench {
namespace {

template <class T, gelu_function function>
void Forward(const void* in, void* out, size_t n) {
  const T* __restrict x = static_cast<const T*>(in);
  T* __restrict y = static_cast<T*>(out);
  for (size_t i = 0; i < n; ++i) {
    const T v = x[i];
    if constexpr (function == gelu_fn_gelu) y[i] = T(0.5) * v * (1 + std::erf(v * T(0.70710678118654752440)));
    if constexpr (function == gelu_fn_silu) y[i] = v / (1 + std::exp(-v));
    if constexpr (function == gelu_fn_gelu_tanh) {
      y[i] = T(0.5) * v * (1 + std::tanh(T(0.79788456080286535588) * (v + T(0.044715) * v * v * v)));
    }
  }
}

template <class T>
Loop Find(gelu_function function) {
  switch (function) {
    case gelu_fn_gelu:
      return &Forward<T, gelu_fn_gelu>;
    case gelu_fn_gelu_tanh:
      return &Forward<T, gelu_fn_gelu_tanh>;
    case gelu_fn_silu:
      return &Forward<T, gelu_fn_silu>;
    default:
      return nullptr;
  }
}

}  // namespace

Loop GELU_BENCH_LOOP(Naive)(gelu_function function, gelu_dtype dtype) {
  if (dtype == gelu_dtype_f32) return Find<float>(function);
  return dtype == gelu_dtype_f64 ? Find<double>(function) : nullptr;
}

}  // namespace gelu::bench
