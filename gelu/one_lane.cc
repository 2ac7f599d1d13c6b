// SPDX-License-Identifier: Apache-2.0
// The table of kernels of one lane, which runs everywhere.
#define GELU_ONE_LANE
#include "gelu/table-inl.h"

namespace gelu {

const KernelTable& OneLaneTable() { return one_lane::kTable; }

}  // namespace gelu
