// SPDX-License-Identifier: Apache-2.0
// The oracle against published digits, against itself, and against the compiler's own rounding.
#include "proof/oracle.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

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
    Evaluation evaluation(Find(digits.function), {digits.alpha, kNoClip}, digits.x);
    SCOPED_TRACE(std::string(digits.function) + " at " + std::to_string(digits.x));
    ExpectDigits(evaluation.Exact(digits.form), digits.value);
  }
}

TEST(Oracle, DerivativesAreTheSlopes) {
  constexpr double kStep = 0x1p-24;  // the central difference is off by at most kStep^2, as |f'''|, |f''''| < 6
  for (std::size_t id = 0; id < std::size(kFamily); ++id) {
    if (std::strcmp(kFamily[id].name, "relu") == 0) continue;  // has a kink
    for (const double alpha : {1.0, -0.5, 1.25}) {
      for (double x = -6; x <= 6; x += 0.125) {
        const auto at = [&](double where, gelu_form form) {
          return Evaluation(static_cast<gelu_function>(id), {alpha, kNoClip}, where).Exact(form);
        };
        for (const gelu_form form : {kF, kF1}) {
          const Real above = at(x + kStep, form), below = at(x - kStep, form);
          Real slope = at(x, static_cast<gelu_form>(form + 1));
          Real difference(200);
          mpfr_sub(difference.get(), above.get(), below.get(), MPFR_RNDN);
          mpfr_div_d(difference.get(), difference.get(), 2 * kStep, MPFR_RNDN);
          mpfr_sub(difference.get(), difference.get(), slope.get(), MPFR_RNDN);
          EXPECT_LT(std::abs(difference.ToDouble()), kStep * kStep * 4) << kFamily[id].name << " at " << x;
        }
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
    return Evaluation(gelu, {alpha, kNoClip}, ToDouble(gelu_dtype_bf16, bits)).Rounded(kF, gelu_dtype_bf16);
  };
  EXPECT_EQ(bf16(0x0001, 1), 0x0001U);  // half the smallest subnormal, and a little more
  EXPECT_EQ(bf16(0x8001, 1), 0x8000U);  // ... and a little less in magnitude
  EXPECT_EQ(bf16(0x0001, 0), 0x0000U);  // exactly half: to even
  EXPECT_EQ(bf16(0x0003, 0), 0x0002U);
  EXPECT_EQ(bf16(0x0001, 1e-300), 0x0001U);
  EXPECT_EQ(Evaluation(gelu, {0x1p-1074, kNoClip}, 0x1p-1074).Rounded(kF, gelu_dtype_f64), 1U);
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
  const gelu_params params = {1.0, 10.0};
  const gelu_function gelu = Find("gelu");
  Evaluation inside(gelu, params, 10.0);  // the real f(10) is below 10
  EXPECT_EQ(inside.Rounded(kF1, gelu_dtype_f64), 0x3ff0000000000000U);
  Evaluation beyond(gelu, params, std::nextafter(10.0, 11.0));
  EXPECT_EQ(beyond.Rounded(kF, gelu_dtype_f64), 0x4024000000000000U);
  EXPECT_EQ(beyond.Rounded(kF1, gelu_dtype_f64), 0U);
  EXPECT_EQ(beyond.Rounded(kF2, gelu_dtype_f64), 0U);
}

TEST(Oracle, InfiniteInputsGiveTheLimits) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t id = 0; id < std::size(kFamily); ++id) {
    const auto at = [&](double alpha, double x, gelu_form form) {
      return ToDouble(gelu_dtype_f64,
                      Evaluation(static_cast<gelu_function>(id), {alpha, kNoClip}, x).Rounded(form, gelu_dtype_f64));
    };
    EXPECT_EQ(at(1, kInfinity, kF), kInfinity);
    EXPECT_EQ(at(1, kInfinity, kF1), 1.0);
    EXPECT_EQ(std::copysign(1.0, at(1, -kInfinity, kF)), -1.0);
    EXPECT_EQ(at(1, -kInfinity, kF), 0.0);
    EXPECT_EQ(at(1, -kInfinity, kF1), 0.0);
    for (const double x : {-kInfinity, kInfinity}) EXPECT_EQ(at(1, x, kF2), 0.0);
  }
  Evaluation flipped(Find("gelu"), {-1.0, kNoClip}, -kInfinity);
  EXPECT_EQ(flipped.Exact(kF).ToDouble(), -kInfinity);
  EXPECT_EQ(flipped.Exact(kF1).ToDouble(), 1.0);
}

