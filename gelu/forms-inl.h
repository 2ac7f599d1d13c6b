// SPDX-License-Identifier: Apache-2.0
// How a function is applied: each form reads kInputs vectors of f64 lanes and hands kOutputs results, not yet
// rounded, to store(which, result). FromRows is the same from rows, in lanes of f32 or f64, but where undecided;
// FromExact for functions that need no rounding.
#if defined(GELU_FORMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_FORMS_INL_H_
#undef GELU_FORMS_INL_H_
#else
#define GELU_FORMS_INL_H_
#endif
#include <cmath>
#include <limits>

#include "gelu/core/branch-inl.h"
#include "gelu/core/rows-inl.h"
#include "gelu/dtype-inl.h"
#include "gelu/gelu.h"

GELU_BEGIN

// The parameters of one call, prepared once.
struct Context {
  double alpha;
  double clip;
  double reach;  // |x| beyond which alpha x saturates
};

template <class Card>
Context Prepare(const gelu_params& params) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  const double alpha = Card::kUsesAlpha ? params.alpha : 1.0;
  const double magnitude = std::fabs(alpha), reach = 2 * Card::kSaturation;
  return {alpha, params.clip, magnitude > reach / kLargest ? reach / magnitude : kLargest};
}

// An input x, made finite, with t = |alpha x| as a pair, at most kSaturation.
template <class D>
struct Point {
  Vec<D> x;
  Pair<Vec<D>> t;
  decltype(Lt(Vec<D>(), Vec<D>())) negative, infinite, nan;
};

template <class Card, class D>
GELU_INLINE Point<D> MakePoint(D d, const Context& c, Vec<D> input) {
  using V = Vec<D>;
  const V zero = Zero(d), largest = Set(d, std::numeric_limits<double>::max());
  const auto nan = Not(Eq(input, input));
  const V number = IfThenElse(nan, zero, input);
  const auto infinite = Lt(largest, Abs(number));
  const V x = Max(Min(number, largest), Neg(largest));
  const V reach = Set(d, c.reach), near = Max(Min(x, reach), Neg(reach));
  const Pair<V> z = TwoProduct(near, Set(d, c.alpha));
  const auto negative = Lt(z.hi, zero);
  const Pair<V> t = IfThenElse(negative, Neg(z), z);
  // At infinity z is infinite however small alpha is, but for alpha = 0.
  const V end = Set(d, Card::kSaturation);
  const V size = c.alpha == 0 ? t.hi : IfThenElse(infinite, end, t.hi);
  return {x, IfThenElse(Lt(size, end), t, Pair<V>{end, zero}), negative, infinite, nan};
}

// The gate (kOrder 0), f' (1) or f'' (2) at alpha = 1 of the point; at infinity the limit, exactly.
template <class Card, int kOrder, class D>
GELU_INLINE Scaled<D> EvaluateAt(D d, const Point<D>& p) {
  Scaled<D> g = Evaluate<Card, kOrder>(d, p.t, p.negative);
  const auto vanishes = kOrder == 2 ? p.infinite : And(p.infinite, p.negative);
  const auto zero = Zero(d);
  g.value = IfThenElse(vanishes, Pair<Vec<D>>{Mul(g.value.hi, zero), zero}, g.value);
  return g;
}

// factor * g. A huge factor is scaled, so that only a result that is too large overflows, and a tiny one, so that the
// low part of the product does not underflow.
template <class D>
GELU_INLINE Unrounded<D> Product(D d, Vec<D> factor, Scaled<D> g) {
  using V = Vec<D>;
  const V one = Set(d, 1.0), size = Abs(factor);
  const auto huge = Ge(size, Set(d, 0x1p960)), tiny = Lt(size, Set(d, 0x1p-640));
  const V to = IfThenElse(huge, Set(d, 0x1p-64), IfThenElse(tiny, Set(d, 0x1p256), one));
  const V from = IfThenElse(huge, Set(d, 0x1p64), IfThenElse(tiny, Set(d, 0x1p-256), one));
  const auto first = ShiftRight<1>(g.shift);
  const Pair<V> value = Mul(g.value, Mul(factor, to));
  const RebindToUnsigned<D> du;
  const auto sign = And(Xor(BitCast(du, factor), BitCast(du, g.value.hi)), Set(du, uint64_t{1} << 63));
  const V hi = BitCast(d, Or(BitCast(du, value.hi), sign));  // a sum of parts has lost the sign of a zero
  return {{hi, value.lo}, PowerOfHalf(d, first), Mul(PowerOfHalf(d, Sub(g.shift, first)), from)};
}

template <class D, class M>
GELU_INLINE Unrounded<D> Replace(D d, M where, Vec<D> exact, Unrounded<D> y) {
  const auto one = Set(d, 1.0);
  return {IfThenElse(where, Pair<Vec<D>>{exact, Zero(d)}, y.value), IfThenElse(where, one, y.scale1),
          IfThenElse(where, one, y.scale2)};
}

template <class D>
GELU_INLINE Unrounded<D> NanAsNan(D d, const Point<D>& p, Unrounded<D> y) {
  return Replace(d, p.nan, Set(d, std::numeric_limits<double>::quiet_NaN()), y);
}

