// SPDX-License-Identifier: Apache-2.0
// From an array to an array: exactly, or by rows where a function has them for the alpha, and for what these leave
// undecided, and otherwise, the wide way.
#if defined(GELU_MAP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_MAP_INL_H_
#undef GELU_MAP_INL_H_
#else
#define GELU_MAP_INL_H_
#endif
#include <limits>

#include "gelu/core/rows-inl.h"
#include "gelu/forms-inl.h"
#include "gelu/vectors-inl.h"
#include "gelu/wide-inl.h"

GELU_BEGIN

template <class Dtype>
using RowsOf = Rows<typename Dtype::Lane>;

// The elements of a block that rows leave undecided, and where they are to go.
template <size_t kInputs, class Dtype, size_t kBlock>
struct Undecided {
  using T = typename Dtype::T;
  size_t count = 0;
  uint32_t at[kBlock];
  T in[kInputs][kBlock];

  template <class D>
  GELU_NOINLINE void Add(D d, MaskOf<D> lanes, const T* const* from, size_t begin) {
    const RebindToUnsigned<D> du;
    typename RowFormat<typename Dtype::Lane>::Bits marks[kMaxLanes];
    StoreU(IfThenElseZero(RebindMask(du, lanes), Set(du, 1u)), du, marks);
    for (size_t i = 0; i < Lanes(d); ++i) {
      if (marks[i] == 0) continue;
      for (size_t k = 0; k < kInputs; ++k) in[k][count] = from[k][begin + i];
      at[count++] = static_cast<uint32_t>(begin + i);
    }
  }
  GELU_NOINLINE void Decide(WideKernel wide, const gelu_params& params, T* y) const {
    const void* from[kInputs];
    for (size_t k = 0; k < kInputs; ++k) from[k] = in[k];
    T results[kBlock];
    void* const to[] = {results};
    MapWide<kInputs, 1, Dtype>(wide, from, to, count, params);
    for (size_t i = 0; i < count; ++i) y[at[i]] = results[i];
  }
};

// By rows, n a multiple of the number of lanes. The offsets of a block come first: a row's load would wait for them.
// The same code for every function.
template <class Form, class Dtype, class Alpha>
GELU_NOINLINE void MapRowsVectors(const RowsOf<Dtype>& all_rows, const Alpha& all_alpha, WideKernel wide,
                                  const typename Dtype::T* const* in, typename Dtype::T* y, size_t n,
                                  const gelu_params& params) {
  const auto rows = all_rows;  // which the compiler knows not to be written to
  const auto alpha = all_alpha;
  using D = Tag<typename Dtype::Lane>;
  using V = Vec<D>;
  const D d;
  const RebindToUnsigned<D> du;
  const size_t lanes = Lanes(d);
  // Of one input, the result is to be rounded as if once.
  constexpr bool kRoundsOnce = Form::kInputs == 1;
  constexpr bool kDecides = kRoundsOnce && Dtype::kRowsDecide && !kHasAlpha<Alpha>;
  constexpr bool kConverts = !std::is_same_v<typename Dtype::T, typename Dtype::Lane>;
  constexpr size_t kBlock = 256;
  alignas(64) typename RowFormat<typename Dtype::Lane>::Bits offset[kBlock];
  alignas(64) typename Dtype::Lane converted[kBlock];
  for (size_t begin = 0; begin < n; begin += kBlock) {
    const size_t count = n - begin < kBlock ? n - begin : kBlock;
    const typename Dtype::T* from[Form::kInputs];
    for (size_t k = 0; k < Form::kInputs; ++k) from[k] = in[k] + begin;
    for (size_t i = 0; i < count; i += lanes) {
      const V x = Dtype::LoadLanes(d, from[0] + i);
      StoreU(RowOffset(d, rows, alpha, x), du, offset + i);
      if constexpr (kConverts) StoreU(x, d, converted + i);
    }
    Undecided<Form::kInputs, Dtype, kDecides ? 1 : kBlock> left;
    for (size_t i = 0; i < count; i += lanes) {
      V v[Form::kInputs];
      for (size_t k = 0; k < Form::kInputs; ++k) v[k] = Dtype::LoadLanes(d, from[k] + i);
      if constexpr (kConverts) v[0] = LoadU(d, converted + i);
      auto undecided = Lt(Zero(d), Zero(d));  // none
      const V result = Form::FromRows(d, rows, alpha, offset + i, v, &undecided);
      const auto bits = Dtype::template LanesToBits<kRoundsOnce>(d, result, Eq(v[0], v[0]), &undecided);
      if constexpr (!kDecides) {
        if (!AllFalse(d, undecided)) left.Add(d, undecided, from, i);
      }
      Dtype::StoreBits(du, bits, y + begin + i);
    }
    if constexpr (!kDecides) {
      if (left.count != 0) left.Decide(wide, params, y + begin);
    }
  }
}

