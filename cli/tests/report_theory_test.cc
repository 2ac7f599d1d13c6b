// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cli/statistics_theory.h"
#include "gelu/family.h"

namespace gelu::cli {
namespace {

constexpr gelu_activation kGelu{gelu_fn_gelu, {1, kNoClip}};
constexpr gelu_activation kRelu{gelu_fn_relu, {1, kNoClip}};

double Density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }
double Distribution(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

struct Row {
  gelu_activation activation;
  double mean, variance;
};

TEST(GaussianMoments, OfTheStandardNormal) {
  for (const Row& row : {Row{kGelu, 0.28209479177387814347, 0.34564401102435100703},
                         Row{{gelu_fn_gelu_tanh, {1, kNoClip}}, 0.2820385880787887117476, 0.3456479458676227931691},
                         Row{{gelu_fn_silu, {1.702, kNoClip}}, 0.2823305528127852739378, 0.3422422658454078736200},
                         Row{{gelu_fn_silu, {1, kNoClip}}, 0.2066209641419070372624, 0.3130832969944209225356},
                         Row{kRelu, 0.39894228040143267794, 0.34084505690810466423}}) {
    const Moments moments = GaussianMoments(row.activation, 0, 1);
    EXPECT_NEAR(moments.mean(), row.mean, 2e-15);
    EXPECT_NEAR(moments.variance(), row.variance, 2e-15);
  }
}

class AnyNormal : public testing::TestWithParam<std::pair<double, double>> {};

TEST_P(AnyNormal, MeanOfGelu) {
  const auto [mean, deviation] = GetParam();
  const double v = deviation * deviation, s = std::sqrt(1 + v), m = mean / s;
  const double expected = mean * Distribution(m) + v / s * Density(m);
  EXPECT_NEAR(GaussianMoments(kGelu, mean, deviation).mean(), expected, 1e-14 * (std::fabs(mean) + deviation));
}

TEST_P(AnyNormal, MeanAndVarianceOfRelu) {
  const auto [mean, deviation] = GetParam();
  const double z = mean / deviation;
  const double first = mean * Distribution(z) + deviation * Density(z);
  const double second = (mean * mean + deviation * deviation) * Distribution(z) + mean * deviation * Density(z);
  const double scale = std::fabs(mean) + deviation;
  const Moments moments = GaussianMoments(kRelu, mean, deviation);
  EXPECT_NEAR(moments.mean(), first, 1e-14 * scale);
  EXPECT_NEAR(moments.variance(), second - first * first, 1e-14 * scale * scale);
}

INSTANTIATE_TEST_SUITE_P(GaussianMoments, AnyNormal,
                         testing::Values(std::pair{0.0, 1.0}, std::pair{-1.5, 0.8}, std::pair{3.0, 2.0},
                                         std::pair{0.3, 1e-3}, std::pair{-0.5, 40.0}, std::pair{10.0, 1e5},
                                         std::pair{-30.0, 1.0}, std::pair{1e4, 1.0}));

TEST(GaussianMoments, WithoutDeviationAreTheValueItself) {
  const Moments moments = GaussianMoments(kRelu, 2.5, 0);
  EXPECT_EQ(moments.mean(), 2.5);
  EXPECT_EQ(moments.variance(), 0);
}

}  // namespace
}  // namespace gelu::cli
