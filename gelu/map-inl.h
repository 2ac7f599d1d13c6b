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

inline constexpr size_t kMaxLanes = 64;

// Forms of one input and one order of derivative, of a function with rows, have a faster way for all but f64.
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

// In f32 lanes by rows, n a multiple of the number of lanes. The indices of a block come first: a row's load would wait
// for them. Lanes that f32 does not decide, next to a root or, for 16 bits, next to a tie, go through f64.
template <class Card, class Form, class Dtype>
void MapRowsVectors(const Rows& rows, const typename Dtype::T* x, typename Dtype::T* y, size_t n,
                    const gelu_params& params) {
  const Tag<float> d;
  const RebindToUnsigned<Tag<float>> du;
  const size_t lanes = Lanes(d);
  constexpr size_t kBlock = 256;
  alignas(64) uint32_t index[kBlock];
  for (size_t begin = 0; begin < n; begin += kBlock) {
    const size_t count = n - begin < kBlock ? n - begin : kBlock;
    for (size_t i = 0; i < count; i += lanes) {
      StoreU(RowIndex(d, rows, Dtype::LoadSingle(d, x + begin + i)), du, index + i);
    }
    for (size_t i = 0; i < count; i += lanes) {
      const auto v = Dtype::LoadSingle(d, x + begin + i);
      auto undecided = Lt(Zero(d), Zero(d));  // none
      auto bits = Dtype::SingleToBits(d, RowValue<Form::kOrder>(d, rows, index + i, v), &undecided);
      if constexpr (Form::kOrder > 0) {
        undecided = Or(undecided, Lt(Abs(Sub(RowArgument(d, rows, v), Set(d, rows.root))), Set(d, rows.near)));
      }
      if (!AllFalse(d, undecided)) {
        typename Dtype::T results[kMaxLanes];
        const void* const in[] = {x + begin + i};
        void* const out[] = {results};
        MapWide<Card, Form, Dtype>(in, out, lanes, params);
        bits = IfThenElse(RebindMask(du, undecided), Dtype::LoadBits(du, results), bits);
      }
      Dtype::StoreBits(du, bits, y + begin + i);
    }
  }
}

template <class Card, class Form, class Dtype>
void MapRows(const Rows& rows, const typename Dtype::T* x, typename Dtype::T* y, size_t n, const gelu_params& params) {
  using T = typename Dtype::T;
  const size_t lanes = Lanes(Tag<float>()), whole = n - n % lanes;
  MapRowsVectors<Card, Form, Dtype>(rows, x, y, whole, params);
  if (whole == n) return;
  T padded[kMaxLanes] = {};
  std::memcpy(padded, x + whole, (n - whole) * sizeof(T));
  MapRowsVectors<Card, Form, Dtype>(rows, padded, padded, lanes, params);
  std::memcpy(y + whole, padded, (n - whole) * sizeof(T));
}

template <class Card, class Form, class Dtype>
void Map(const void* const* in, void* const* out, size_t n, const gelu_params& params) {
  if constexpr (!std::is_same_v<Dtype, F64> && HasRows<Card, Form>) {
    using T = typename Dtype::T;
    const Rows* rows = Card::template FindRows<Form::kOrder>(params.alpha);
    if (rows != nullptr && params.clip == std::numeric_limits<double>::infinity()) {
      return MapRows<Card, Form, Dtype>(*rows, static_cast<const T*>(in[0]), static_cast<T*>(out[0]), n, params);
    }
  }
  MapWide<Card, Form, Dtype>(in, out, n, params);
}

GELU_END
#endif  // toggled guard
