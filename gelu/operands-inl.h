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

// What multiplies an output of more than one factor, or of a gate.
template <class T>
GELU_NOINLINE void MultiplyFactors(const FormOutput& output, const Gate<T>* gate, const T* const* in, Sums<T>& product,
                                   size_t n, Undecided& left) {
  using D = Tag<T>;
  const D d;
  for (size_t i = 0; i < n; i += Lanes(d)) {
    Pair<Vec<D>> p = {LoadU(d, in[output.factor[0]] + i), Zero(d)};
    auto undecided = IsAbove(d, p.hi, RowLane<T>::kHugePart);
    auto second = Set(d, T{1});
    if (output.factors == 2) {
      second = LoadU(d, in[output.factor[1]] + i);
      undecided = Or(undecided, IsAbove(d, second, RowLane<T>::kHugePart));
    }
    p.hi = IfThenElse(undecided, Zero(d), p.hi);
    second = IfThenElse(undecided, Zero(d), second);
    if (gate != nullptr) {
      const auto a = LoadU(d, in[0] + i), b = LoadU(d, in[1] + i);
      if (output.factor[0] == 1) {
        p = TwoSum(LimitedLinear(d, *gate, p.hi), Set(d, gate->offset));
        if (output.factors == 2) second = LimitedGradient(d, *gate, output.order, a, b, second);
      } else {
        p.hi = LimitedGradient(d, *gate, output.order, a, b, p.hi);
      }
    }
    if (output.factors == 2) {
      const auto exactly_zero = Or(IsZero(d, p.hi), IsZero(d, second));
      const auto whole = TwoProduct(p.hi, second);
      p = {whole.hi, MulAdd(p.lo, second, whole.lo)};
      undecided = Or(undecided, Not(Or(exactly_zero, IsAbove(d, p.hi, RowLane<T>::kTinyProduct))));
    }
    StoreU(p.hi, d, product.hi + i);
    StoreU(p.lo, d, product.lo + i);
    left.Add(d, undecided, i);
  }
}

GELU_END
#endif  // toggled guard
