// SPDX-License-Identifier: Apache-2.0
// The gate as an event, and the rectifier with noise: every element against its word, and the moments.
#define GELU_ONE_LANE
#include <gtest/gtest.h>

#include <cmath>

#include "gelu/core/variate-inl.h"
#include "proof/exact.h"
#include "proof/sample.h"
#include "proof/words.h"

namespace gelu::proof {
namespace {

using Bits = std::uint64_t;

// The same on every target, and in place.
template <class F>
Array CallOnAll(const Array& x, F call) {
  Array first = x;
  for (const char* target : Targets()) {
    const ScopedTarget scoped(target);
    Array y = x, in_place = x;
    EXPECT_EQ(call(x.data(), y.data(), x.size()), GELU_OK);
    EXPECT_EQ(call(in_place.data(), in_place.data(), x.size()), GELU_OK);
    EXPECT_TRUE(y == in_place) << target;
    if (target == Targets().front()) first = y;
    EXPECT_TRUE(y == first) << target;
  }
  return first;
}

Array Stochastic(const What& what, const gelu_dropout& random, const Array& x) {
  return CallOnAll(x, [&](const void* from, void* to, std::size_t n) {
    return gelu_stochastic(what.function, what.dtype, what.alpha, &random, from, to, n);
  });
}

Array NoisyRelu(gelu_dtype dtype, const gelu_dropout& random, const Array& x) {
  return CallOnAll(
      x, [&](const void* from, void* to, std::size_t n) { return gelu_noisy_relu(dtype, &random, from, to, n); });
}

Array Constant(gelu_dtype dtype, double x, std::size_t n) {
  return {dtype, std::vector<Bits>(n, RoundTo(dtype, Real(53, x)))};
}

// gate(alpha x) 2^32.
double Threshold(const What& what, double x) {
  Evaluation evaluation(what.function, ParamsOf(what.alpha), x);
  Real gate = evaluation.Exact(0, {});
  mpfr_div_d(gate.get(), gate.get(), x, MPFR_RNDN);
  return gate.ToDouble() * 0x1p32;
}

class Random : public testing::TestWithParam<What> {};
INSTANTIATE_TEST_SUITE_P(Family, Random, testing::ValuesIn(Everything()), TestName);

constexpr double kPoints[] = {-6.0, -2.0, -1.0, -0.3, 0x1p-20, 0.25, 1.0, 2.5, 9.0};

TEST_P(Random, GateOpensByItsWord) {
  What what = GetParam();
  constexpr std::size_t kCount = 3000;
  const gelu_dropout random = {0.0, 0x9e3779b97f4a7c15, 77, (std::uint64_t{1} << 34) - 1000};
  for (const double alpha : {1.0, 1.702, -0.5, 0.0}) {
    what.alpha = alpha;
    for (const double point : kPoints) {
      const Array x = Constant(what.dtype, point, kCount), y = Stochastic(what, random, x);
      const double threshold = Threshold(what, ToDouble(what.dtype, x[0]));
      Failures failures(Describe(what, gelu_form_forward) + " at " + Text(point));
      for (std::size_t i = 0; i < kCount; ++i) {
        const double word = RandomWord(random, i);
        if (std::abs(word - threshold) <= 1) continue;
        if (y[i] != (word < threshold ? x[i] : 0)) failures.Add("element " + std::to_string(i) + ": " + Hex(y[i]));
      }
    }
  }
}

// Numbers so large or small that a product with a word is none, or that f has few bits.
TEST_P(Random, GateAtTheEndsOfTheFormat) {
  What what = GetParam();
  const gelu_dropout random = {0.0, 1, 2, 3};
  const double largest = ToDouble(what.dtype, FormatOf(what.dtype).Infinity() - 1);
  const double smallest = ToDouble(what.dtype, 1);
  for (const double point : {largest, -largest, largest / 4, smallest, -smallest, 3 * smallest}) {
    for (const double alpha : {1.0, 0.0, std::max(1 / largest, 0x1p-1022), -0.5 / largest}) {
      what.alpha = alpha;
      const Array x = Constant(what.dtype, point, 200), y = Stochastic(what, random, x);
      const double threshold = Threshold(what, ToDouble(what.dtype, x[0]));
      Failures failures(Describe(what, gelu_form_forward) + " at " + Text(point));
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double word = RandomWord(random, i);
        if (std::abs(word - threshold) <= 1) continue;
        if (y[i] != (word < threshold ? x[i] : 0)) failures.Add("element " + std::to_string(i) + ": " + Hex(y[i]));
      }
    }
  }
}

TEST_P(Random, GateAtSpecialNumbers) {
  const What what = GetParam();
  const Format format = FormatOf(what.dtype);
  const gelu_dropout random = {std::nan(""), 1, 2, 3};  // p means nothing
  std::vector<Bits> inputs = Specials(what.dtype);
  for (int i = 0; i < 6; ++i) inputs.insert(inputs.end(), inputs.begin(), inputs.begin() + 34);
  const Array x(what.dtype, inputs), y = Stochastic(what, random, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (format.IsNan(x[i]))
      EXPECT_EQ(y[i], format.Nan()) << Hex(x[i]);
    else if (x[i] == format.Infinity())
      EXPECT_EQ(y[i], x[i]);
    else if (format.IsInfinite(x[i]))
      EXPECT_EQ(y[i], 0U);
    else
      EXPECT_TRUE(y[i] == x[i] || y[i] == 0) << Hex(x[i]) << ' ' << Hex(y[i]);
  }
}

TEST_P(Random, GateMomentsAndParts) {
  const What what = GetParam();
  constexpr std::size_t kCount = 1 << 15;
  const std::size_t size = gelu_dtype_size(what.dtype);
  for (const double point : {-1.0, -0.25, 0.5, 1.5}) {
    const gelu_dropout random = {0.0, 11, 12, 13};
    const Array x = Constant(what.dtype, point, kCount), y = Stochastic(what, random, x);
    const double gate = Threshold(what, point) / 0x1p32, n = kCount;
    double sum = 0, squares = 0, lag = 0, before = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
      const double value = ToDouble(what.dtype, y[i]), distance = value - point * gate;
      sum += value;
      squares += distance * distance;
      lag += distance * before;
      before = distance;
    }
    const double variance = point * point * gate * (1 - gate);
    const double fourth = variance * variance + variance * std::pow(point * (1 - 2 * gate), 2);
    EXPECT_NEAR(sum / n, point * gate, 5 * std::sqrt(variance / n)) << point;
    EXPECT_NEAR(squares / n, variance, 5 * std::sqrt((fourth - variance * variance) / n) + 1e-9) << point;
    EXPECT_NEAR(lag / n, 0, 5 * variance / std::sqrt(n)) << point;
    Array joined(what.dtype, 1100);
    for (std::size_t begin = 0; begin < 1100; begin += 157) {
      gelu_dropout rest = random;
      rest.first += begin;
      ASSERT_EQ(
          gelu_stochastic(what.function, what.dtype, 1.0, &rest, x.data(),
                          static_cast<char*>(joined.data()) + begin * size, std::min<std::size_t>(157, 1100 - begin)),
          GELU_OK);
    }
    for (std::size_t i = 0; i < 1100; ++i) ASSERT_EQ(joined[i], y[i]);
  }
}

