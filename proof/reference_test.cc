// SPDX-License-Identifier: Apache-2.0
// The reference against the oracle: every ball holds the real number.
#include "proof/reference.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "proof/oracle.h"
#include "proof/walk.h"

namespace gelu::proof {
namespace {

constexpr gelu_form kForms[] = {gelu_form_forward, gelu_form_derivative, gelu_form_second_derivative};

// The distance of the real number from the ball's middle, in units of the ball's error and that of Exact.
double Position(const Ball& ball, const Real& exact) {
  Real scaled(exact.precision()), distance(2300), allowed(64);  // hi and lo may lie far apart
  mpfr_mul_2si(scaled.get(), exact.get(), -ball.exponent, MPFR_RNDN);
  mpfr_sub_d(distance.get(), scaled.get(), ball.hi, MPFR_RNDN);
  mpfr_sub_d(distance.get(), distance.get(), ball.lo, MPFR_RNDN);
  if (mpfr_zero_p(distance.get())) return 0.0;
  mpfr_abs(allowed.get(), scaled.get(), MPFR_RNDU);
  mpfr_mul_2si(allowed.get(), allowed.get(), -120, MPFR_RNDU);
  mpfr_add_d(allowed.get(), allowed.get(), ball.error, MPFR_RNDN);
  mpfr_div(distance.get(), distance.get(), allowed.get(), MPFR_RNDN);
  return distance.ToDouble();
}

// Every binade and sign, dense where the functions live, far beyond, the tail down to f64's underflow, halves of bits
// set, and the neighbours of every value of the other kinds.
std::vector<double> Sample(double alpha, std::size_t n) {
  std::mt19937_64 random(20240229);
  std::vector<double> sample = {0.0, -0.0, 0x1p-1074, -0x1p-1074, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023};
  const auto add = [&](double x) {
    for (const double y : {x, std::nextafter(x, 0.0), std::nextafter(x, std::copysign(HUGE_VAL, x))})
      sample.insert(sample.end(), {y, -y});
  };
  for (int e = -1074; e <= 1023; e += 3) add(std::ldexp(1.0, e));
  for (int i = 0; i <= 45; ++i) add(i);
  std::uniform_real_distribution<double> near(-3.0, 3.0), wide(-45.0, 45.0), decay(-830.0, 830.0), log(-45.0, 12.0);
  while (sample.size() < n) {
    const double sign = random() % 2 == 0 ? 1.0 : -1.0;
    sample.insert(sample.end(), {near(random) / alpha, wide(random) / alpha, static_cast<float>(wide(random)),
                                 decay(random) / alpha, sign * std::exp2(log(random))});
  }
  return sample;
}

class ReferenceTest : public testing::TestWithParam<What> {};

std::vector<What> Cases() {
  std::vector<What> cases;
  for (const gelu_function function : Functions()) {
    for (const double alpha : {1.0, 1.702, -0.37, 0.0}) cases.push_back({function, gelu_dtype_f64, alpha});
  }
  return cases;
}

TEST_P(ReferenceTest, HoldsTheRealNumber) {
  const What what = GetParam();
  const std::vector<double> sample = Sample(what.alpha == 0.0 ? 1.0 : std::abs(what.alpha), 4000);
  const Reference reference(what.function, what.alpha);
  std::vector<std::array<Ball, 2 * std::size(kForms)>> balls(sample.size());
  for (std::size_t i = 0; i < sample.size(); ++i) {
    for (std::size_t f = 0; f < std::size(kForms); ++f) {
      reference.Evaluate(kForms[f], &sample[i], &balls[i][2 * f], 1);
      reference.Estimate(kForms[f], &sample[i], &balls[i][2 * f + 1], 1);
    }
  }
  Failures failures(Describe(what, gelu_form_forward));
  ParallelFor(sample.size(), [&](std::size_t i) {
    Evaluation evaluation(what.function, ParamsOf(what.alpha), sample[i]);
    for (std::size_t b = 0; b < balls[i].size(); ++b) {
      const Ball& ball = balls[i][b];
      const Real exact = evaluation.Exact(kForms[b / 2]);
      const double position = Position(ball, exact);
      const bool over_zero = std::abs(ball.hi) < ball.error;  // next to a root
      const bool sign = over_zero || std::signbit(ball.hi) == (mpfr_signbit(exact.get()) != 0);
      if (std::abs(position) <= 1.0 && sign) continue;
      char text[160];
      std::snprintf(text, sizeof(text), "%s at %a: hi %a, lo %a, exponent %d, error %a: off by %g errors%s",
                    gelu_form_name(kForms[b / 2]), sample[i], ball.hi, ball.lo, ball.exponent, ball.error, position,
                    sign ? "" : ", wrong sign");
      failures.Add(text);
    }
  });
}

// f(x) = x/2 + slope x^2: next to a tie, which the sign of the second term decides, however small it is.
TEST_P(ReferenceTest, DecidesTheTiesNearZero) {
  const What what = GetParam();
  const Reference reference(what.function, what.alpha);
  for (const std::uint64_t odd : {0x1ULL, 0x3ULL, 0x123456789abcdULL, 0xfffffffffffffULL}) {
    for (const double x : {std::bit_cast<double>(odd), -std::bit_cast<double>(odd)}) {
      Ball ball{};
      reference.Evaluate(gelu_form_forward, &x, &ball, 1);
      if (std::ldexp(ball.hi, ball.exponent) == x) continue;  // no half
      Evaluation evaluation(what.function, ParamsOf(what.alpha), x);
      const double rounded = ToDouble(gelu_dtype_f64, evaluation.Rounded(gelu_form_forward, gelu_dtype_f64));
      if (ball.lo == 0.0) continue;  // an exact tie
      EXPECT_EQ(ball.lo > 0.0, std::ldexp(rounded, -ball.exponent) > ball.hi) << x;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, ReferenceTest, testing::ValuesIn(Cases()), [](const auto& info) {
  std::string name = gelu_function_name(info.param.function) + std::to_string(info.param.alpha);
  for (char& c : name) c = c == '.' ? '_' : c == '-' ? 'm' : c;
  return name;
});

}  // namespace
}  // namespace gelu::proof
