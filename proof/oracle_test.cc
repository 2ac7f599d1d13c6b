// SPDX-License-Identifier: Apache-2.0
// The oracle against published digits, and against itself.
#include "proof/oracle.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "proof/digits.h"
#include "proof/ulp.h"

namespace gelu::proof {
namespace {

gelu_function Find(const char* name) {
  int id = 0;
  while (std::strcmp(kFamily[id].name, name) != 0) ++id;
  return static_cast<gelu_function>(id);
}

struct Digits {
  const char* function;
  gelu_form form;
  double alpha, x;
  const char* value;
};

constexpr gelu_form kF = gelu_form_forward, kF1 = gelu_form_derivative, kF2 = gelu_form_second_derivative;

// Computed with mpmath at 60 digits, apart from this library.
constexpr Digits kDigits[] = {
    {"gelu", kF, 1, -13.5, "-1.05553898626e-40"},
    {"gelu", kF, 1, -12, "-2.13177853449e-32"},
    {"gelu", kF, 1, -10, "-7.61985302416e-23"},
    {"gelu", kF, 1, -8, "-4.97676845942e-15"},
    {"gelu", kF, 1, -5.5, "-1.04442593562e-7"},
    {"gelu", kF, 1, -1, "-0.158655253931"},
    {"gelu", kF, 1, 1, "0.841344746069"},
    {"gelu", kF, 1, 3, "2.99595030591"},
    {"gelu", kF1, 1, -12, "-2.55789566e-31"},
    {"gelu", kF1, 1, -10, "-7.6184001e-22"},
    {"gelu", kF1, 1, -4, "-5.03649661e-4"},
    {"gelu", kF1, 1, 2, "1.08523180"},
    {"gelu", kF2, 1, -12, "-3.0478649e-30"},
    {"gelu", kF2, 1, -5, "-3.41945488e-5"},
    {"gelu", kF2, 1, 1, "0.241970725"},
    {"gelu_tanh", kF, 1, -13.5, "-3.38696202e-85"},
    {"gelu_tanh", kF, 1, -6, "-8.43964670e-11"},
    {"gelu_tanh", kF, 1, -1, "-0.158808009392"},
    {"gelu_tanh", kF, 1, 3, "2.99636260792"},
    {"gelu_tanh", kF1, 1, -12, "-5.2904e-60"},
    {"gelu_tanh", kF1, 1, 1, "1.08296408385"},
    {"silu", kF, 1, -13.5, "-1.85079223e-5"},
    {"silu", kF, 1, -6, "-1.48357389e-2"},
    {"silu", kF, 1, 2, "1.76159416"},
    {"silu", kF1, 1, 1, "0.9276706"},
    {"silu", kF, 1.702, -13.5, "-1.41758614e-9"},
    {"silu", kF, 1.702, -1, "-0.154204234"},
    {"silu", kF, 1.702, 3, "2.98192869"},
    // The minima, the steepest slopes and the extreme curvatures, at the double nearest to each: they are flat there.
    {"gelu", kF, 1, -0.7517915246935644574579049, "-0.1699712074799036616938685"},
    {"gelu_tanh", kF, 1, -0.7524614220710162584879544, "-0.1700407505712540506390674"},
    {"silu", kF, 1, -1.278464542761073795109359, "-0.2784645427610737951093587"},
    {"gelu", kF1, 1, 1.414213562373095048801689, "1.128904145185154786340744"},
    {"gelu_tanh", kF1, 1, 1.418504008790828355548034, "1.128993068658771765455904"},
    {"silu", kF1, 1, 2.399357280515467667832740, "1.099839320128866916958185"},
    {"gelu", kF2, 1, 0, "0.7978845608028653558798921"},
    {"gelu_tanh", kF2, 1, 0, "0.7978845608028653558798921"},
    {"silu", kF2, 1, 0, "0.5"},
    {"gelu", kF2, 1, -2, "-0.1079819330263761039011284"},
    {"gelu_tanh", kF2, 1, 2.013480724624258, "-0.1079135158903679192861824"},
    {"silu", kF2, 1, -3.435840993535111, "-0.03691437319989318563829178"},
};

TEST(Oracle, AgreesWithPublishedDigits) {
  for (const Digits& digits : kDigits) {
    Evaluation evaluation(Find(digits.function), ParamsOf(digits.alpha), digits.x);
    SCOPED_TRACE(std::string(digits.function) + " at " + std::to_string(digits.x));
    ExpectDigits(evaluation.Exact(digits.form), digits.value);
  }
}

struct MoreDigits {
  const char* function;
  int derivative;
  double alpha, x;
  const char* value;
};

// Slopes of f that mpmath took with 120 digits.
constexpr MoreDigits kMoreDigits[] = {
    {"gelu", 3, 1, 1, "-0.72591217355743004939"},
    {"gelu", kAlphaDerivative, 1, 1, "0.2419707245191433498"},
    {"gelu", 3, 1, -3.5, "-0.025198712819446321894"},
    {"gelu", kAlphaDerivative, 1, -3.5, "0.010690363014310560804"},
    {"gelu", 3, 1, 0.1, "-0.1583840664433277031"},
    {"gelu", kAlphaDerivative, 1, 0.1, "0.0039695254747701180936"},
    {"gelu", 3, 1, -12, "-3.6059246759139413797e-29"},
    {"gelu", kAlphaDerivative, 1, -12, "3.0907925793548068969e-30"},
    {"gelu", 3, 1.702, 1, "-0.50981007678781622068"},
    {"gelu", kAlphaDerivative, 1.702, 1, "0.093729666042392368024"},
    {"gelu", 3, 1.702, -3.5, "-4.2689196698360491997e-6"},
    {"gelu", kAlphaDerivative, 1.702, -3.5, "9.6248052647790892966e-8"},
    {"gelu", 3, 1.702, 0.1, "-0.76984232696507992088"},
    {"gelu", kAlphaDerivative, 1.702, 0.1, "0.0039320563754716497568"},
    {"gelu", 3, 1.702, -12, "-2.5604455182075369756e-87"},
    {"gelu", kAlphaDerivative, 1.702, -12, "1.5084159234171464077e-89"},
    {"gelu_tanh", 3, 1, 1, "-0.72172039178848642717"},
    {"gelu_tanh", kAlphaDerivative, 1, 1, "0.24177209323750585036"},
    {"gelu_tanh", 3, 1, -3.5, "-0.026172152632028445644"},
    {"gelu_tanh", kAlphaDerivative, 1, -3.5, "0.0090954508157811719237"},
    {"gelu_tanh", 3, 1, 0.1, "-0.15914672647939421755"},
    {"gelu_tanh", kAlphaDerivative, 1, 0.1, "0.0039694278817405082965"},
    {"gelu_tanh", 3, 1.702, 1, "-0.51916451170005888418"},
    {"gelu_tanh", kAlphaDerivative, 1.702, 1, "0.094127509148315120668"},
    {"gelu_tanh", 3, 1.702, -3.5, "-2.4040886909623954505e-7"},
    {"gelu_tanh", kAlphaDerivative, 1.702, -3.5, "2.3572459767705726977e-9"},
    {"gelu_tanh", 3, 1.702, 0.1, "-0.7733534468551032334"},
    {"gelu_tanh", kAlphaDerivative, 1.702, 0.1, "0.0039317798481818094264"},
    {"silu", 3, 1, 1, "-0.30789882353508087588"},
    {"silu", kAlphaDerivative, 1, 1, "0.19661193324148185254"},
    {"silu", 3, 1, -3.5, "-0.0022295756231708998221"},
    {"silu", kAlphaDerivative, 1, -3.5, "0.34854954252676060804"},
    {"silu", 3, 1, 0.1, "-0.049750706798486458625"},
    {"silu", kAlphaDerivative, 1, 0.1, "0.0024937604019289199544"},
    {"silu", 3, 1, -12, "-0.000055294740135825495339"},
    {"silu", kAlphaDerivative, 1, -12, "0.00088475570659197724683"},
    {"silu", 3, 1.702, 1, "-0.64405533376777552771"},
    {"silu", kAlphaDerivative, 1.702, 1, "0.13042528826293347086"},
    {"silu", 3, 1.702, -3.5, "-0.021480589586014494309"},
    {"silu", kAlphaDerivative, 1.702, -3.5, "0.031535458322660450524"},
    {"silu", 3, 1.702, 0.1, "-0.24297657102344166111"},
    {"silu", kAlphaDerivative, 1.702, 0.1, "0.0024819820288115583365"},
    {"silu", 3, 1.702, -12, "-6.8082652955980910007e-8"},
    {"silu", kAlphaDerivative, 1.702, -12, "1.9423701376817139507e-7"},
};

TEST(Oracle, AgreesWithDigitsOfHigherDerivatives) {
  for (const MoreDigits& digits : kMoreDigits) {
    Evaluation evaluation(Find(digits.function), ParamsOf(digits.alpha), digits.x);
    SCOPED_TRACE(std::string(digits.function) + " at " + std::to_string(digits.x));
    ExpectDigits(evaluation.Exact(digits.derivative, {}), digits.value);
  }
}

TEST(Oracle, DerivativesAreTheSlopes) {
  // The central difference is off by a sixth of kStep^2 times a derivative: below 24 of f and f', below 90 of others.
  constexpr double kStep = 0x1p-24;
  const auto is_slope = [](const Real& above, const Real& below, const Real& slope, int bound) {
    Real difference(200);
    mpfr_sub(difference.get(), above.get(), below.get(), MPFR_RNDN);
    mpfr_div_d(difference.get(), difference.get(), 2 * kStep, MPFR_RNDN);
    mpfr_sub(difference.get(), difference.get(), slope.get(), MPFR_RNDN);
    return std::abs(difference.ToDouble()) < kStep * kStep * bound;
  };
  for (std::size_t id = 0; id < std::size(kFamily); ++id) {
    if (std::strcmp(kFamily[id].name, "relu") == 0) continue;  // has a kink
    for (const double alpha : {1.0, -0.5, 1.25}) {
      for (double x = -6; x <= 6; x += 0.125) {
        const auto at = [&](double a, double where, int derivative) {
          return Evaluation(static_cast<gelu_function>(id), ParamsOf(a), where).Exact(derivative, {});
        };
        for (int order = 0; order < kHighestOrder; ++order) {
          EXPECT_TRUE(is_slope(at(alpha, x + kStep, order), at(alpha, x - kStep, order), at(alpha, x, order + 1),
                               order < 2 ? 4 : 15))
              << kFamily[id].name << " at " << x << ", order " << order;
        }
        EXPECT_TRUE(is_slope(at(alpha + kStep, x, 0), at(alpha - kStep, x, 0), at(alpha, x, kAlphaDerivative), 15))
            << kFamily[id].name << " at " << x << ", by alpha";
      }
    }
  }
}

TEST(Oracle, GatesAreComplementary) {
  for (std::size_t id = 0; id < std::size(kFamily); ++id) {
    for (const double x : {0x1p-1074, 1e-20, 0.3, 1.0, 1.4142135623730951, 5.0, 37.5, 800.0}) {
      Evaluation plus(static_cast<gelu_function>(id), kDefaultParams, x);
      Evaluation minus(static_cast<gelu_function>(id), kDefaultParams, -x);
      Real value = plus.Exact(kF), slope = plus.Exact(kF1), curvature = plus.Exact(kF2);
      mpfr_sub(value.get(), value.get(), minus.Exact(kF).get(), MPFR_RNDN);
      mpfr_sub_d(value.get(), value.get(), x, MPFR_RNDN);
      EXPECT_LE(std::abs(value.ToDouble()), std::ldexp(x, -118));
      mpfr_add(slope.get(), slope.get(), minus.Exact(kF1).get(), MPFR_RNDN);
      mpfr_sub_d(slope.get(), slope.get(), 1.0, MPFR_RNDN);
      EXPECT_LE(std::abs(slope.ToDouble()), 0x1p-118);
      const double size = std::abs(curvature.ToDouble());
      mpfr_sub(curvature.get(), curvature.get(), minus.Exact(kF2).get(), MPFR_RNDN);
      EXPECT_LE(std::abs(curvature.ToDouble()), size * 0x1p-119);
    }
  }
}

TEST(Oracle, RoundsCloseToTies) {
  const gelu_function gelu = Find("gelu");
  const auto bf16 = [&](std::uint64_t bits, double alpha) {
    return Evaluation(gelu, ParamsOf(alpha), ToDouble(gelu_dtype_bf16, bits)).Rounded(kF, gelu_dtype_bf16);
  };
  EXPECT_EQ(bf16(0x0001, 1), 0x0001U);  // half the smallest subnormal, and a little more
  EXPECT_EQ(bf16(0x8001, 1), 0x8000U);  // ... and a little less in magnitude
  EXPECT_EQ(bf16(0x0001, 0), 0x0000U);  // exactly half: to even
  EXPECT_EQ(bf16(0x0003, 0), 0x0002U);
  EXPECT_EQ(bf16(0x0001, 1e-300), 0x0001U);
  EXPECT_EQ(Evaluation(gelu, ParamsOf(0x1p-1074), 0x1p-1074).Rounded(kF, gelu_dtype_f64), 1U);
}

TEST(Oracle, PhiEnclosesItsErrorFunction) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-22, 8);
  for (int i = 0; i < 300; ++i) {
    const Interval z = Interval(i % 10 ? 192 : 500, uniform(random)) * Interval(192, i % 3 ? 1.0 : 0.0625);
    const Interval enclosure = Phi(z);
    Real argument(700), phi(700);
    mpfr_sqrt_ui(argument.get(), 2, MPFR_RNDN);
    mpfr_div(argument.get(), z.lo.get(), argument.get(), MPFR_RNDN);
    mpfr_neg(argument.get(), argument.get(), MPFR_RNDN);
    mpfr_erfc(phi.get(), argument.get(), MPFR_RNDN);
    mpfr_mul_2si(phi.get(), phi.get(), -1, MPFR_RNDN);
    EXPECT_LE(mpfr_cmp(enclosure.lo.get(), phi.get()), 0);
    EXPECT_GE(mpfr_cmp(enclosure.hi.get(), phi.get()), 0);
    EXPECT_TRUE(enclosure.IsTight(170)) << z.lo.ToDouble();
  }
}

