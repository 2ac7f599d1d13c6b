// SPDX-License-Identifier: Apache-2.0
#include "cli/picture_curve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "cli/resolve.h"
#include "cli/statistics_numbers.h"

namespace gelu::cli {
namespace {

double LargestDifference(const gelu_activation& activation) {
  const std::vector<double> x = Grid(-8, 8, 512);
  const std::vector<double> y = Evaluate(activation, gelu_form_forward, gelu_dtype_f64, x);
  const std::vector<double> reference = Evaluate(Reference(), gelu_form_forward, gelu_dtype_f64, x);
  double largest = 0;
  for (size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(y[i] - reference[i]));
  return largest;
}

}  // namespace

std::vector<double> Grid(double low, double high, int n) {
  std::vector<double> x;
  for (int i = 0; i <= n; ++i)
    x.push_back(low * (static_cast<double>(n - i) / n) + high * (static_cast<double>(i) / n));
  return x;
}

std::vector<double> Round(gelu_dtype dtype, const std::vector<double>& x) {
  std::vector<std::byte> elements(x.size() * gelu_dtype_size(dtype));
  std::vector<double> rounded(x.size());
  Narrow(dtype, x.data(), x.size(), elements.data());
  Widen(dtype, elements.data(), x.size(), rounded.data());
  return rounded;
}

std::vector<double> Evaluate(const gelu_activation& activation, gelu_form form, gelu_dtype dtype,
                             const std::vector<double>& x) {
  std::vector<std::byte> elements(x.size() * gelu_dtype_size(dtype));
  std::vector<double> y(x.size());
  Narrow(dtype, x.data(), x.size(), elements.data());
  const void* const input = elements.data();
  void* const output = elements.data();
  Check(gelu_apply(activation.function, form, dtype, &activation.params, &input, &output, x.size()),
        gelu_function_name(activation.function));
  Widen(dtype, elements.data(), x.size(), y.data());
  return y;
}

gelu_activation Reference() { return {gelu_function{}, {1, HUGE_VAL}}; }

std::vector<Curve> FamilyCurves() {
  std::vector<gelu_name> entries;
  for (size_t i = 0; i < gelu_name_count(); ++i) {
    gelu_name entry;
    Check(gelu_name_at(i, &entry), "registry");
    const auto same = [&](const gelu_name& other) {
      return other.activation.function == entry.activation.function &&
             other.activation.params.alpha == entry.activation.params.alpha;
    };
    if (std::isinf(entry.activation.params.clip) && std::none_of(entries.begin(), entries.end(), same)) {
      entries.push_back(entry);
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const gelu_name& a, const gelu_name& b) {
    return a.activation.function < b.activation.function;
  });
  std::vector<Curve> curves;
  curves.reserve(entries.size());
  for (const gelu_name& entry : entries) {
    curves.push_back({entry.activation, entry.name, curves.size()});
  }
  return curves;
}

std::vector<Curve> ApproximationCurves() {
  std::vector<Curve> best;
  for (const Curve& curve : FamilyCurves()) {
    if (curve.activation.function == Reference().function) continue;
    if (best.empty() || best.back().activation.function != curve.activation.function) {
      best.push_back(curve);
    } else if (LargestDifference(curve.activation) < LargestDifference(best.back().activation)) {
      best.back() = curve;
    }
  }
  return best;
}

}  // namespace gelu::cli