TEST(RoundTo, ReadsBackEveryPattern) {
  for (const gelu_dtype dtype : {gelu_dtype_f16, gelu_dtype_bf16}) {
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
      const Real value(53, ToDouble(dtype, bits));
      const std::uint64_t want = FormatOf(dtype).IsNan(bits) ? FormatOf(dtype).Nan() : bits;
      ASSERT_EQ(RoundTo(dtype, value), want) << std::hex << bits;
    }
  }
}

TEST(RoundTo, AgreesWithTheCompiler) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    // Exponents around those of binary32, with ties made likely.
    const std::uint64_t exponent = 1023 - 160 + random() % 300;
    const std::uint64_t mask = i % 4 == 0 ? ~std::uint64_t{0} << 28 : ~std::uint64_t{0};
    const double x = std::bit_cast<double>((random() & mask & 0x800fffffffffffff) | exponent << 52);
    ASSERT_EQ(RoundTo(gelu_dtype_f32, Real(53, x)), std::bit_cast<std::uint32_t>(static_cast<float>(x))) << x;
    ASSERT_EQ(RoundTo(gelu_dtype_f64, Real(53, x)), std::bit_cast<std::uint64_t>(x)) << x;
  }
}

TEST(Ulp, IsTheSpacingAtTheExactValue) {
  const auto f32 = [](float got, double exact) {
    return UlpError(gelu_dtype_f32, std::bit_cast<std::uint32_t>(got), Real(64, exact));
  };
  EXPECT_EQ(f32(1.0F, 1.0), 0.0);
  EXPECT_EQ(f32(1.0F, 1.0 + 0x1p-24), 0.5);
  EXPECT_EQ(f32(1.0F, 1.0 - 0x1p-25), 0.5);  // the spacing below one is half of that above
  EXPECT_EQ(f32(0x1p-149F, 0x1.8p-149), 0.5);
  EXPECT_EQ(f32(0.0F, 0x1p-200), 0x1p-51);
  EXPECT_EQ(f32(std::numeric_limits<float>::max(), 0x1.fffffep127), 0.0);
}

TEST(Ulp, IsInfiniteForTheWrongKind) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto f32 = [](std::uint32_t got, double exact) { return UlpError(gelu_dtype_f32, got, Real(64, exact)); };
  EXPECT_EQ(f32(0x80000000, 0x1p-200), kInfinity);
  EXPECT_EQ(f32(0x80000000, 0.0), kInfinity);
  EXPECT_EQ(f32(0x00000000, -0x1p-200), kInfinity);
  EXPECT_EQ(f32(0x7f800000, 0x1p127), kInfinity);
  EXPECT_EQ(f32(0x7f7fffff, 0x1p128), kInfinity);
  EXPECT_EQ(f32(0x7f800000, 0x1p128), 0.0);
  EXPECT_EQ(f32(0x7fc00000, 1.0), kInfinity);
  EXPECT_EQ(f32(0x7fc00000, std::nan("")), 0.0);
  EXPECT_EQ(f32(0xffc00000, std::nan("")), kInfinity);
  EXPECT_EQ(f32(0x7fc00001, std::nan("")), kInfinity);
  EXPECT_EQ(f32(0x3f800000, std::nan("")), kInfinity);
}

}  // namespace
}  // namespace gelu::proof