TEST(Oracle, ClipLimitsTheValueAndStopsTheDerivatives) {
  const gelu_params params = ParamsOf(1.0, 10.0);
  const gelu_function gelu = Find("gelu");
  Evaluation inside(gelu, params, 10.0);  // the real f(10) is below 10
  EXPECT_EQ(inside.Rounded(kF1, gelu_dtype_f64), 0x3ff0000000000000U);
  Evaluation beyond(gelu, params, std::nextafter(10.0, 11.0));
  EXPECT_EQ(beyond.Rounded(kF, gelu_dtype_f64), 0x4024000000000000U);
  EXPECT_EQ(beyond.Rounded(kF1, gelu_dtype_f64), 0U);
  for (int derivative = 1; derivative < kDerivatives; ++derivative) {
    EXPECT_EQ(beyond.Rounded(derivative, gelu_dtype_f64, {}), 0U);
  }
}

TEST(Oracle, InfiniteInputsGiveTheLimits) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t id = 0; id < std::size(kFamily); ++id) {
    const auto at = [&](double alpha, double x, gelu_form form) {
      return ToDouble(gelu_dtype_f64,
                      Evaluation(static_cast<gelu_function>(id), ParamsOf(alpha), x).Rounded(form, gelu_dtype_f64));
    };
    EXPECT_EQ(at(1, kInfinity, kF), kInfinity);
    EXPECT_EQ(at(1, kInfinity, kF1), 1.0);
    EXPECT_EQ(std::copysign(1.0, at(1, -kInfinity, kF)), -1.0);
    EXPECT_EQ(at(1, -kInfinity, kF), 0.0);
    EXPECT_EQ(at(1, -kInfinity, kF1), 0.0);
    for (const double x : {-kInfinity, kInfinity}) EXPECT_EQ(at(1, x, kF2), 0.0);
  }
  Evaluation flipped(Find("gelu"), ParamsOf(-1.0), -kInfinity);
  EXPECT_EQ(flipped.Exact(kF).ToDouble(), -kInfinity);
  EXPECT_EQ(flipped.Exact(kF1).ToDouble(), 1.0);
}

