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

// Exact<kOrder> is f (kOrder 0), f' (1), f'' (2), f''' (3) or gate' (kGateSlope) in lanes of any type: no result needs
// rounding.
struct Relu {
  static constexpr bool kUsesAlpha = false;
  static constexpr double kSaturation = 1;

  template <int kOrder, class D>
  static GELU_INLINE Scaled<D> Lower(D d, Pair<Vec<D>> t) {
    const RebindToUnsigned<D> du;
    const Vec<D> zero = Zero(d);
    const Vec<D> step = kOrder >= 2 ? zero : IfThenElse(Eq(t.hi, zero), Set(d, 0.5), zero);
    return {{step, zero}, Zero(du)};
  }

  template <int kOrder, class D>
  static GELU_INLINE Vec<D> Exact(D d, Vec<D> x) {
    const Vec<D> zero = Zero(d);
    if constexpr (kOrder == 0) return IfNegativeThenElse(x, Neg(zero), x);
    if constexpr (kOrder >= 2) return zero;
    return IfThenElse(Eq(x, zero), Set(d, 0.5f), IfNegativeThenElse(x, zero, Set(d, 1.0f)));
  }
};

GELU_END
#endif  // toggled guard