template <class Form, class Dtype, class Alpha>
void MapRows(const RowsOf<Dtype>& rows, const Alpha& alpha, WideKernel wide, const void* const* in, void* const* out,
             size_t n, const gelu_params& params) {
  using T = typename Dtype::T;
  const Tag<typename Dtype::Lane> d;
  InWholeVectors<Form::kInputs, 1, T>(d, in, out, n, [&](const T* const* x, T* const* y, size_t whole) {
    MapRowsVectors<Form, Dtype>(rows, alpha, wide, x, y[0], whole, params);
  });
}

template <class Card, class Form, class Dtype>
void MapExact(const void* const* in, void* const* out, size_t n) {
  using T = typename Dtype::T;
  using D = Tag<typename Dtype::Lane>;
  const D d;
  InWholeVectors<Form::kInputs, 1, T>(d, in, out, n, [&](const T* const* x, T* const* y, size_t whole) {
    for (size_t i = 0; i < whole; i += Lanes(d)) {
      Vec<D> v[Form::kInputs];
      for (size_t k = 0; k < Form::kInputs; ++k) v[k] = Dtype::LoadLanes(d, x[k] + i);
      const Vec<D> result = Form::template FromExact<Card>(d, v);
      const auto number = And(Eq(v[0], v[0]), Eq(result, result));
      MaskOf<D> undecided = number;  // no one asks
      Dtype::StoreBits(RebindToUnsigned<D>(), Dtype::template LanesToBits<false>(d, result, number, &undecided),
                       y[0] + i);
    }
  });
}

template <class Card, class Form, class Dtype>
void Map(const void* const* in, void* const* out, size_t n, const gelu_params& params) {
  constexpr WideKernel kWide = &Wide<Card, Form>;
  const bool clips = params.clip != std::numeric_limits<double>::infinity();
  if constexpr (requires { &Card::template Exact<0, Tag<double>>; }) {
    if (!clips) return MapExact<Card, Form, Dtype>(in, out, n);
  } else if constexpr (requires { Card::kRowSets; }) {
    if (!clips) {
      for (const RowSet& set : Card::kRowSets) {
        const RowsOf<Dtype>* rows = set.Find<typename Dtype::Lane>(Form::kOrder);
        if (set.alpha != params.alpha || rows == nullptr) continue;
        return MapRows<Form, Dtype>(*rows, AlphaIsOne(), kWide, in, out, n, params);
      }
      if (HasRowAlpha(params.alpha)) {
        const RowsOf<Dtype>& rows = *Card::kRowSets[0].template Find<typename Dtype::Lane>(Form::kOrder);
        const auto alpha = MakeRowAlpha(rows, params.alpha);
        return MapRows<Form, Dtype>(rows, alpha, kWide, in, out, n, params);
      }
    }
  }
  MapWide<Form::kInputs, Form::kOutputs, Dtype>(kWide, in, out, n, params);
}

GELU_END
#endif  // toggled guard
