// SPDX-License-Identifier: Apache-2.0
// gelu_tanh(x) = x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2 = x logistic(u(x)), u(x) = 2 sqrt(2/pi) (x + 0.044715
// x^3).
#if defined(GELU_FUNCTIONS_GELU_TANH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_FUNCTIONS_GELU_TANH_INL_H_
#undef GELU_FUNCTIONS_GELU_TANH_INL_H_
#else
#define GELU_FUNCTIONS_GELU_TANH_INL_H_
#endif
#include "gelu/core/logistic-inl.h"
#include "gelu/functions/gelu_tanh/roots.h"
#include "gelu/functions/gelu_tanh/rows.h"
#include "gelu/functions/gelu_tanh/rows64.h"

GELU_BEGIN

struct GeluTanh {
  static constexpr bool kUsesAlpha = true;
  static constexpr double kSaturation = 34.5;  // beyond it every result has its limit, whatever multiplies it

  template <int kOrder, class D>
  static GELU_INLINE Scaled<D> Lower(D d, Pair<Vec<D>> t) {
    using V = Vec<D>;
    constexpr Pair64 kLinear = {0x1.9884533d43651p+0, -0x1.cbc0d30ebfd15p-54};  // 2 sqrt(2/pi)
    constexpr Pair64 kCubic = {0x1.6e4e26d4801f7p-5, 0x1.441355475a31ap-59};    // 0.044715
    const Pair<V> linear = SetPair(d, kLinear), cubic = SetPair(d, kCubic);
    const V one = Set(d, 1.0), three = Set(d, 3.0);
    const Pair<V> square = Mul(cubic, Mul(t, t));  // 0.044715 t^2
    const Argument<V> a = {Mul(Mul(linear, t), Add(square, one)), Mul(linear, Add(Mul(square, three), one)),
                           Mul(Mul(linear, Mul(cubic, t)), Set(d, 6.0)), Mul(Mul(linear, cubic), Set(d, 6.0))};
    const Scaled<D> lower = LogisticLower<kOrder>(d, t, a);
    if constexpr (kOrder == 1) return NearRoot(d, kGeluTanhRoot1, t, lower);
    if constexpr (kOrder == 2) return NearRoot(d, kGeluTanhRoot2, t, lower);
    if constexpr (kOrder == 3) return NearRoot(d, kGeluTanhRoot3, t, NearZero(d, kGeluTanhZero3, t, lower));
    return lower;
  }

  static constexpr RowSet kRowSets[] = {{1.0,
                                         {&kGeluTanhRows0, &kGeluTanhRows1, &kGeluTanhRows2},
                                         {&kGeluTanhRows64Of0, &kGeluTanhRows64Of1, &kGeluTanhRows64Of2}}};
};

GELU_END
#endif  // toggled guard
