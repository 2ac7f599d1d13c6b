// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cli/tests/report_data.h"

namespace gelu::cli {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double F(const FunctionStatistics& f, double x) {
  const gelu_params& params = f.function.activation.params;
  return value(static_cast<Function>(f.function.activation.function), x, {params.alpha, params.clip});
}

struct Plain {
  long double mean = 0, variance = 0;
};

Plain PlainMoments(const std::vector<double>& values) {
  const auto n = static_cast<long double>(values.size());
  Plain plain;
  for (const double v : values) plain.mean += v / n;
  for (const double v : values) plain.variance += (v - plain.mean) * (v - plain.mean) / n;
  return plain;
}

class EveryDtype : public testing::TestWithParam<int> {
 protected:
  gelu_dtype dtype() const { return static_cast<gelu_dtype>(GetParam()); }
};

TEST_P(EveryDtype, AgreesWithTheDefinitions) {
  std::vector<double> values = Sample(9000);  // more than two blocks
  values[5] = std::nan("");
  values[17] = kInf;
  values[4099] = -kInf;
  values[4100] = -kInf;
  const Statistics s = Collect(MakeTensor("t", dtype(), {9, 1000}), values);

  std::vector<double> x = Rounded(dtype(), values);
  std::erase_if(x, [](double v) { return !std::isfinite(v); });
  EXPECT_EQ(s.nan, 1u);
  EXPECT_EQ(s.positive_inf, 1u);
  EXPECT_EQ(s.negative_inf, 2u);
  ASSERT_EQ(s.finite, x.size());
  EXPECT_EQ(s.min, *std::min_element(x.begin(), x.end()));
  EXPECT_EQ(s.max, *std::max_element(x.begin(), x.end()));
  const Plain plain = PlainMoments(x);
  EXPECT_NEAR(s.x.mean(), plain.mean, 1e-15);
  EXPECT_NEAR(s.x.variance(), plain.variance, 4e-15);
  EXPECT_EQ(s.tail, static_cast<uint64_t>(std::count_if(x.begin(), x.end(), [](double v) { return v < kTailEdge; })));
  EXPECT_GT(s.tail, 0u);

  ASSERT_EQ(s.functions.size(), ReportedFunctions().size());
  for (const FunctionStatistics& f : s.functions) {
    std::vector<double> y;
    double largest = 0, at = 0;
    long double squares = 0;
    for (const double v : x) {
      y.push_back(F(f, v));
      const double d = std::fabs(y.back() - F(s.functions.front(), v));
      squares += static_cast<long double>(d) * d;
      if (d > largest) {
        largest = d;
        at = v;
      }
    }
    const Plain after = PlainMoments(y);
    EXPECT_NEAR(f.after.mean(), after.mean, 1e-15) << f.function.name;
    EXPECT_NEAR(f.after.variance(), after.variance, 4e-15) << f.function.name;
    EXPECT_EQ(f.change.max(), largest) << f.function.name;
    EXPECT_EQ(f.change.at(), at) << f.function.name;
    EXPECT_NEAR(f.change.rms(), std::sqrt(squares / static_cast<long double>(x.size())), 1e-15) << f.function.name;
    EXPECT_GT(f.ns, 0);
  }
}

TEST_P(EveryDtype, CountsWhatNarrowerTypesLose) {
  const std::vector<double> values = {1.0, -4.5, -5.9, -13.4, -14.2, -38.0, 1e-7, 6e4, 7e4, -7e4, 0.0};
  const Statistics s = Collect(MakeTensor("t", dtype(), {values.size()}), values);
  std::vector<double> x = Rounded(dtype(), values);
  std::erase_if(x, [](double v) { return !std::isfinite(v); });
  EXPECT_EQ(s.precision.front().dtype, dtype());
  for (const PrecisionStatistics& p : s.precision) {
    uint64_t overflows = 0, subnormals = 0, flushed = 0;
    double largest = 0, relative = 0;
    for (const double v : x) {
      const double exact = F(s.functions.front(), v);
      double y = 0;
      WithType(p.dtype, [&]<class T>(T) { y = static_cast<double>(gelu::gelu(static_cast<T>(v))); });
      const double size = std::fabs(y);
      overflows += std::isinf(y);
      flushed += y == 0 && exact != 0;
      subnormals += size > 0 && size < SmallestNormal(p.dtype);
      if (std::isinf(y)) continue;
      largest = std::max(largest, std::fabs(y - exact));
      if (size >= SmallestNormal(p.dtype)) relative = std::max(relative, std::fabs(y - exact) / std::fabs(exact));
    }
    EXPECT_EQ(p.overflows, overflows);
    EXPECT_EQ(p.subnormals, subnormals);
    EXPECT_EQ(p.flushed, flushed);
    EXPECT_EQ(p.error.max(), largest);
    EXPECT_EQ(p.error.count(), x.size() - overflows);
    EXPECT_EQ(p.max_relative, relative);
  }
}

TEST_P(EveryDtype, DoesNotDependOnThePieces) {
  const std::vector<double> values = Sample(10000);
  const Tensor tensor = MakeTensor("t", dtype(), {100, 100});
  const Statistics whole = Collect(tensor, values);
  for (const std::size_t piece : {1u, 7u, 4096u, 5000u}) {
    const Statistics parts = Collect(tensor, values, piece);
    EXPECT_EQ(parts.finite, whole.finite);
    EXPECT_NEAR(parts.x.mean(), whole.x.mean(), 1e-14);
    EXPECT_NEAR(parts.x.variance(), whole.x.variance(), 4e-14);
    EXPECT_EQ(parts.histogram.counts, whole.histogram.counts);
    EXPECT_EQ(parts.functions.back().change.max(), whole.functions.back().change.max());
    EXPECT_EQ(parts.units->dead, whole.units->dead);
  }
}

INSTANTIATE_TEST_SUITE_P(Statistics, EveryDtype, testing::Range(0, static_cast<int>(gelu_dtype_count_)),
                         [](const auto& info) { return gelu_dtype_name(static_cast<gelu_dtype>(info.param)); });

TEST(Statistics, TheHistogramHoldsEveryElement) {
  const std::vector<double> values = {-7, -6, -5.9375, -0.001, 0, 0.001, 5.9, 6, 6.001, 100};
  const Statistics s = Collect(MakeTensor("t", gelu_dtype_f64, {values.size()}), values);
  const auto& counts = s.histogram.counts;
  EXPECT_EQ(s.below, 1u);
  EXPECT_EQ(s.above, 2u);
  EXPECT_EQ(s.histogram.total, values.size());
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), uint64_t{0}) + s.below + s.above, values.size());
  EXPECT_EQ(counts.front(), 2u);         // -6 and -5.9375
  EXPECT_EQ(counts[kBins / 2 - 1], 1u);  // -0.001
  EXPECT_EQ(counts[kBins / 2], 2u);      // 0 and 0.001
  EXPECT_EQ(counts.back(), 2u);          // 5.9 and 6
}