template <class Card, class D>
GELU_INLINE Unrounded<D> Value(D d, const Point<D>& p) {
  const Unrounded<D> y = Product(d, p.x, EvaluateAt<Card, 0>(d, p));
  const auto infinity = Set(d, std::numeric_limits<double>::infinity());
  const auto negative_x = Lt(p.x, Zero(d));
  return Replace(d, And(p.infinite, Not(p.negative)), IfThenElse(negative_x, Neg(infinity), infinity), y);
}

// With a clip, derivatives vanish where the value lies beyond it: there the result is dy * 0, dy = 1 but in Backward.
template <class Card, class D>
GELU_INLINE Unrounded<D> ZeroBeyondClip(D d, const Context& c, const Point<D>& p, Vec<D> dy, Unrounded<D> y) {
  if (c.clip == std::numeric_limits<double>::infinity()) return y;
  const auto clip = Set(d, c.clip);
  const Unrounded<D> value = Value<Card>(d, p);
  const auto size = Abs(RoundToNearest(value));
  const auto rest = IfNegativeThenElse(value.value.hi, Neg(value.value.lo), value.value.lo);  // of the size
  const auto beyond = Or(Lt(clip, size), And(Eq(size, clip), Lt(Zero(d), rest)));
  return Replace(d, beyond, Mul(dy, Zero(d)), y);
}

template <int kDerivative>
struct OfOneInput {
  static constexpr size_t kInputs = 1, kOutputs = 1;
  static constexpr int kOrder = kDerivative;
  template <class D, class T, class Alpha, class Bits>
  static GELU_INLINE Vec<D> FromRows(D d, const Rows<T>& rows, const Alpha& alpha, const Bits* offset, const Vec<D>* in,
                                     MaskOf<D>* undecided) {
    return RowValue<kOrder>(d, rows, alpha, offset, in[0], undecided);
  }
  template <class Card, class D>
  static GELU_INLINE Vec<D> FromExact(D d, const Vec<D>* in) {
    return Card::template Exact<kOrder>(d, in[0]);
  }
};

struct Forward : OfOneInput<0> {
  template <class Card, class D, class Store>
  static GELU_INLINE void Apply(D d, const Context& c, const Vec<D>* in, Store store) {
    const Point<D> p = MakePoint<Card>(d, c, in[0]);
    Unrounded<D> y = Value<Card>(d, p);
    if (c.clip != std::numeric_limits<double>::infinity()) {
      const auto clip = Set(d, c.clip), value = RoundToNearest(y);
      y = Replace(d, Lt(clip, value), clip, y);
      y = Replace(d, Lt(value, Neg(clip)), Neg(clip), y);
    }
    store(0, NanAsNan(d, p, y));
  }
};

template <int kDerivative>
struct DerivativeOfOrder : OfOneInput<kDerivative> {
  using OfOneInput<kDerivative>::kOrder;
  template <class Card, class D, class Store>
  static GELU_INLINE void Apply(D d, const Context& c, const Vec<D>* in, Store store) {
    const Point<D> p = MakePoint<Card>(d, c, in[0]);
    const Scaled<D> g = EvaluateAt<Card, kOrder>(d, p);
    const Unrounded<D> y = Product(d, Set(d, kOrder == 2 ? c.alpha : 1.0), g);
    store(0, NanAsNan(d, p, ZeroBeyondClip<Card>(d, c, p, Set(d, 1.0), y)));
  }
};
using Derivative = DerivativeOfOrder<1>;
using SecondDerivative = DerivativeOfOrder<2>;

struct Backward {
  static constexpr size_t kInputs = 2, kOutputs = 1;
  static constexpr int kOrder = 1;
  template <class Card, class D, class Store>
  static GELU_INLINE void Apply(D d, const Context& c, const Vec<D>* in, Store store) {
    using V = Vec<D>;
    const V dy = in[1];
    const Point<D> p = MakePoint<Card>(d, c, in[0]);
    const Scaled<D> g = EvaluateAt<Card, 1>(d, p);
    // An infinite or NaN dy follows the rules of a product; the sum of parts would not.
    const auto finite = IsFinite(dy);
    const Unrounded<D> y = Product(d, IfThenElse(finite, dy, Set(d, 1.0)), g);
    const V special = Mul(IfThenElse(finite, Set(d, 1.0), dy), g.value.hi);
    const Unrounded<D> dx = ZeroBeyondClip<Card>(d, c, p, dy, Replace(d, Not(finite), special, y));
    store(0, NanAsNan(d, p, dx));
  }
  template <class D, class T, class Alpha, class Bits>
  static GELU_INLINE Vec<D> FromRows(D d, const Rows<T>& rows, const Alpha& alpha, const Bits* offset, const Vec<D>* in,
                                     MaskOf<D>* undecided) {
    return RowProduct(d, rows, alpha, offset, in[0], in[1], undecided);
  }
  template <class Card, class D>
  static GELU_INLINE Vec<D> FromExact(D d, const Vec<D>* in) {
    return Mul(in[1], Card::template Exact<1>(d, in[0]));
  }
};

using Forms = List<Forward, Derivative, SecondDerivative, Backward>;  // in the order of GELU_FORMS

GELU_END
#endif  // toggled guard
