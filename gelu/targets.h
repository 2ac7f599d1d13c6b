// SPDX-License-Identifier: Apache-2.0
// The choice of target: the only global state of the library.
#pragma once
#include "gelu/kernels.h"

// The targets of Highway for which kernels are compiled. SVE and RVV vectors have no size, so that they cannot be
// members of Pair; those machines run NEON or one lane. Newer Highways call NEON without the AES instructions by its
// own name.
#ifdef HWY_NEON_WITHOUT_AES
#define GELU_HIGHWAY_NEON HWY_NEON_WITHOUT_AES
#else
#define GELU_HIGHWAY_NEON HWY_NEON
#endif
#define GELU_HIGHWAY_TARGETS (HWY_AVX3 | HWY_AVX2 | GELU_HIGHWAY_NEON)

namespace gelu {

// The table of the target in use; null if GELU_TARGET names one that cannot be used.
const Kernels* CurrentKernels();

}  // namespace gelu
