// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

namespace gelu::cli {

using Points = std::vector<std::pair<double, double>>;

// Few of the points, by the method of Douglas and Peucker, from whose polyline none of the others is farther
// than tolerance in y: a picture a tenth as large that looks the same. Ends are kept; all values must be finite.
Points Simplify(const Points& points, double tolerance);

}  // namespace gelu::cli
