// SPDX-License-Identifier: Apache-2.0
// gelu(x) = x Phi(x), Phi the standard normal distribution function.
#if defined(GELU_FUNCTIONS_GELU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_FUNCTIONS_GELU_INL_H_
#undef GELU_FUNCTIONS_GELU_INL_H_
#else
#define GELU_FUNCTIONS_GELU_INL_H_
#endif
#include "gelu/core/branch-inl.h"
#include "gelu/core/normal-inl.h"
#include "gelu/functions/gelu/roots.h"
#include "gelu/functions/gelu/rows.h"
#include "gelu/functions/gelu/rows64.h"

GELU_BEGIN

// phi = density, Q(t) = Phi(-t) = exp(-t^2/2) M(t), phi(t) = exp(-t^2/2) phi(0):
//   gate(-t) = Q(t),   f'(-t) = Q(t) - t phi(t),   f''(t) = (2 - t^2) phi(t),
//   f'''(-t) = t (2 - t) (2 + t) phi(t),   gate'(t) = phi(t).
struct Gelu {
  static constexpr bool kUsesAlpha = true;
  static constexpr double kSaturation = 76.5;  // beyond it every result has its limit, whatever multiplies it

  template <int kOrder, class D>
  static GELU_INLINE Scaled<D> Lower(D d, Pair<Vec<D>> t) {
    constexpr Pair64 kPhi0 = {0x1.9884533d43651p-2, -0x1.cbc0d30ebfd15p-56};  // 1 / sqrt(2 pi)
    const Pair<Vec<D>> square = Mul(t, t);
    const Scaled<D> e = ExpNegative(d, Scale(square, Set(d, 0.5)));
    if constexpr (kOrder == 2) {
      const Pair<Vec<D>> factor = Mul(Add(Neg(square), Set(d, 2.0)), SetPair(d, kPhi0));
      return NearRoot(d, kGeluRoot2, t, Scaled<D>{Mul(e.value, factor), e.shift});
    }
    if constexpr (kOrder == 3) {
      const Scaled<D> raised = RaiseTiny(d, t);
      const Vec<D> two = Set(d, 2.0);
      const Pair<Vec<D>> factor = Mul(Mul(Add(Neg(t), two), Add(t, two)), SetPair(d, kPhi0));
      return {Mul(Mul(e.value, raised.value), factor), Add(e.shift, raised.shift)};
    }
    if constexpr (kOrder == kGateSlope) return {Mul(e.value, SetPair(d, kPhi0)), e.shift};
    const Pair<Vec<D>> mills = MillsRatio(d, t);
    if constexpr (kOrder == 0) return {Mul(e.value, mills), e.shift};
    const Pair<Vec<D>> difference = Add(mills, Neg(Mul(t, SetPair(d, kPhi0))));
    return NearRoot(d, kGeluRoot1, t, Scaled<D>{Mul(e.value, difference), e.shift});
  }

  static constexpr RowSet kRowSets[] = {
      {1.0, {&kGeluRows0, &kGeluRows1, &kGeluRows2}, {&kGeluRows64Of0, &kGeluRows64Of1, &kGeluRows64Of2}}};
};

GELU_END
#endif  // toggled guard
