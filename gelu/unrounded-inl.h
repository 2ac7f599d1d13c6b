// SPDX-License-Identifier: Apache-2.0
// A result in f64 lanes before its one rounding.
#if defined(GELU_UNROUNDED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_UNROUNDED_INL_H_
#undef GELU_UNROUNDED_INL_H_
#else
#define GELU_UNROUNDED_INL_H_
#endif
#include "gelu/core/exp-inl.h"

GELU_BEGIN

// The result (value.hi + value.lo) * scale1 * scale2 before its one rounding; the scales are powers of two.
template <class D>
struct Unrounded {
  Pair<Vec<D>> value;
  Vec<D> scale1, scale2;
};

// Rounds to double.
template <class D>
GELU_INLINE Vec<D> RoundToNearest(Unrounded<D> y) {
  return Mul(Mul(y.value.hi, y.scale1), y.scale2);
}

// Rounds to double "to odd": toward zero, and then the last bit is set if anything was lost. A second rounding, to a
// format of at most 51 bits, then gives what rounding the exact value once would have given.
// S. Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums, IEEE Trans. Comput. 57 (2008).
template <class D>
GELU_INLINE Vec<D> RoundToOdd(D d, Unrounded<D> y) {
  const RebindToUnsigned<D> du;
  const auto hi = BitCast(du, y.value.hi), lo = BitCast(du, y.value.lo);
  const auto opposite = ShiftRight<63>(Xor(hi, lo));
  const auto odd = BitCast(d, Or(Sub(hi, opposite), Set(du, 1u)));
  const auto value = IfThenElse(Eq(y.value.lo, Zero(d)), y.value.hi, odd);
  return Mul(Mul(value, y.scale1), y.scale2);
}

GELU_END
#endif  // toggled guard
