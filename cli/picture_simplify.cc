// SPDX-License-Identifier: Apache-2.0
#include "cli/picture_simplify.h"

#include <cmath>
#include <cstddef>

namespace gelu::cli {
namespace {

void Keep(const Points& points, size_t first, size_t last, double tolerance, Points& kept) {
  const auto [x0, y0] = points[first];
  const auto [x1, y1] = points[last];
  size_t farthest = first;
  double largest = tolerance;
  for (size_t i = first + 1; i < last; ++i) {
    const double distance = std::abs(y0 + (y1 - y0) * ((points[i].first - x0) / (x1 - x0)) - points[i].second);
    if (distance > largest) {
      largest = distance;
      farthest = i;
    }
  }
  if (farthest == first) {
    kept.push_back(points[last]);
    return;
  }
  Keep(points, first, farthest, tolerance, kept);
  Keep(points, farthest, last, tolerance, kept);
}

}  // namespace

Points Simplify(const Points& points, double tolerance) {
  if (points.size() < 3) return points;
  Points kept{points.front()};
  Keep(points, 0, points.size() - 1, tolerance, kept);
  return kept;
}

}  // namespace gelu::cli
