// SPDX-License-Identifier: Apache-2.0
// The wide way: any function, form, element type and parameters in f64 lanes. What depends on the function knows
// neither form nor element type, and the other way round.
#if defined(GELU_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_WIDE_INL_H_
#undef GELU_WIDE_INL_H_
#else
#define GELU_WIDE_INL_H_
#endif
#include <limits>

#include "gelu/forms.h"
#include "gelu/gate-inl.h"
#include "gelu/point-inl.h"
#include "gelu/scale-inl.h"
#include "gelu/wide_block-inl.h"

GELU_BEGIN

// Derivatives at one block of points, whole vectors of it.
template <class Card, int kOrder>
GELU_NOINLINE void Wide(const WidePoint& x, WideResult& y, size_t n, const gelu_params& params) {
  const Tag<double> d;
  const Context context = Prepare<Card>(params);
  for (size_t i = 0; i < n; i += Lanes(d)) {
    StoreResult(d, DerivativeAt<Card, kOrder>(d, context, LoadU(d, x.hi + i), LoadU(d, x.lo + i)), y, i);
  }
}

// a + b, exactly but where it is too large for a double and becomes infinite.
template <class D>
GELU_INLINE Pair<Vec<D>> Sum(D d, Vec<D> a, Vec<D> b) {
  using V = Vec<D>;
  const auto finite = And(IsFinite(a), IsFinite(b));
  const V zero = Zero(d), quarter = Set(d, 0.25), four = Set(d, 4.0);
  const V x = IfThenElse(finite, a, zero), y = IfThenElse(finite, b, zero);
  const auto huge = Lt(Set(d, 0x1p1000), Max(Abs(x), Abs(y)));
  const V scale = IfThenElse(huge, quarter, Set(d, 1.0)), back = IfThenElse(huge, four, Set(d, 1.0));
  const Pair<V> s = TwoSum(Mul(x, scale), Mul(y, scale));
  const V largest = Set(d, std::numeric_limits<double>::max() / 4);
  const auto overflows = And(huge, Lt(largest, Abs(s.hi)));
  const V infinity = IfNegativeThenElse(s.hi, Set(d, -std::numeric_limits<double>::infinity()),
                                        Set(d, std::numeric_limits<double>::infinity()));
  const V special = Add(IfThenElse(finite, zero, a), IfThenElse(finite, zero, b));
  const V hi = IfThenElse(overflows, infinity, Mul(IfThenElse(overflows, zero, s.hi), back));
  const V lo = IfThenElse(overflows, zero, Mul(s.lo, back));
  return {IfThenElse(finite, hi, special), IfThenElse(finite, lo, zero)};
}

// With a clip, the value is limited, and derivatives vanish where it lies beyond.
template <class D>
GELU_INLINE Unrounded<D> Clip(D d, double limit, int order, const Unrounded<D>& value, const Unrounded<D>& y) {
  const auto clip = Set(d, limit), zero = Zero(d);
  const auto rounded = RoundToNearest(d, value);
  const auto number = IfThenElse(Eq(rounded, rounded), rounded, zero), size = Abs(number);
  const auto rest = IfNegativeThenElse(value.value.hi, Neg(value.value.lo), value.value.lo);  // of the size
  const auto beyond = Or(Lt(clip, size), And(Eq(size, clip), Lt(zero, rest)));
  const auto limited = order == 0 ? IfNegativeThenElse(number, Neg(clip), clip) : zero;
  return Replace(d, beyond, limited, y);
}

// One factor of an output: an input, or what a gate makes of it.
template <class D>
GELU_INLINE Pair<Vec<D>> WideFactor(D d, const Gate<double>* gate, const FormOutput& output, size_t k,
                                    const WideInput* in, size_t i) {
  const auto raw = LoadU(d, in[output.factor[k]].x + i);
  if (gate == nullptr) return {raw, Zero(d)};
  const auto a = LoadU(d, in[0].x + i), b = LoadU(d, in[1].x + i);
  if (output.factor[k] == 1) {
    const auto limited = LimitedLinear(d, *gate, b);
    if (gate->offset == 0) return {limited, Zero(d)};  // -0 stays -0
    return Sum(d, limited, Set(d, gate->offset));
  }
  return {LimitedGradient(d, *gate, output.order, a, b, raw), Zero(d)};
}

// One output of a form at one block, whole vectors of it; kernels are those of the function, by order. The scale
// multiplies the results.
GELU_NOINLINE inline void WideOutput(const WideKernel* kernels, const FormBody& form, const FormOutput& output,
                                     const ResultScale& scale, const WideInput* in, WideResult& y, size_t n,
                                     const gelu_params& params) {
  using D = Tag<double>;
  const D d;
  const bool clips = params.clip != std::numeric_limits<double>::infinity();
  const bool gated = form.gated && params.gate != nullptr;
  const Gate<double> limits = gated ? MakeGate<double>(*params.gate) : Gate<double>();
  const Gate<double>* const gate = gated ? &limits : nullptr;
  WidePoint point;
  WideResult value;
  for (size_t i = 0; i < n; i += Lanes(d)) {
    const auto x = LoadU(d, in[0].x + i);
    Pair<Vec<D>> p = {gated ? LimitedPoint(d, limits, x) : x, Zero(d)};
    if (form.adds) p = Sum(d, x, LoadU(d, in[1].x + i));
    StoreU(p.hi, d, point.hi + i);
    StoreU(p.lo, d, point.lo + i);
  }
  kernels[output.order](point, y, n, params);
  if (!clips && output.factors == 0 && scale.IsOne()) return;
  if (clips && output.order != 0) kernels[0](point, value, n, params);
  for (size_t i = 0; i < n; i += Lanes(d)) {
    Unrounded<D> v = LoadResult(d, y, i);
    if (clips) v = Clip(d, params.clip, output.order, output.order == 0 ? v : LoadResult(d, value, i), v);
    for (size_t k = 0; k < output.factors; ++k) v = Times(d, v, WideFactor(d, gate, output, k, in, i));
    if (!scale.IsOne()) {
      v = Times(d, v, SetPair(d, scale.kept));
      v = Times(d, v, Pair<Vec<D>>{Set(d, scale.ceiling), Zero(d)});
    }
    StoreResult(d, v, y, i);
  }
}

GELU_END
#endif  // toggled guard
