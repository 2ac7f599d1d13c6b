// SPDX-License-Identifier: Apache-2.0
// silu(x) = x logistic(x).
#if defined(GELU_FUNCTIONS_SILU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_FUNCTIONS_SILU_INL_H_
#undef GELU_FUNCTIONS_SILU_INL_H_
#else
#define GELU_FUNCTIONS_SILU_INL_H_
#endif
#include "gelu/core/logistic-inl.h"
#include "gelu/functions/silu/roots.h"
#include "gelu/functions/silu/rows.h"
#include "gelu/functions/silu/rows64.h"

GELU_BEGIN

struct Silu {
  static constexpr bool kUsesAlpha = true;
  static constexpr double kSaturation = 2890;  // beyond it every result has its limit, whatever multiplies it

  template <int kOrder, class D>
  static GELU_INLINE Scaled<D> Lower(D d, Pair<Vec<D>> t) {
    const Vec<D> zero = Zero(d);
    const Scaled<D> lower =
        LogisticLower<kOrder>(d, t, Argument<Vec<D>>{t, {Set(d, 1.0), zero}, {zero, zero}, {zero, zero}});
    if constexpr (kOrder == 1) return NearRoot(d, kSiluRoot1, t, lower);
    if constexpr (kOrder == 2) return NearRoot(d, kSiluRoot2, t, lower);
    if constexpr (kOrder == 3) return NearRoot(d, kSiluRoot3, t, NearZero(d, kSiluZero3, t, lower));
    return lower;
  }

  static constexpr RowSet kRowSets[] = {
      {1.0, {&kSiluRows0, &kSiluRows1, &kSiluRows2}, {&kSiluRows64Of0, &kSiluRows64Of1, &kSiluRows64Of2}},
      {1.702, {&kQuickRows0, &kQuickRows1}, {}},  // quick_gelu
  };
};

GELU_END
#endif  // toggled guard
