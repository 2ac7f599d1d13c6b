// SPDX-License-Identifier: Apache-2.0
// The elements of a block that its kernel leaves to the wide way.
#if defined(GELU_UNDECIDED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_UNDECIDED_INL_H_
#undef GELU_UNDECIDED_INL_H_
#else
#define GELU_UNDECIDED_INL_H_
#endif
#include "gelu/core/rows-inl.h"

GELU_BEGIN

inline constexpr size_t kBlock = 512;  // elements; a multiple of the lanes of any vector

class Undecided {
 public:
  template <class D>
  GELU_INLINE void Add(D d, MaskOf<D> lanes, size_t begin) {
    if (!AllFalse(d, lanes)) AddLanes(d, lanes, begin);
  }
  size_t count() const { return count_; }
  size_t operator[](size_t i) const { return at_[i]; }

 private:
  template <class D>
  GELU_NOINLINE void AddLanes(D d, MaskOf<D> lanes, size_t begin) {
    const RebindToUnsigned<D> du;
    typename RowFormat<LaneOf<D>>::Bits marks[kMaxLanes];
    StoreU(IfThenElseZero(RebindMask(du, lanes), Set(du, 1u)), du, marks);
    for (size_t i = 0; i < Lanes(d); ++i) {
      if (marks[i] != 0) at_[count_++] = static_cast<uint16_t>(begin + i);
    }
  }

  size_t count_ = 0;
  uint16_t at_[4 * kBlock];  // each step from inputs to result may add every element
};

GELU_END
#endif  // toggled guard
