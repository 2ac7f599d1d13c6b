// SPDX-License-Identifier: Apache-2.0
// The formula with SLEEF's vector functions of 1 ULP.
#include <immintrin.h>
#include <sleef.h>

#include "bench/peers/loops.h"

namespace gelu::bench {
namespace {

#ifdef __AVX512F__
using V32 = __m512;
using V64 = __m512d;
V32 Erf(V32 v) { return Sleef_erff16_u10(v); }
V64 Erf(V64 v) { return Sleef_erfd8_u10(v); }
V32 Tanh(V32 v) { return Sleef_tanhf16_u10(v); }
V64 Tanh(V64 v) { return Sleef_tanhd8_u10(v); }
V32 Exp(V32 v) { return Sleef_expf16_u10(v); }
V64 Exp(V64 v) { return Sleef_expd8_u10(v); }
#else
using V32 = __m256;
using V64 = __m256d;
V32 Erf(V32 v) { return Sleef_erff8_u10(v); }
V64 Erf(V64 v) { return Sleef_erfd4_u10(v); }
V32 Tanh(V32 v) { return Sleef_tanhf8_u10(v); }
V64 Tanh(V64 v) { return Sleef_tanhd4_u10(v); }
V32 Exp(V32 v) { return Sleef_expf8_u10(v); }
V64 Exp(V64 v) { return Sleef_expd4_u10(v); }
#endif

struct F32 {
  using T = float;
  using V = V32;
};
struct F64 {
  using T = double;
  using V = V64;
};

template <class Element>
struct Type {
  using T = typename Element::T;
  using V = typename Element::V;

  static V Gate(gelu_function function, V x) {
    if (function == gelu_fn_gelu) return T(0.5) * (1 + Erf(x * T(0.70710678118654752440)));
    if (function == gelu_fn_silu) return 1 / (1 + Exp(-x));
    return T(0.5) * (1 + Tanh(T(0.79788456080286535588) * (x + T(0.044715) * x * x * x)));
  }

  template <gelu_function function>
  static void Forward(const void* in, void* out, size_t n) {
    const auto* x = static_cast<const T*>(in);
    auto* y = static_cast<T*>(out);
    for (size_t i = 0; i < n; i += sizeof(V) / sizeof(T)) {
      V v;
      __builtin_memcpy(&v, x + i, sizeof v);
      v *= Gate(function, v);
      __builtin_memcpy(y + i, &v, sizeof v);
    }
  }

  static Loop Find(gelu_function function) {
    switch (function) {
      case gelu_fn_gelu:
        return &Forward<gelu_fn_gelu>;
      case gelu_fn_gelu_tanh:
        return &Forward<gelu_fn_gelu_tanh>;
      case gelu_fn_silu:
        return &Forward<gelu_fn_silu>;
      default:
        return nullptr;
    }
  }
};

}  // namespace

Loop GELU_BENCH_LOOP(Sleef)(gelu_function function, gelu_dtype dtype) {
  if (dtype == gelu_dtype_f32) return Type<F32>::Find(function);
  return dtype == gelu_dtype_f64 ? Type<F64>::Find(function) : nullptr;
}

}  // namespace gelu::bench