TEST(Statistics, FindsDeadUnitsOfTheLastAxisInBothOrders) {
  // 2 x 2 x 3; by unit: {-1, -2, -1, -3} dead, {-5, 0, nan, -1} dead at 0, {-1, -1, 0.5, -1} alive.
  const double nan = std::nan("");
  const std::vector<double> c_order = {-1, -5, -1, -2, 0, -1, -1, nan, 0.5, -3, -1, -1};
  std::vector<double> fortran(12);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t k = 0; k < 3; ++k) fortran[i + 2 * (j + 2 * k)] = c_order[(i * 2 + j) * 3 + k];
    }
  }
  for (const bool swapped : {false, true}) {
    const Tensor tensor = MakeTensor("t", gelu_dtype_f32, {2, 2, 3}, swapped);
    for (const std::size_t piece : {0u, 1u, 5u}) {
      for (const auto& [threshold, dead] : {std::pair{0.0, 2u}, {-0.5, 1u}, {0.5, 3u}, {-9.0, 0u}}) {
        StatisticsOptions options = DefaultOptions();
        options.dead_threshold = threshold;
        const Statistics s = Collect(tensor, swapped ? fortran : c_order, piece, options);
        ASSERT_TRUE(s.units);
        EXPECT_EQ(s.units->units, 3u);
        EXPECT_EQ(s.units->samples, 4u);
        EXPECT_EQ(s.units->dead, dead) << "threshold " << threshold << " swapped " << swapped << " piece " << piece;
      }
    }
  }
}

TEST(Statistics, AUnitWithoutNumbersIsNotDead) {
  const Statistics s = Collect(MakeTensor("t", gelu_dtype_f32, {2, 2}), {std::nan(""), -1, std::nan(""), -1});
  EXPECT_EQ(s.units->dead, 1u);
}

TEST(Statistics, AnEndlessLastAxisIsNotExamined) {
  const Statistics s = Collect(MakeTensor("t", gelu_dtype_f16, {kMaxUnits + 1}), Sample(10));
  ASSERT_TRUE(s.units);
  EXPECT_FALSE(s.units->dead);
}

TEST(Statistics, MomentsSurviveALargeOffset) {
  std::vector<double> values(100000, 1e9 - 0.25);
  for (size_t i = 0; i < values.size(); i += 2) values[i] = 1e9 + 0.25;
  const Statistics s = Collect(MakeTensor("t", gelu_dtype_f64, {values.size()}), values);
  EXPECT_EQ(s.x.mean(), 1e9);
  EXPECT_EQ(s.x.variance(), 0.0625);
}

TEST(Statistics, MomentsBeyondF64AreNotUsable) {
  const Statistics s = Collect(MakeTensor("t", gelu_dtype_f64, {3}), {1e308, -1e308, 1.7e308});
  EXPECT_FALSE(s.x.usable());
  EXPECT_EQ(s.finite, 3u);
  EXPECT_FALSE(s.functions.front().gauss);
}

TEST(Statistics, TheReferenceMayBeAnyFunctionAndComesFirst) {
  for (const Curve& reference : ReportedFunctions()) {
    StatisticsOptions options = DefaultOptions();
    options.reference = reference;
    const Statistics s = Collect(MakeTensor("t", gelu_dtype_f32, {100}), Sample(100), 0, options);
    EXPECT_EQ(s.functions.front().function.name, reference.name);
    EXPECT_EQ(s.functions.size(), ReportedFunctions().size());
    for (const FunctionStatistics& f : s.functions) {
      EXPECT_EQ(f.change.max() == 0, &f == &s.functions.front()) << reference.name << " and " << f.function.name;
    }
  }
}

TEST(Statistics, TheFunctionsAreTheFamilyAndSigmoidGelu) {
  std::vector<std::string> names;
  for (const Curve& f : ReportedFunctions()) names.push_back(f.name);
  for (std::size_t id = 0; id < gelu_function_count(); ++id) {
    EXPECT_EQ(std::count(names.begin(), names.end(), gelu_function_name(static_cast<gelu_function>(id))), 1);
  }
  EXPECT_EQ(std::count(names.begin(), names.end(), "quick_gelu"), 1);
  EXPECT_EQ(Named({gelu_fn_silu, {1.702, HUGE_VAL}}, "QuickGELU").name, "quick_gelu");
  EXPECT_EQ(Named({gelu_fn_gelu, {1, 10}}, "gelu_10").name, "gelu_10");
}

}  // namespace
}  // namespace gelu::cli
