// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "gelu/gelu.h"

namespace gelu::cli {

// Time per element of the forward call on these elements, from and to cache, on the calling thread: the median of
// several measurements. 0 without elements.
double NanosecondsPerElement(const gelu_activation& activation, gelu_dtype dtype, std::span<const std::byte> elements);

}  // namespace gelu::cli
