// SPDX-License-Identifier: Apache-2.0
#include "cli/statistics_theory.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "gelu/gelu.hpp"

namespace gelu::cli {
namespace {

// Beyond so many standard deviations the density is below 1e-43.
constexpr int kReach = 14;

// Where panels end, in standard deviations: at every whole one, which resolves the density, and at 0, +-1, +-2, +-4 ...
// times 1/alpha in x, which resolves the gate however narrow it is beside the normal, and the kink of relu.
std::vector<double> Ends(const gelu_params& params, double mean, double deviation) {
  std::vector<double> ends;
  for (int z = -kReach; z <= kReach; ++z) ends.push_back(z);
  const auto add = [&](double x) {
    const double z = (x - mean) / deviation;
    if (std::fabs(z) < kReach) ends.push_back(z);
  };
  add(0);
  for (const double sign : {-1.0, 1.0}) {
    for (double u = 1; u <= 64; u *= 2) add(sign * u / params.alpha);
    add(sign * params.clip);
  }
  std::sort(ends.begin(), ends.end());
  return ends;
}

}  // namespace

Moments GaussianMoments(const gelu_activation& activation, double mean, double deviation) {
  const auto function = static_cast<Function>(activation.function);
  const Params params{activation.params.alpha, activation.params.clip};
  if (deviation == 0) return {1, value(function, mean, params), 0};

  using Rule = boost::math::quadrature::gauss<double, 30>;
  std::vector<double> x, weight;
  const std::vector<double> ends = Ends(activation.params, mean, deviation);
  for (std::size_t panel = 0; panel + 1 < ends.size(); ++panel) {
    const double middle = (ends[panel] + ends[panel + 1]) / 2, half = (ends[panel + 1] - ends[panel]) / 2;
    for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
      for (const double sign : {-1.0, 1.0}) {
        const double z = middle + sign * half * Rule::abscissa()[i];
        x.push_back(mean + deviation * z);
        weight.push_back(half * Rule::weights()[i] * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi));
      }
    }
  }
  std::vector<double> y(x.size());
  forward(function, x, y, params);
  double first = 0, second = 0;
  for (std::size_t i = 0; i < y.size(); ++i) first += weight[i] * y[i];
  for (std::size_t i = 0; i < y.size(); ++i) second += weight[i] * (y[i] - first) * (y[i] - first);
  return {1, first, second};
}

}  // namespace gelu::cli
