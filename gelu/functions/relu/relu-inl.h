// SPDX-License-Identifier: Apache-2.0
// relu(x) = x step(x), step(0) = 1/2: the limit of every other function for alpha -> infinity, f'(0) = 1/2 included.
#if defined(GELU_FUNCTIONS_RELU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_FUNCTIONS_RELU_INL_H_
#undef GELU_FUNCTIONS_RELU_INL_H_
#else
#define GELU_FUNCTIONS_RELU_INL_H_
#endif
#include "gelu/core/branch-inl.h"

GELU_BEGIN

struct Relu {
  static constexpr bool kUsesAlpha = false;
  static constexpr double kSaturation = 1;

  template <int kOrder, class D>
  static GELU_INLINE Scaled<D> Lower(D d, Pair<Vec<D>> t) {
    const RebindToUnsigned<D> du;
    const Vec<D> zero = Zero(d);
    const Vec<D> step = kOrder == 2 ? zero : IfThenElse(Eq(t.hi, zero), Set(d, 0.5), zero);
    return {{step, zero}, Zero(du)};
  }
};

GELU_END
#endif  // toggled guard
