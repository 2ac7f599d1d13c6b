// SPDX-License-Identifier: Apache-2.0
// The vocabulary in which all mathematics is written: some 40 operations on a vector of lanes. The same text compiles
// for every instruction set (Highway) and, where GELU_ONE_LANE is defined, for one scalar (core/one_lane.h).
// With a NaN, Min, Max and every comparison but Eq raise the invalid flag on some targets: NaN is replaced before them.
#if defined(GELU_CORE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_LANES_INL_H_
#undef GELU_CORE_LANES_INL_H_
#else
#define GELU_CORE_LANES_INL_H_
#endif

#undef GELU_INLINE
#undef GELU_NOINLINE
#undef GELU_BEGIN
#undef GELU_END

#if defined(GELU_ONE_LANE)
#include "gelu/core/one_lane.h"
#define GELU_INLINE inline
#define GELU_NOINLINE
#define GELU_BEGIN \
  namespace gelu { \
  namespace one_lane {
#define GELU_END \
  }              \
  }
#else
#include "hwy/highway.h"
#define GELU_INLINE HWY_INLINE HWY_MAYBE_UNUSED
#define GELU_NOINLINE HWY_NOINLINE
// The pragma comes last: g++ 14 loses what follows one in a macro.
#define GELU_BEGIN          \
  namespace gelu {          \
  namespace HWY_NAMESPACE { \
  HWY_BEFORE_NAMESPACE();
#define GELU_END \
  }              \
  }              \
  HWY_AFTER_NAMESPACE();

HWY_BEFORE_NAMESPACE();
namespace gelu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;
using hn::Rebind;
using hn::RebindToSigned;
using hn::RebindToUnsigned;
using hn::Vec;

using hn::Abs;
using hn::Add;
using hn::Div;
using hn::Max;
using hn::Min;
using hn::Mul;
using hn::MulAdd;
using hn::Neg;
using hn::NegMulAdd;
using hn::Set;
using hn::Sub;
using hn::Zero;

using hn::AllFalse;
using hn::And;
using hn::Eq;
using hn::Ge;
using hn::IfNegativeThenElse;
using hn::IfThenElse;
using hn::IsFinite;
using hn::Lt;
using hn::Not;
using hn::Or;
using hn::RebindMask;
using hn::ShiftLeft;
using hn::ShiftRight;
using hn::Xor;

using hn::BitCast;
using hn::DemoteTo;
using hn::GatherIndex;
using hn::Lanes;
using hn::LoadU;
using hn::PromoteTo;
using hn::StoreU;

// Block b of the result is the row words[index[4 b]].
template <class D>
HWY_INLINE HWY_MAYBE_UNUSED Vec<D> LoadBlocks(D d, const uint32_t (*words)[4], const uint32_t* index) {
  if constexpr (hn::MaxLanes(D()) == 4) {
    return hn::BitCast(d, hn::LoadU(RebindToUnsigned<D>(), words[index[0]]));
  } else {
    const hn::Half<D> dh;
    const size_t half = hn::MaxLanes(D()) / 2;
    return hn::Combine(d, LoadBlocks(dh, words, index + half), LoadBlocks(dh, words, index));
  }
}

// Column k of the rows words[index[i]], i the lane, as c[k]: loads of whole rows and a transposition, which are faster
// than gathers.
template <class D>
HWY_INLINE HWY_MAYBE_UNUSED void LoadRows(D d, const uint32_t (*words)[4], const uint32_t* index, Vec<D>* c) {
  const hn::Repartition<double, D> dd;
  Vec<D> r[4];
  for (size_t k = 0; k < 4; ++k) r[k] = LoadBlocks(d, words, index + k);
  const auto p = hn::BitCast(dd, hn::InterleaveLower(d, r[0], r[1]));
  const auto q = hn::BitCast(dd, hn::InterleaveLower(d, r[2], r[3]));
  const auto u = hn::BitCast(dd, hn::InterleaveUpper(d, r[0], r[1]));
  const auto v = hn::BitCast(dd, hn::InterleaveUpper(d, r[2], r[3]));
  c[0] = hn::BitCast(d, hn::InterleaveLower(dd, p, q));
  c[1] = hn::BitCast(d, hn::InterleaveUpper(dd, p, q));
  c[2] = hn::BitCast(d, hn::InterleaveLower(dd, u, v));
  c[3] = hn::BitCast(d, hn::InterleaveUpper(dd, u, v));
}

}  // namespace HWY_NAMESPACE
}  // namespace gelu
HWY_AFTER_NAMESPACE();
#endif

#endif  // toggled guard
