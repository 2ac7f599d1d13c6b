// SPDX-License-Identifier: Apache-2.0
// The one loop: load, apply the form, round and store. The last, partial vector goes through the same code on padded
// copies, so that no element's result depends on where it lies.
#if defined(GELU_MAP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_MAP_INL_H_
#undef GELU_MAP_INL_H_
#else
#define GELU_MAP_INL_H_
#endif
#include <cstring>

#include "gelu/forms-inl.h"

GELU_BEGIN

template <class Card, class Form, class Dtype>
void Map(const void* const* in, void* const* out, size_t n, const gelu_params& params) {
  using T = typename Dtype::T;
  const Tag<double> d;
  using V = Vec<Tag<double>>;
  const Context context = Prepare<Card>(params);
  const size_t lanes = Lanes(d);

  const auto step = [&](const T* const* from, T* const* to) {
    V x[Form::kInputs];
    for (size_t k = 0; k < Form::kInputs; ++k) x[k] = Dtype::Load(d, from[k]);
    Unrounded<Tag<double>> y[Form::kOutputs];
    Form::template Apply<Card>(d, context, x, y);
    for (size_t k = 0; k < Form::kOutputs; ++k) Dtype::Store(d, y[k], to[k]);
  };

  const T* from[Form::kInputs];
  T* to[Form::kOutputs];
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    for (size_t k = 0; k < Form::kInputs; ++k) from[k] = static_cast<const T*>(in[k]) + i;
    for (size_t k = 0; k < Form::kOutputs; ++k) to[k] = static_cast<T*>(out[k]) + i;
    step(from, to);
  }
  if (i == n) return;

  constexpr size_t kMaxLanes = 32;
  T padded_in[Form::kInputs][kMaxLanes] = {}, padded_out[Form::kOutputs][kMaxLanes];
  for (size_t k = 0; k < Form::kInputs; ++k) {
    std::memcpy(padded_in[k], static_cast<const T*>(in[k]) + i, (n - i) * sizeof(T));
    from[k] = padded_in[k];
  }
  for (size_t k = 0; k < Form::kOutputs; ++k) to[k] = padded_out[k];
  step(from, to);
  for (size_t k = 0; k < Form::kOutputs; ++k) {
    std::memcpy(static_cast<T*>(out[k]) + i, padded_out[k], (n - i) * sizeof(T));
  }
}

GELU_END
#endif  // toggled guard