class Noise : public testing::TestWithParam<gelu_dtype> {};
INSTANTIATE_TEST_SUITE_P(Dtypes, Noise, testing::ValuesIn(Dtypes()),
                         [](const auto& info) { return std::string(gelu_dtype_name(info.param)); });

double Variate(std::uint32_t word) {
  return gelu::one_lane::NormalVariate(gelu::one_lane::Tag<double>(), std::uint64_t{word});
}

// Numbers that make a sum with the variate whose last bits decide, and special ones.
TEST_P(Noise, SumsAreRoundedOnce) {
  const gelu_dtype dtype = GetParam();
  const Format format = FormatOf(dtype);
  constexpr std::size_t kCount = 20000;
  const gelu_dropout random = {0.0, 5, 6, 7};
  const std::vector<Bits> specials = Specials(dtype);
  Array x(dtype, kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const double e = Variate(RandomWord(random, i));
    const Bits rounded = RoundTo(dtype, Real(53, e));
    // A tie near e, and a step beside it that is lost in the sum of doubles.
    const double tie = (ToDouble(dtype, rounded) + ToDouble(dtype, rounded + 1)) / 2;
    const Bits near_tie = RoundTo(dtype, Real(53, tie - e));
    x.Set(i, i % 4 == 0 ? specials[i / 4 % specials.size()] : near_tie + i % 3 - 1);
  }
  const Array y = NoisyRelu(dtype, random, x);
  Failures failures(gelu_dtype_name(dtype));
  for (std::size_t i = 0; i < kCount; ++i) {
    const double value = ToDouble(dtype, x[i]), e = Variate(RandomWord(random, i));
    Bits want = RoundTo(dtype, Real(53, value) + e);
    if (!format.IsNan(want) && format.IsNegative(want)) want = format.Sign();  // relu is -0 below zero
    if (y[i] == want) continue;
    failures.Add("x " + Hex(x[i]) + ", e " + Text(e) + ": got " + Hex(y[i]) + ", want " + Hex(want));
  }
}

