// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "bench/peer.h"

namespace gelu::bench {

// The largest error of each call's results, in whichever output, in ULP of the element type, against MPFR; NaN for an
// empty call. Infinite where a result has the wrong sign, or is a NaN or an infinity where it should be none.
std::vector<double> WorstErrors(const Kernel& kernel, const Arrays& arrays, std::span<const Call> calls);

}  // namespace gelu::bench
