// SPDX-License-Identifier: Apache-2.0
// f and its derivatives at a point, in f64 lanes, before their one rounding: special values, alpha, scaling.
#if defined(GELU_POINT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_POINT_INL_H_
#undef GELU_POINT_INL_H_
#else
#define GELU_POINT_INL_H_
#endif
#include <cmath>
#include <limits>

#include "gelu/core/branch-inl.h"
#include "gelu/forms.h"
#include "gelu/unrounded-inl.h"

GELU_BEGIN

static_assert(kGateSlope == kAlphaOrder);

// alpha, prepared once for a call.
struct Context {
  double alpha;
  double reach;  // |x| beyond which alpha x saturates
};

template <class Card>
Context Prepare(const gelu_params& params) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  const double alpha = Card::kUsesAlpha ? params.alpha : 1.0;
  const double magnitude = std::fabs(alpha), reach = 2 * Card::kSaturation;
  return {alpha, magnitude > reach / kLargest ? reach / magnitude : kLargest};
}

// An input x + low, made finite, with t = |alpha (x + low)| as a pair, at most kSaturation.
template <class D>
struct Point {
  Vec<D> x, low;
  Pair<Vec<D>> t;
  decltype(Lt(Vec<D>(), Vec<D>())) negative, infinite, nan;
};

// low is at most half an ULP of x, and zero where x is infinite or NaN.
template <class Card, class D>
GELU_INLINE Point<D> MakePoint(D d, const Context& c, Vec<D> input, Vec<D> low) {
  using V = Vec<D>;
  const V zero = Zero(d), largest = Set(d, std::numeric_limits<double>::max());
  const auto nan = Not(Eq(input, input));
  const V number = IfThenElse(nan, zero, input);
  const auto infinite = Lt(largest, Abs(number));
  const V x = Max(Min(number, largest), Neg(largest));
  const V reach = Set(d, c.reach), alpha = Set(d, c.alpha), near = Max(Min(x, reach), Neg(reach));
  const Pair<V> product = TwoProduct(near, alpha);
  const Pair<V> z = Normal(product.hi, MulAdd(IfThenElseZero(Eq(near, x), low), alpha, product.lo));
  const auto negative = Lt(z.hi, zero);
  const Pair<V> t = IfThenElse(negative, Neg(z), z);
  // At infinity z is infinite however small alpha is, but for alpha = 0.
  const V end = Set(d, Card::kSaturation);
  const V size = c.alpha == 0 ? t.hi : IfThenElse(infinite, end, t.hi);
  return {x, low, IfThenElse(Lt(size, end), t, Pair<V>{end, zero}), negative, infinite, nan};
}

// The gate (kOrder 0), a derivative of f (1 to 3) or the slope of the gate (kGateSlope) at alpha = 1 of the point; at
// infinity the limit, exactly.
template <class Card, int kOrder, class D>
GELU_INLINE Scaled<D> EvaluateAt(D d, const Context& c, const Point<D>& p) {
  Scaled<D> g = Evaluate<Card, kOrder>(d, p.t, p.negative);
  auto vanishes = kOrder >= 2 ? p.infinite : And(p.infinite, p.negative);
  if constexpr (kOrder == kGateSlope) {
    if (c.alpha == 0) vanishes = Lt(Zero(d), Zero(d));  // z is 0 at infinity too
  }
  const auto zero = Zero(d);
  g.value.hi = IfThenElse(vanishes, Mul(g.value.hi, zero), g.value.hi);
  g.value.lo = IfThenElse(p.infinite, zero, g.value.lo);
  return g;
}

