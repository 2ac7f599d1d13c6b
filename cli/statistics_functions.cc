// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/picture_curve.h"
#include "cli/statistics.h"

namespace gelu::cli {

bool Same(const gelu_activation& a, const gelu_activation& b) {
  return a.function == b.function && a.params.alpha == b.params.alpha && a.params.clip == b.params.clip;
}

std::vector<Curve> ReportedFunctions() { return FamilyCurves(); }

Curve Named(const gelu_activation& activation, const std::string& name) {
  for (const Curve& curve : ReportedFunctions()) {
    if (Same(curve.activation, activation)) return curve;
  }
  return {activation, name};
}

}  // namespace gelu::cli