// f(x) by order and by alpha, as f64.
std::uint64_t At(const char* function, double alpha, int derivative, double x, double b = -0.0,
                 std::vector<double> factors = {}) {
  return Evaluation(Find(function), ParamsOf(alpha), x, b).Rounded(derivative, gelu_dtype_f64, factors);
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kMinusZero = 0x8000000000000000, kNan = 0x7ff8000000000000;

TEST(Oracle, HigherDerivativesVanishAtInfinityWithTheirSign) {
  for (const char* function : {"gelu", "gelu_tanh", "silu"}) {
    // Odd, and positive far to the right; alpha changes no more than the scale.
    for (const double alpha : {1.0, 1.702, 1e308, 0x1p-1074}) {
      EXPECT_EQ(At(function, alpha, 3, kInfinite), 0U) << function;
      EXPECT_EQ(At(function, alpha, 3, -kInfinite), kMinusZero) << function;
      EXPECT_EQ(At(function, -alpha, 3, kInfinite), kMinusZero) << function;
      for (const double x : {kInfinite, -kInfinite}) EXPECT_EQ(At(function, alpha, kAlphaDerivative, x), 0U);
    }
    EXPECT_EQ(At(function, 0.0, kAlphaDerivative, -kInfinite), std::bit_cast<std::uint64_t>(kInfinite));
    EXPECT_EQ(At(function, 0.0, 3, kInfinite), 0U);
  }
  for (int derivative : {2, 3, kAlphaDerivative}) {
    for (const double x : {-kInfinite, -2.0, -0.0, 2.0, kInfinite}) EXPECT_EQ(At("relu", 1.0, derivative, x), 0U);
  }
}

// Just outside the tail, where a square of x is still in the way of the exponential.
TEST(Oracle, KnowsTheTailOfLargeInputs) {
  Evaluation evaluation(Find("silu"), ParamsOf(0x1p-1012), 0x1p1023);  // x^2 e^-2048, and a little
  const Real exact = evaluation.Exact(kAlphaDerivative, {});
  Real want(200);
  mpfr_set_si(want.get(), -2048, MPFR_RNDN);
  mpfr_exp(want.get(), want.get(), MPFR_RNDN);
  mpfr_mul_2si(want.get(), want.get(), 2046, MPFR_RNDN);
  mpfr_sub(want.get(), want.get(), exact.get(), MPFR_RNDN);
  mpfr_div(want.get(), want.get(), exact.get(), MPFR_RNDN);
  EXPECT_LT(std::abs(want.ToDouble()), 0x1p-118);
  EXPECT_EQ(At("silu", 0x1.8p-1012, kAlphaDerivative, 0x1p1023), 0U);
}

TEST(Oracle, HigherDerivativesHaveExactZeros) {
  for (const char* function : {"gelu", "gelu_tanh", "silu", "relu"}) {
    for (const double x : {0.0, -0.0}) {
      EXPECT_EQ(At(function, 1.0, 3, x), 0U) << function;
      EXPECT_EQ(At(function, 1.0, kAlphaDerivative, x), 0U) << function;
    }
  }
  for (const double x : {2.0, -2.0}) EXPECT_EQ(At("gelu", 1.0, 3, x), 0U);
  EXPECT_EQ(At("gelu", -0.5, 3, 4.0), 0U);
  EXPECT_EQ(At("gelu", 1.0, 3, 3.0, -1.0), 0U);
  EXPECT_NE(At("gelu", 1.0, 3, 2.0, 0x1p-1000), 0U);  // beside the root
  EXPECT_NE(At("gelu", 1.0, 3, std::nextafter(2.0, 3.0)), 0U);
}

TEST(Oracle, PointsAreUnroundedSums) {
  const auto f64 = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  EXPECT_EQ(At("relu", 1, 0, 1.0, 0x1p-60), f64(1.0));
  EXPECT_EQ(At("relu", 1, 0, 1.0, 0x1p-53), f64(1.0));  // a tie
  EXPECT_EQ(Evaluation(Find("relu"), ParamsOf(1), 0x1p1000, 0x1p-1074).Rounded(1, gelu_dtype_f64, {}), f64(1.0));
  // Half of 1 + 2^-53 + 2^-200, or so, is beside a tie.
  EXPECT_EQ(At("gelu", 0.0, 0, 1 + 0x1p-52, 0x1p-53), f64(0.5 + 0x1p-52));
  EXPECT_EQ(At("gelu", 0.0, 0, 1.0, 0x1.0000000000001p-53), f64(0.5 + 0x1p-53));
  EXPECT_EQ(At("gelu", 0.0, 0, 1.0, 0x1p-53), f64(0.5));
  EXPECT_EQ(At("silu", 1, 0, 0.5, -0.5), 0U);
  EXPECT_EQ(At("silu", 1, 0, -0.0, 0.0), 0U);
  EXPECT_EQ(At("silu", 1, 0, -0.0, -0.0), kMinusZero);
  EXPECT_EQ(At("silu", 1, 0, -0.0), kMinusZero);
  EXPECT_EQ(At("silu", 1, 0, kInfinite, -kInfinite), kNan);
  EXPECT_EQ(At("silu", 1, 0, 1e308, -kInfinite), kMinusZero);
  EXPECT_EQ(At("silu", 1, 1, 1.7e308, 1.7e308), f64(1.0));
  EXPECT_EQ(At("silu", 1, 0, 1.7e308, 1.7e308), f64(kInfinite));
}

// Where the gate is all but one, a product may be all but a tie.
TEST(Oracle, RoundsAllButTies) {
  for (const char* function : {"gelu", "gelu_tanh", "silu"}) {
    const auto f16 = [&](int derivative, double x, double factor) {
      return Evaluation(Find(function), kDefaultParams, x)
          .Rounded(derivative, gelu_dtype_f16, std::array<double, 2>{factor, 1.0});
    };
    for (const double x : {512.0, 1024.0, 4096.0}) {
      const double above_even = (1 + 0x1p-11) * x, above_odd = (1 + 0x1.8p-10) * x;
      EXPECT_EQ(f16(0, x, above_even / x / x), 0x3c00U) << function;  // f is below x
      EXPECT_EQ(f16(0, x, above_odd / x / x), 0x3c01U) << function;
      EXPECT_EQ(f16(1, x, above_even / x), 0x3c01U) << function;  // f' is above 1
      EXPECT_EQ(f16(1, x, above_odd / x), 0x3c02U) << function;
      EXPECT_EQ(f16(1, -x, 1.0), 0x8000U) << function;
    }
    const std::uint64_t largest = 0x7bff;
    Evaluation overflowing(Find(function), kDefaultParams, 2048.0);
    const double factor[] = {65520.0 / 2048};
    EXPECT_EQ(overflowing.Rounded(0, gelu_dtype_f16, factor), largest);
    EXPECT_EQ(UlpError(gelu_dtype_f16, largest, overflowing.Exact(0, factor)), 0.5);
  }
}

TEST(Oracle, ProductsFollowTheRulesOfIeee) {
  const double nan = std::nan("");
  const std::uint64_t infinity = std::bit_cast<std::uint64_t>(kInfinite);
  EXPECT_EQ(At("gelu", 1, 0, 1.0, -0.0, {nan, 0.0}), kNan);
  EXPECT_EQ(At("gelu", 1, 0, 1.0, -0.0, {0.0, nan}), kNan);
  EXPECT_EQ(At("gelu", 1, 0, nan, -0.0, {0.0}), kNan);
  EXPECT_EQ(At("gelu", 1, 0, 1.0, -0.0, {0.0, kInfinite}), kNan);
  EXPECT_EQ(At("gelu", 1, 0, 0.0, -0.0, {2.0, kInfinite}), kNan);
  EXPECT_EQ(At("gelu", 1, 0, kInfinite, -0.0, {-0.0, 2.0}), kNan);
  EXPECT_EQ(At("gelu", 1, 0, -1.0, -0.0, {kInfinite, -1.0}), infinity);
  EXPECT_EQ(At("gelu", 1, 0, -1.0, -0.0, {0.0, -1.0}), 0U);
  EXPECT_EQ(At("gelu", 1, 0, -1.0, -0.0, {0.0, 1.0}), kMinusZero);
  EXPECT_EQ(At("gelu", 1, 0, -0.0, -0.0, {-3.0, 1.0}), 0U);
  EXPECT_EQ(At("gelu", 1, 3, 2.0, -0.0, {-3.0}), kMinusZero);
  // No step on the way overflows or underflows.
  EXPECT_EQ(At("relu", 1, 0, 0x1p1000, -0.0, {0x1p1000, 0x1p-1074}), std::bit_cast<std::uint64_t>(0x1p926));
}

}  // namespace
}  // namespace gelu::proof
