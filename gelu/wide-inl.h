// SPDX-License-Identifier: Apache-2.0
// The wide way: any function, form, element type and alpha in f64 lanes. What depends on the function knows no element
// type, and what depends on the element type no function.
#if defined(GELU_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_WIDE_INL_H_
#undef GELU_WIDE_INL_H_
#else
#define GELU_WIDE_INL_H_
#endif
#include <cstring>

#include "gelu/forms-inl.h"

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
  const Tag<double> d;
  const size_t lanes = Lanes(d);
  WideInput from[kInputs];
  WideOutput to[kOutputs];
  for (size_t begin = 0; begin < n; begin += kWideBlock) {
    const size_t count = n - begin < kWideBlock ? n - begin : kWideBlock, whole = count - count % lanes;
    T padded[kMaxLanes];
    for (size_t k = 0; k < kInputs; ++k) {
      const T* const x = static_cast<const T*>(in[k]) + begin;
      for (size_t i = 0; i < whole; i += lanes) StoreU(Dtype::Load(d, x + i), d, from[k].x + i);
      if (whole == count) continue;
      std::memset(padded, 0, lanes * sizeof(T));
      std::memcpy(padded, x + whole, (count - whole) * sizeof(T));
      StoreU(Dtype::Load(d, padded), d, from[k].x + whole);
    }
    wide(from, to, count, params);
    for (size_t k = 0; k < kOutputs; ++k) {
      const auto store = [&](size_t i, T* y) {
        const WideOutput& o = to[k];
        const Pair<Vec<Tag<double>>> value = {LoadU(d, o.hi + i), LoadU(d, o.lo + i)};
        Dtype::Store(d, Unrounded<Tag<double>>{value, LoadU(d, o.scale1 + i), LoadU(d, o.scale2 + i)}, y);
      };
      T* const y = static_cast<T*>(out[k]) + begin;
      for (size_t i = 0; i < whole; i += lanes) store(i, y + i);
      if (whole == count) continue;
      store(whole, padded);
      std::memcpy(y + whole, padded, (count - whole) * sizeof(T));
    }
  }
}

GELU_END
#endif  // toggled guard
