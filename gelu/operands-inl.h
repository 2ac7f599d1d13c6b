// SPDX-License-Identifier: Apache-2.0
// What a kernel multiplies by and where it evaluates, from the inputs of a block of lanes: sums and products of them
// are kept as sums of two numbers. Where those would overflow or lose bits, the element is undecided.
#if defined(GELU_OPERANDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_OPERANDS_INL_H_
#undef GELU_OPERANDS_INL_H_
#else
#define GELU_OPERANDS_INL_H_
#endif
#include "gelu/gate-inl.h"
#include "gelu/row_kernels-inl.h"
#include "gelu/scale-inl.h"

GELU_BEGIN

// A block of sums hi + lo.
template <class T>
struct Sums {
  alignas(64) T hi[kBlock], lo[kBlock];
};

template <class D>
GELU_INLINE MaskOf<D> IsZero(D d, Vec<D> v) {
  const RebindToSigned<D> di;
  return RebindMask(d, Eq(BitCast(di, Abs(v)), Zero(di)));
}

// a + b.
template <class T>
GELU_NOINLINE void SumPoints(const T* a, const T* b, Sums<T>& sum, size_t n, Undecided& left) {
  using D = Tag<T>;
  const D d;
  for (size_t i = 0; i < n; i += Lanes(d)) {
    const auto x = LoadU(d, a + i), y = LoadU(d, b + i);
    const auto huge = Or(IsAbove(d, x, RowLane<T>::kHugePart), IsAbove(d, y, RowLane<T>::kHugePart));
    const auto s = TwoSum(IfThenElse(huge, Zero(d), x), IfThenElse(huge, Zero(d), y));
    StoreU(s.hi, d, sum.hi + i);
    StoreU(s.lo, d, sum.lo + i);
    left.Add(d, huge, i);
  }
}

template <class T>
GELU_NOINLINE void LimitPoints(const Gate<T>& gate, const T* a, T* limited, size_t n) {
  const Tag<T> d;
  for (size_t i = 0; i < n; i += Lanes(d)) StoreU(LimitedPoint(d, gate, LoadU(d, a + i)), d, limited + i);
}

// One factor of an output: an input, or what a gate makes of it.
template <class D, class T>
GELU_INLINE Pair<Vec<D>> FactorAt(D d, const FormOutput& output, size_t k, const Gate<T>* gate, Vec<D> a, Vec<D> b,
                                  Vec<D> raw) {
  if (gate == nullptr) return {raw, Zero(d)};
  if (output.factor[k] == 1) {
    const auto limited = LimitedLinear(d, *gate, b);
    if (gate->offset == 0) return {limited, Zero(d)};  // -0 stays -0
    return TwoSum(limited, Set(d, gate->offset));
  }
  return {LimitedGradient(d, *gate, output.order, a, b, raw), Zero(d)};
}

// What multiplies an output, if it is more than one input: the product of its factors and of the scale.
template <class T>
GELU_NOINLINE void MultiplyFactors(const FormOutput& output, const Gate<T>* gate, const LaneScale<T>* scale,
                                   const T* const* in, Sums<T>& product, size_t n, Undecided& left) {
  using D = Tag<T>;
  const D d;
  for (size_t i = 0; i < n; i += Lanes(d)) {
    const auto none = Lt(Zero(d), Zero(d));
    auto undecided = none, zero = none;
    Pair<Vec<D>> p = {Set(d, T{1}), Zero(d)};
    const auto multiply = [&](Pair<Vec<D>> f) {
      const auto whole = TwoProduct(p.hi, f.hi);
      p = {whole.hi, MulAdd(p.hi, f.lo, MulAdd(p.lo, f.hi, whole.lo))};
    };
    for (size_t k = 0; k < output.factors; ++k) {
      const auto raw = LoadU(d, in[output.factor[k]] + i);
      const auto huge = IsAbove(d, raw, RowLane<T>::kHugePart);
      undecided = Or(undecided, huge);
      const auto a = LoadU(d, in[0] + i), b = LoadU(d, in[1] + i);
      const auto factor = FactorAt(d, output, k, gate, a, IfThenElse(huge, Zero(d), b), IfThenElse(huge, Zero(d), raw));
      zero = Or(zero, IsZero(d, factor.hi));
      multiply(factor);
    }
    if (scale != nullptr) multiply({Set(d, scale->high), Set(d, scale->low)});
    undecided = Or(undecided, Not(Or(zero, IsAbove(d, p.hi, RowLane<T>::kTinyProduct))));
    StoreU(p.hi, d, product.hi + i);
    StoreU(p.lo, d, product.lo + i);
    left.Add(d, undecided, i);
  }
}

GELU_END
#endif  // toggled guard
