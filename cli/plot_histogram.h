// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "cli/picture.h"

namespace gelu::cli {

// Equal bins over [low, high] of a tensor of a file; of its only one if no name is given. Reads in small chunks.
Histogram HistogramOf(const std::string& path, const std::string& tensor, double low, double high);

}  // namespace gelu::cli
