// SPDX-License-Identifier: Apache-2.0
// What each target builds, and the targets that this library holds.
#pragma once
#include <cstddef>
#include <cstdint>

#include "gelu/forms.h"
#include "gelu/gelu.h"

namespace gelu {

// Arrays are checked, n > 0, params are complete.
struct Call {
  gelu_function function;
  gelu_form form;
  const gelu_params& params;
  size_t n;
  const void* const* in;
  void* const* out;
  gelu_dtype in_type[kMaxInputs], out_type[kMaxOutputs];
};

struct Kernels {
  void (*apply)(const Call& call);
  // n words of the generator of gelu_dropout, from element `first` on; and the standard normal numbers of n words.
  void (*random_words)(uint64_t seed, uint64_t stream, uint64_t first, uint32_t* words, size_t n);
  void (*normal_variates)(const uint32_t* words, double* variates, size_t n);
};

// Of one of Highway's targets; null if the library holds none.
const Kernels* KernelsOfTarget(int64_t target);
const Kernels& OneLaneKernels();

}  // namespace gelu
