// SPDX-License-Identifier: Apache-2.0
// One output of a form over a block of lanes: by rows, or, for functions that need no rounding, exactly.
#if defined(GELU_ROW_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_ROW_KERNELS_INL_H_
#undef GELU_ROW_KERNELS_INL_H_
#else
#define GELU_ROW_KERNELS_INL_H_
#endif
#include "gelu/core/rows-inl.h"
#include "gelu/forms.h"
#include "gelu/undecided-inl.h"

GELU_BEGIN

// Arrays of n elements, whole vectors of them, n <= kBlock. x may be the sum x + x_low, and so may the factor.
template <class T>
struct RowTask {
  const Rows<T>* rows;
  RowAlpha<T> alpha;
  const T *x, *x_low, *factor, *factor_low;
};
template <class T>
using RowKernel = void (*)(const RowTask<T>& task, T* y, size_t n, Undecided& left);

// What a kernel is made for. factors: 0, 1, or 2 for a factor that is a sum.
struct RowShape {
  int order;
  size_t factors;
  bool adds;
};

// Does a form need it? The linear half of a gate may have an offset.
constexpr bool IsWanted(RowShape shape) {
  for (const FormFacts& form : kForms) {
    for (size_t o = 0; o < form.outputs; ++o) {
      const FormOutput& output = form.body.output[o];
      const bool fits = output.factors == shape.factors || (form.body.gated && output.factors + 1 == shape.factors);
      if (output.order == shape.order && form.body.adds == shape.adds && fits) return true;
    }
  }
  return false;
}

template <RowShape kShape, class D, class T>
GELU_INLINE auto LoadInput(D d, const RowTask<T>& task, size_t i) {
  if constexpr (kShape.adds)
    return RowInputSum<D>{LoadU(d, task.x + i), LoadU(d, task.x_low + i)};
  else
    return RowInput<D>{LoadU(d, task.x + i)};
}

// y, but the canonical NaN where x is one.
template <class D>
GELU_INLINE Vec<D> NanWhereNan(D d, Vec<D> x, Vec<D> y) {
  using T = LaneOf<D>;
  const RebindToUnsigned<D> du;
  const auto nan = BitCast(d, Set(du, RowFormat<T>::kNan));
  return IfThenElse(Eq(x, x), y, nan);
}

// The offsets of a block come first: a row's load would wait for them. The same code for every function.
template <RowShape kShape, class Alpha, class T>
GELU_NOINLINE void ByRows(const RowTask<T>& all, T* y, size_t n, Undecided& left) {
  const RowTask<T> task = all;  // which the compiler knows not to be written to
  const Rows<T> rows = *task.rows;
  const auto alpha = [&] {
    if constexpr (kHasAlpha<Alpha>)
      return task.alpha;
    else
      return AlphaIsOne();
  }();
  using D = Tag<T>;
  const D d;
  const RebindToUnsigned<D> du;
  // In f32, rows for alpha = 1 decide every value.
  constexpr bool kDecides = RowLane<T>::kComplete && !kHasAlpha<Alpha> && !kShape.adds && kShape.factors == 0;
  alignas(64) typename RowFormat<T>::Bits offset[kBlock];
  for (size_t i = 0; i < n; i += Lanes(d)) {
    StoreU(RowOffset(d, rows, alpha, LoadInput<kShape>(d, task, i)), du, offset + i);
  }
  for (size_t i = 0; i < n; i += Lanes(d)) {
    const auto in = LoadInput<kShape>(d, task, i);
    MaskOf<D> undecided;
    Vec<D> result;
    if constexpr (kShape.factors == 0) {
      result = RowValue<kShape.order>(d, rows, alpha, offset + i, in, &undecided);
    } else {
      const auto number = RowNumberAt<kShape.order>(d, rows, alpha, offset + i, in, &undecided);
      const auto factor = LoadU(d, task.factor + i);
      const auto low = kShape.factors == 2 ? LoadU(d, task.factor_low + i) : Zero(d);
      result = RowProduct<kShape.order, kShape.factors == 2>(d, number, factor, low, &undecided);
    }
    StoreU(NanWhereNan(d, in.x, result), d, y + i);
    if constexpr (!kDecides) left.Add(d, undecided, i);
  }
}

// Of a sum, the first part has its sign. Products with a sum that is no number, or that might have overflowed or lost
// bits, are undecided.
template <class Card, RowShape kShape, class T>
GELU_NOINLINE void Exactly(const RowTask<T>& task, T* y, size_t n, Undecided& left) {
  using D = Tag<T>;
  const D d;
  for (size_t i = 0; i < n; i += Lanes(d)) {
    const auto x = LoadU(d, task.x + i);
    auto result = Card::template Exact<kShape.order>(d, x);
    if constexpr (kShape.factors == 1) {
      result = Mul(LoadU(d, task.factor + i), result);
    } else if constexpr (kShape.factors == 2) {
      const RebindToSigned<D> di;
      auto undecided = IsAbove(d, result, RowLane<T>::kHuge);
      result = IfThenElse(undecided, Zero(d), result);
      const auto size = BitCast(di, Abs(result));
      const auto small = RebindMask(d, Lt(size, BitCast(di, Set(d, RowLane<T>::kSmallValue))));
      const RowNumber<D> number = {
          result,
          BitCast(d, And(BitCast(RebindToUnsigned<D>(), result), BitCast(RebindToUnsigned<D>(), Set(d, -T{0})))), small,
          RebindMask(d, Eq(size, Zero(di)))};
      const auto factor = LoadU(d, task.factor + i), low = LoadU(d, task.factor_low + i);
      result = RowProduct<0, true>(d, number, factor, low, &undecided);
      left.Add(d, undecided, i);
    }
    StoreU(NanWhereNan(d, x, NanWhereNan(d, result, result)), d, y + i);
  }
}

template <class T>
struct RowKernels {
  RowKernel<T> at[kRowOrders][3][2];
  constexpr RowKernel<T> Find(RowShape shape) const { return at[shape.order][shape.factors][shape.adds]; }
};

// Calls set(shape constant) for every shape that is wanted.
template <class F>
constexpr void ForShapes(F set) {
  const auto one = [&]<size_t index>() {
    constexpr RowShape kShape = {index / 6, index / 2 % 3, index % 2 != 0};
    if constexpr (IsWanted(kShape)) set.template operator()<kShape>();
  };
  [&]<size_t... index>(std::index_sequence<index...>) { (one.template operator()<index>(), ...); }
  (std::make_index_sequence<kRowOrders * 6>());
}

template <class Alpha, class T>
constexpr RowKernels<T> MakeRowKernels() {
  RowKernels<T> kernels{};
  ForShapes(
      [&]<RowShape kShape>() { kernels.at[kShape.order][kShape.factors][kShape.adds] = &ByRows<kShape, Alpha, T>; });
  return kernels;
}
template <class Card, class T>
constexpr RowKernels<T> MakeExactKernels() {
  RowKernels<T> kernels{};
  ForShapes(
      [&]<RowShape kShape>() { kernels.at[kShape.order][kShape.factors][kShape.adds] = &Exactly<Card, kShape, T>; });
  return kernels;
}

GELU_END
#endif  // toggled guard
