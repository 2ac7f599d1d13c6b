// SPDX-License-Identifier: Apache-2.0
// The kernels of every function, for the target that is being compiled.
#if defined(GELU_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_TABLE_INL_H_
#undef GELU_TABLE_INL_H_
#else
#define GELU_TABLE_INL_H_
#endif
#include <iterator>

#include "gelu/core/variate-inl.h"
#include "gelu/kernels.h"
#include "gelu/map-inl.h"

// The path is not an expression:
// clang-format off
#define GELU_FOLDER(name) GELU_FOLDER_PATH(gelu/functions/name/name-inl.h)
// clang-format on
#define GELU_FUNCTION(...)
#include "gelu/family.def"

GELU_BEGIN

template <class Card, class T>
inline constexpr RowKernels<T> kExactKernels = MakeExactKernels<Card, T>();

template <class Card>
constexpr FunctionKernels MakeFunctionKernels() {
  FunctionKernels kernels = {{&Wide<Card, 0>, &Wide<Card, 1>, &Wide<Card, 2>, &Wide<Card, 3>, &Wide<Card, kAlphaOrder>},
                             nullptr,
                             0,
                             nullptr,
                             nullptr};
  if constexpr (requires { &Card::template Exact<0, Tag<double>>; }) {
    kernels.exact_f32 = &kExactKernels<Card, float>;
    kernels.exact_f64 = &kExactKernels<Card, double>;
  } else if constexpr (requires { Card::kRowSets; }) {
    kernels.sets = Card::kRowSets;
    kernels.set_count = std::size(Card::kRowSets);
  }
  return kernels;
}

inline constexpr FunctionKernels kFunctionKernels[] = {
#define GELU_FUNCTION(name, Card, ...) MakeFunctionKernels<Card>(),
#include "gelu/family.def"
};
inline const FunctionKernels& KernelsOf(gelu_function function) { return kFunctionKernels[function]; }

GELU_NOINLINE inline void Words(uint64_t seed, uint64_t stream, uint64_t first, uint32_t* words, size_t n) {
  RandomWords(Tag<uint64_t>(), seed, stream, first, words, n);
}

GELU_NOINLINE inline void Variates(const uint32_t* words, double* variates, size_t n) {
  const Tag<double> d;
  const RebindToUnsigned<Tag<double>> du;
  const Rebind<uint32_t, Tag<double>> dw;
  const size_t rest = n % Lanes(d), whole = n - rest;
  for (size_t i = 0; i < whole; i += Lanes(d)) {
    StoreU(NormalVariate(d, PromoteTo(du, LoadU(dw, words + i))), d, variates + i);
  }
  if (rest == 0) return;
  alignas(64) double last[kMaxLanes];
  StoreU(NormalVariate(d, PromoteTo(du, LoadFew(dw, words + whole, rest))), d, last);
  std::memcpy(variates + whole, last, rest * sizeof *last);
}

inline constexpr Kernels kKernels = {&Apply, &Words, &Variates};

GELU_END
#endif  // toggled guard
