// SPDX-License-Identifier: Apache-2.0
// The vocabulary in which all mathematics is written: some 40 operations on a vector of lanes. The same text compiles
// for every instruction set (Highway) and, where GELU_ONE_LANE is defined, for one scalar (core/one_lane.h).
#if defined(GELU_CORE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_CORE_LANES_INL_H_
#undef GELU_CORE_LANES_INL_H_
#else
#define GELU_CORE_LANES_INL_H_
#endif

#undef GELU_INLINE
#undef GELU_BEGIN
#undef GELU_END

#if defined(GELU_ONE_LANE)
#include "gelu/core/one_lane.h"
#define GELU_INLINE inline
#define GELU_BEGIN \
  namespace gelu { \
  namespace one_lane {
#define GELU_END \
  }              \
  }
#else
#include "hwy/highway.h"
#define GELU_INLINE HWY_INLINE HWY_MAYBE_UNUSED
#define GELU_BEGIN        \
  HWY_BEFORE_NAMESPACE(); \
  namespace gelu {        \
  namespace HWY_NAMESPACE {
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

using hn::And;
using hn::Eq;
using hn::Ge;
using hn::IfThenElse;
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

}  // namespace HWY_NAMESPACE
}  // namespace gelu
HWY_AFTER_NAMESPACE();
#endif

#endif  // toggled guard
