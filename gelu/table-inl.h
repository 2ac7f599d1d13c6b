// SPDX-License-Identifier: Apache-2.0
// The kernels of every function, for the target that is being compiled.
#if defined(GELU_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_TABLE_INL_H_
#undef GELU_TABLE_INL_H_
#else
#define GELU_TABLE_INL_H_
#endif
#include <iterator>

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

inline constexpr Kernels kKernels = {&Apply};

GELU_END
#endif  // toggled guard