// (factor + low) * g. A huge factor is scaled, so that the product does not overflow, and a tiny one, so that its low
// part does not underflow.
template <class D>
GELU_INLINE Unrounded<D> Product(D d, Vec<D> factor, Vec<D> low, Scaled<D> g) {
  using V = Vec<D>;
  const RebindToUnsigned<D> du;
  const V size = Abs(factor), zero = Zero(d);
  const auto huge = Ge(size, Set(d, 0x1p960)), tiny = Lt(size, Set(d, 0x1p-640));
  const V to = IfThenElse(huge, Set(d, 0x1p-960), IfThenElse(tiny, Set(d, 0x1p256), Set(d, 1.0)));
  const V from = IfThenElse(huge, Set(d, 960.0), IfThenElse(tiny, Set(d, -256.0), zero));
  const Pair<V> product = TwoProduct(g.value.hi, Mul(factor, to));
  const V rest = MulAdd(g.value.hi, Mul(low, to), MulAdd(g.value.lo, Mul(factor, to), product.lo));
  const Pair<V> value = Normal(product.hi, rest);
  const V magic = Set(d, 0x1p52), shift = Sub(BitCast(d, Or(g.shift, BitCast(du, magic))), magic);
  return {{WithSignOfProduct(d, value.hi, factor, g.value.hi), value.lo}, Sub(from, shift)};
}

template <class D>
GELU_INLINE Unrounded<D> NanAsNan(D d, const Point<D>& p, Unrounded<D> y) {
  return Replace(d, p.nan, Set(d, std::numeric_limits<double>::quiet_NaN()), y);
}

// f (kOrder 0), a derivative of it (1 to 3), or df/dalpha (kAlphaOrder).
template <class Card, int kOrder, class D>
GELU_INLINE Unrounded<D> DerivativeAt(D d, const Context& c, Vec<D> x, Vec<D> low) {
  // About zero f''' is linear; alpha x is to keep its low part.
  auto linear = Lt(Zero(d), Zero(d));
  if constexpr (kOrder == 3) {
    const auto largest = Set(d, 0x1p-900), size = Abs(IfThenElse(Eq(x, x), x, Zero(d)));
    const auto tiny = Lt(size, largest);
    linear = And(tiny, Lt(Mul(IfThenElseZero(tiny, size), Set(d, std::fabs(c.alpha))), largest));
    const auto raise = IfThenElse(linear, Set(d, 0x1p256), Set(d, 1.0));
    x = Mul(x, raise);
    low = Mul(low, raise);
  }
  const Point<D> p = MakePoint<Card>(d, c, x, low);
  const Scaled<D> g = EvaluateAt<Card, kOrder>(d, c, p);
  const auto zero = Zero(d);
  if constexpr (kOrder == 0) {
    const auto infinity = Set(d, std::numeric_limits<double>::infinity());
    const Unrounded<D> y = Product(d, p.x, p.low, g);
    const auto end = IfThenElse(Lt(p.x, zero), Neg(infinity), infinity);
    return NanAsNan(d, p, Replace(d, And(p.infinite, Not(p.negative)), end, y));
  } else if constexpr (kOrder == kAlphaOrder) {
    return NanAsNan(d, p, Times(d, Product(d, p.x, p.low, g), Pair<Vec<D>>{p.x, p.low}));
  } else {
    Unrounded<D> y = Product(d, Set(d, kOrder >= 2 ? c.alpha : 1.0), zero, g);
    if constexpr (kOrder == 3) {
      y = Times(d, y, Pair<Vec<D>>{Set(d, c.alpha), zero});
      y.exponent = Sub(y.exponent, IfThenElseZero(linear, Set(d, 256.0)));
      if (Card::kUsesAlpha && c.alpha != 0) {  // where alpha x is too small for a double, the sign remains
        const auto lost = And(Eq(p.t.hi, zero), Not(Eq(p.x, zero)));
        const auto sign = WithSignOfProduct(d, Set(d, 0x1p-1000), Neg(p.x), Set(d, c.alpha));
        y.value.hi = IfThenElse(lost, sign, y.value.hi);
        y.exponent = Sub(y.exponent, IfThenElseZero(lost, Set(d, 512.0)));
      }
    }
    return NanAsNan(d, p, y);
  }
}

GELU_END
#endif  // toggled guard
