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
#include <type_traits>

#include "gelu/core/rows-inl.h"
#include "gelu/forms-inl.h"

GELU_BEGIN

// A function with rows has a faster way for all types but f64.
template <class Card, class Form>
concept HasRows = requires(double alpha) {
  Card::template FindRows<Form::kOrder>(alpha);
};

// In f64 lanes: any function, form, element type and alpha. Inlined into its callers, it costs clang minutes and 8 GB.
template <class Card, class Form, class Dtype>
GELU_NOINLINE void MapWide(const void* const* in, void* const* out, size_t n, const gelu_params& params) {
  using T = typename Dtype::T;
  const Tag<double> d;
  using V = Vec<Tag<double>>;
  const Context context = Prepare<Card>(params);
  const size_t lanes = Lanes(d);

  const auto step = [&](const T* const* from, T* const* to) {
    V x[Form::kInputs];
    for (size_t k = 0; k < Form::kInputs; ++k) x[k] = Dtype::Load(d, from[k]);
    const auto store = [&](size_t k, const Unrounded<Tag<double>>& y) { Dtype::Store(d, y, to[k]); };
    Form::template Apply<Card>(d, context, x, store);
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

// In f32 lanes by rows, n a multiple of the number of lanes. The offsets of a block come first: a row's load would wait
// for them. Undecided lanes go through f64.
template <class Card, class Form, class Dtype>
void MapRowsVectors(const Rows& all_rows, const typename Dtype::T* const* in, typename Dtype::T* y, size_t n,
                    const gelu_params& params) {
  const Rows rows = all_rows;  // which the compiler knows not to be written to
  using V = Vec<Tag<float>>;
  const Tag<float> d;
  const RebindToUnsigned<Tag<float>> du;
  const size_t lanes = Lanes(d);
  constexpr size_t kBlock = 256;
  alignas(64) uint32_t offset[kBlock];
  alignas(64) float x[kBlock];
  for (size_t begin = 0; begin < n; begin += kBlock) {
    const size_t count = n - begin < kBlock ? n - begin : kBlock;
    for (size_t i = 0; i < count; i += lanes) {
      const V v = Dtype::LoadSingle(d, in[0] + begin + i);
      StoreU(RowOffset(d, rows, v), du, offset + i);
      StoreU(v, d, x + i);
    }
    for (size_t i = 0; i < count; i += lanes) {
      V v[Form::kInputs] = {LoadU(d, x + i)};
      for (size_t k = 1; k < Form::kInputs; ++k) v[k] = Dtype::LoadSingle(d, in[k] + begin + i);
      auto undecided = Lt(Zero(d), Zero(d));  // none
      const V result = Form::FromRows(d, rows, offset + i, v, &undecided);
      // Of one input, the result is to be rounded as if once.
      constexpr bool kRoundsOnce = Form::kInputs == 1;
      auto bits = Dtype::template SingleToBits<kRoundsOnce>(d, result, Eq(v[0], v[0]), &undecided);
      if constexpr (!(std::is_same_v<Dtype, F32> && kRoundsOnce)) {
        if (!AllFalse(d, undecided)) {
          typename Dtype::T results[kMaxLanes];
          const void* from[Form::kInputs];
          for (size_t k = 0; k < Form::kInputs; ++k) from[k] = in[k] + begin + i;
          void* const to[] = {results};
          MapWide<Card, Form, Dtype>(from, to, lanes, params);
          bits = IfThenElse(RebindMask(du, undecided), Dtype::LoadBits(du, results), bits);
        }
      }
      Dtype::StoreBits(du, bits, y + begin + i);
    }
  }
}

template <class Card, class Form, class Dtype>
void MapRows(const Rows& rows, const void* const* in, void* out, size_t n, const gelu_params& params) {
  using T = typename Dtype::T;
  const size_t lanes = Lanes(Tag<float>()), whole = n - n % lanes;
  const T* from[Form::kInputs];
  for (size_t k = 0; k < Form::kInputs; ++k) from[k] = static_cast<const T*>(in[k]);
  T* const y = static_cast<T*>(out);
  MapRowsVectors<Card, Form, Dtype>(rows, from, y, whole, params);
  if (whole == n) return;
  T padded[Form::kInputs][kMaxLanes] = {};
  for (size_t k = 0; k < Form::kInputs; ++k) {
    std::memcpy(padded[k], from[k] + whole, (n - whole) * sizeof(T));
    from[k] = padded[k];
  }
  MapRowsVectors<Card, Form, Dtype>(rows, from, padded[0], lanes, params);
  std::memcpy(y + whole, padded[0], (n - whole) * sizeof(T));
}

template <class Card, class Form, class Dtype>
void Map(const void* const* in, void* const* out, size_t n, const gelu_params& params) {
  if constexpr (!std::is_same_v<Dtype, F64> && HasRows<Card, Form>) {
    const Rows* rows = Card::template FindRows<Form::kOrder>(params.alpha);
    if (rows != nullptr && params.clip == std::numeric_limits<double>::infinity()) {
      return MapRows<Card, Form, Dtype>(*rows, in, out[0], n, params);
    }
  }
  MapWide<Card, Form, Dtype>(in, out, n, params);
}

GELU_END
#endif  // toggled guard
