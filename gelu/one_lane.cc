// SPDX-License-Identifier: Apache-2.0
// The kernels of one lane, which run everywhere.
#define GELU_ONE_LANE
#include "gelu/table-inl.h"

namespace gelu {

const Kernels& OneLaneKernels() { return one_lane::kKernels; }

}  // namespace gelu
