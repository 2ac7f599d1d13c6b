// SPDX-License-Identifier: Apache-2.0
// The table of kernels that each target builds, and the targets that this library holds.
#pragma once
#include <cstddef>
#include <cstdint>

#include "gelu/gelu.h"

namespace gelu {

// Arrays are checked, n > 0, params are complete.
using Kernel = void (*)(const void* const* in, void* const* out, size_t n, const gelu_params& params);

struct KernelTable {
  Kernel at[gelu_fn_count_][gelu_form_count_][gelu_dtype_count_];
};

// The table of one of Highway's targets; null if the library holds none.
const KernelTable* TableOfTarget(int64_t target);
const KernelTable& OneLaneTable();

}  // namespace gelu
