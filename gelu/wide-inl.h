// SPDX-License-Identifier: Apache-2.0
// The wide way: any function, form, element type and alpha in f64 lanes. What depends on the function knows no element
// type, and what depends on the element type no function.
#if defined(GELU_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_WIDE_INL_H_
#undef GELU_WIDE_INL_H_
#else
#define GELU_WIDE_INL_H_
#endif
#include "gelu/forms-inl.h"
#include "gelu/vectors-inl.h"

GELU_BEGIN

inline constexpr size_t kWideBlock = 64;
static_assert(kWideBlock % kMaxLanes == 0);

struct WideInput {
  alignas(64) double x[kWideBlock];
};
// Members of Unrounded.
struct WideOutput {
  alignas(64) double hi[kWideBlock], lo[kWideBlock], scale1[kWideBlock], scale2[kWideBlock];
};

// One block, whole vectors of it. Inlined into its callers, it costs clang minutes and 8 GB.
using WideKernel = void (*)(const WideInput* in, WideOutput* out, size_t n, const gelu_params& params);
template <class Card, class Form>
GELU_NOINLINE void Wide(const WideInput* in, WideOutput* out, size_t n, const gelu_params& params) {
  const Tag<double> d;
  const Context context = Prepare<Card>(params);
  for (size_t i = 0; i < n; i += Lanes(d)) {
    Vec<Tag<double>> x[Form::kInputs];
    for (size_t k = 0; k < Form::kInputs; ++k) x[k] = LoadU(d, in[k].x + i);
    Form::template Apply<Card>(d, context, x, [&](size_t k, const Unrounded<Tag<double>>& y) {
      StoreU(y.value.hi, d, out[k].hi + i);
      StoreU(y.value.lo, d, out[k].lo + i);
      StoreU(y.scale1, d, out[k].scale1 + i);
      StoreU(y.scale2, d, out[k].scale2 + i);
    });
  }
}

template <size_t kInputs, size_t kOutputs, class Dtype>
GELU_NOINLINE void MapWide(WideKernel wide, const void* const* in, void* const* out, size_t n,
                           const gelu_params& params) {
  using T = typename Dtype::T;
  using D = Tag<double>;
  const D d;
  InWholeVectors<kInputs, kOutputs, T>(d, in, out, n, [&](const T* const* x, T* const* y, size_t whole) {
    WideInput from[kInputs];
    WideOutput to[kOutputs];
    for (size_t begin = 0; begin < whole; begin += kWideBlock) {
      const size_t count = whole - begin < kWideBlock ? whole - begin : kWideBlock;
      for (size_t k = 0; k < kInputs; ++k) {
        for (size_t i = 0; i < count; i += Lanes(d)) StoreU(Dtype::Load(d, x[k] + begin + i), d, from[k].x + i);
      }
      wide(from, to, count, params);
      for (size_t k = 0; k < kOutputs; ++k) {
        const WideOutput& o = to[k];
        for (size_t i = 0; i < count; i += Lanes(d)) {
          const Pair<Vec<D>> value = {LoadU(d, o.hi + i), LoadU(d, o.lo + i)};
          const Unrounded<D> unrounded = {value, LoadU(d, o.scale1 + i), LoadU(d, o.scale2 + i)};
          Dtype::Store(d, unrounded, y[k] + begin + i);
        }
      }
    }
  });
}

GELU_END
#endif  // toggled guard
