// SPDX-License-Identifier: Apache-2.0
// The choice of target: the only global state of the library.
#pragma once
#include "gelu/kernels.h"

namespace gelu {

// The table of the target in use; null if GELU_TARGET names one that cannot be used.
const KernelTable* CurrentTable();

}  // namespace gelu
