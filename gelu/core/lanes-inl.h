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

#undef GELU_HALF_CONVERSIONS
#undef GELU_INLINE
#undef GELU_NOINLINE
#undef GELU_BEGIN
#undef GELU_END

#if defined(GELU_ONE_LANE)
#include "gelu/core/one_lane.h"
#define GELU_INLINE inline
#define GELU_NOINLINE __attribute__((noinline))
#define GELU_BEGIN \
  namespace gelu { \
  namespace one_lane {
#define GELU_END \
  }              \
  }
#else
#include "hwy/highway.h"
// Elsewhere, Highway's conversions of f16 do not round to nearest.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#define GELU_HALF_CONVERSIONS
#endif
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
template <class D>
using LaneOf = hn::TFromD<D>;
using hn::Rebind;
using hn::RebindToSigned;
using hn::RebindToUnsigned;
using hn::Vec;

using hn::Abs;
using hn::Add;
using hn::Div;
using hn::Iota;
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
using hn::AndNot;
using hn::Eq;
using hn::Ge;
using hn::IfNegativeThenElse;
using hn::IfThenElse;
using hn::IfThenElseZero;
using hn::IsFinite;
using hn::Lt;
using hn::Not;
using hn::Or;
using hn::RebindMask;
using hn::ShiftLeft;
using hn::ShiftRight;
using hn::Xor;
using hn::Xor3;

using hn::BitCast;
using hn::DemoteTo;
using hn::Lanes;
using hn::LoadU;
using hn::PromoteTo;
using hn::StoreU;

// Block b of the result, 16 bytes long, comes from base + offset[b n], n the lanes in a block.
template <class D, class Offset>
HWY_INLINE HWY_MAYBE_UNUSED Vec<D> LoadBlocks(D d, const void* base, const Offset* offset) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 16) {
    const hn::Repartition<uint8_t, D> d8;
    return hn::BitCast(d, hn::LoadU(d8, static_cast<const uint8_t*>(base) + offset[0]));
  } else {
    const hn::Half<D> dh;
    const size_t half = hn::MaxLanes(D()) / 2;
    return hn::Combine(d, LoadBlocks(dh, base, offset + half), LoadBlocks(dh, base, offset));
  }
}

// Loads of whole rows and a transposition are faster than gathers.
// The two doubles at base + offset[i], i the lane, as c[0] and c[1].
template <class D>
HWY_INLINE HWY_MAYBE_UNUSED void LoadRowPairs(D d, const void* base, const uint64_t* offset, Vec<D>* c) {
  const Vec<D> even = LoadBlocks(d, base, offset), odd = LoadBlocks(d, base, offset + 1);
  c[0] = hn::InterleaveLower(d, even, odd);
  c[1] = hn::InterleaveUpper(d, even, odd);
}

// The row of words at base + offset[i], i the lane, as c[0], c[1], ...: four floats or eight doubles.
template <class D>
HWY_INLINE HWY_MAYBE_UNUSED void LoadRows(D d, const void* base, const uint32_t* offset, Vec<D>* c) {
  const hn::Repartition<double, D> dd;
  Vec<D> r[4];
  for (size_t k = 0; k < 4; ++k) r[k] = LoadBlocks(d, base, offset + k);
  const auto p = hn::BitCast(dd, hn::InterleaveLower(d, r[0], r[1]));
  const auto q = hn::BitCast(dd, hn::InterleaveLower(d, r[2], r[3]));
  const auto u = hn::BitCast(dd, hn::InterleaveUpper(d, r[0], r[1]));
  const auto v = hn::BitCast(dd, hn::InterleaveUpper(d, r[2], r[3]));
  c[0] = hn::BitCast(d, hn::InterleaveLower(dd, p, q));
  c[1] = hn::BitCast(d, hn::InterleaveUpper(dd, p, q));
  c[2] = hn::BitCast(d, hn::InterleaveLower(dd, u, v));
  c[3] = hn::BitCast(d, hn::InterleaveUpper(dd, u, v));
}
template <class D>
HWY_INLINE HWY_MAYBE_UNUSED void LoadRows(D d, const void* base, const uint64_t* offset, Vec<D>* c) {
  for (size_t k = 0; k < 8; k += 2) LoadRowPairs(d, static_cast<const double*>(base) + k, offset, c + k);
}

// Of 64-bit lanes: the product of their lower halves.
template <class V>
HWY_INLINE HWY_MAYBE_UNUSED V MulLower(V a, V b) {
  const hn::Repartition<uint32_t, hn::DFromV<V>> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
}

// Of 64-bit lanes, whose lower halves count: a, b, c and e of the lane that is 0 in IotaOfFours, of the one that is 1,
// ...
template <class D>
HWY_INLINE HWY_MAYBE_UNUSED Vec<D> IotaOfFours(D d) {
  const auto lane = hn::Iota(d, 0);  // 0 n/2 1 n/2+1 ...: no word has to cross to another block
  const auto odd = hn::Eq(hn::And(lane, hn::Set(d, 1)), hn::Set(d, 1));
  return hn::Add(hn::ShiftRight<1>(lane), hn::IfThenElseZero(odd, hn::Set(d, hn::Lanes(d) / 2)));
}
template <class D>
HWY_INLINE HWY_MAYBE_UNUSED void StoreFours(Vec<D> a, Vec<D> b, Vec<D> c, Vec<D> e, D d, uint32_t* p) {
  const hn::Repartition<uint32_t, D> d32;
  const auto join = [&](Vec<D> lower, Vec<D> upper) {
    return hn::BitCast(d, hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(upper)), hn::BitCast(d32, lower)));
  };
  const Vec<D> ab = join(a, b), ce = join(c, e);
  hn::StoreU(hn::BitCast(d32, hn::InterleaveLower(d, ab, ce)), d32, p);
  hn::StoreU(hn::BitCast(d32, hn::InterleaveUpper(d, ab, ce)), d32, p + hn::Lanes(d32));
}

}  // namespace HWY_NAMESPACE
}  // namespace gelu
HWY_AFTER_NAMESPACE();
#endif

GELU_BEGIN
inline constexpr size_t kMaxLanes = 64;  // of any vector
GELU_END

#endif  // toggled guard
