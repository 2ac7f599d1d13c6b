// SPDX-License-Identifier: Apache-2.0
// Arrays of any layout: one shape, and for every array its strides. No memory beyond the struct.
#pragma once
#include <cstddef>

#include "gelu/forms.h"

namespace gelu {

// Strides and lengths count elements.
struct Layout {
  struct Dimension {
    size_t length;
    ptrdiff_t stride[kMaxArrays];  // inputs, then outputs
  };
  size_t size;  // bytes of an element
  size_t inputs, arrays;
  const char* data[kMaxArrays];  // the element at index 0 in every dimension
  size_t rank;
  Dimension at[GELU_MAX_RANK];
};

// Checks the layout, and puts the same elements into as few dimensions as possible: none of length 1, strides of the
// first output positive and descending, neighbours joined where that makes no difference. Every length is positive.
// GELU_ERROR_SIZE: an array is larger than the address space. GELU_ERROR_OVERLAP: an element of an output shares a byte
// with another element of it, or with another array but for an input of the very same layout; or that would take a
// long search to tell, in layouts that do not occur.
gelu_status Normalise(Layout& layout);

}  // namespace gelu