TEST_P(Noise, MomentsAndParts) {
  const gelu_dtype dtype = GetParam();
  constexpr std::size_t kCount = 1 << 17;
  const gelu_dropout random = {0.0, 21, 22, 23};
  for (const double x : {-2.0, -0.75, 0.0, 0.5, 2.0}) {
    const Array inputs = Constant(dtype, x, kCount), y = NoisyRelu(dtype, random, inputs);
    const double upper = std::erfc(-x / std::sqrt(2)) / 2, density = std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
    const double mean = x * upper + density, second = (x * x + 1) * upper + x * density;
    const double fourth = (std::pow(x, 4) + 6 * x * x + 3) * upper + (std::pow(x, 3) + 5 * x) * density;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
      const double value = ToDouble(dtype, y[i]);
      sum += value;
      squares += value * value;
    }
    const double n = kCount;
    EXPECT_NEAR(sum / n, mean, 5 * std::sqrt((second - mean * mean) / n)) << x;
    EXPECT_NEAR(squares / n, second, 5 * std::sqrt((fourth - second * second) / n)) << x;
    gelu_dropout rest = random;
    rest.first += 301;
    const Array part = NoisyRelu(dtype, rest, Constant(dtype, x, 700));
    for (std::size_t i = 0; i < 700; ++i) ASSERT_EQ(part[i], y[i + 301]);
  }
}

TEST(RandomErrors, TouchNothing) {
  const gelu_dropout random = {0.0, 1, 2, 3};
  float x[4] = {1, 2, 3, 4};
  const auto stochastic = [&](double alpha, const gelu_dropout* words, const void* from, void* to) {
    return gelu_stochastic(gelu_fn_gelu, gelu_dtype_f32, alpha, words, from, to, 3);
  };
  EXPECT_EQ(stochastic(std::nan(""), &random, x, x), GELU_ERROR_ALPHA);
  EXPECT_EQ(stochastic(1.0, nullptr, x, x), GELU_ERROR_NULL);
  EXPECT_EQ(stochastic(1.0, &random, nullptr, x), GELU_ERROR_NULL);
  EXPECT_EQ(stochastic(1.0, &random, x, x + 1), GELU_ERROR_OVERLAP);
  EXPECT_EQ(gelu_stochastic(gelu_fn_count_, gelu_dtype_f32, 1.0, &random, x, x, 3), GELU_ERROR_FUNCTION);
  EXPECT_EQ(gelu_stochastic(gelu_fn_gelu, gelu_dtype_count_, 1.0, &random, x, x, 3), GELU_ERROR_DTYPE);
  EXPECT_EQ(gelu_noisy_relu(gelu_dtype_f32, nullptr, x, x, 3), GELU_ERROR_NULL);
  EXPECT_EQ(gelu_noisy_relu(gelu_dtype_f32, &random, x, nullptr, 3), GELU_ERROR_NULL);
  EXPECT_EQ(gelu_noisy_relu(gelu_dtype_f32, &random, x, x + 1, 3), GELU_ERROR_OVERLAP);
  EXPECT_EQ(gelu_noisy_relu(gelu_dtype_count_, &random, x, x, 3), GELU_ERROR_DTYPE);
  EXPECT_TRUE(x[0] == 1 && x[1] == 2 && x[2] == 3 && x[3] == 4);
  EXPECT_EQ(gelu_stochastic(gelu_fn_gelu, gelu_dtype_f32, 1.0, nullptr, nullptr, nullptr, 0), GELU_OK);
}

}  // namespace
}  // namespace gelu::proof
