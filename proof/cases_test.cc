// SPDX-License-Identifier: Apache-2.0
// What went wrong for users of other implementations, with the right values. Every value is asked for on every target,
// in vectors, in their tails and alone.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "proof/digits.h"
#include "proof/ulp.h"
#include "proof/walk.h"

namespace gelu::proof {
namespace {

using Bits = std::uint64_t;

constexpr gelu_function kGelu = gelu_fn_gelu, kTanh = gelu_fn_gelu_tanh, kSilu = gelu_fn_silu;
constexpr gelu_form kF = gelu_form_forward, kF1 = gelu_form_derivative, kF2 = gelu_form_second_derivative;
constexpr gelu_dtype kF64 = gelu_dtype_f64, kF32 = gelu_dtype_f32, kF16 = gelu_dtype_f16, kBf16 = gelu_dtype_bf16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The one result for x in the element type.
Bits BitsAt(gelu_function function, gelu_form form, gelu_dtype dtype, Bits x, double alpha = 1.0) {
  const gelu_params params = ParamsOf(alpha);
  Array ones(dtype, std::vector<Bits>(67, RoundTo(dtype, Real(53, 1.0))));
  const Array many(dtype, std::vector<Bits>(67, x)), one(dtype, std::vector<Bits>{x});
  const Bits expected = Apply(function, form, params, dtype, one, ones)[0];
  for (const char* target : Targets()) {
    const ScopedTarget scoped(target);
    const Array y = Apply(function, form, params, dtype, many, ones);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], expected) << target << " lane " << i;
  }
  return expected;
}

Bits BitsOf(gelu_dtype dtype, double x) { return RoundTo(dtype, Real(53, x)); }

double At(gelu_function function, gelu_form form, gelu_dtype dtype, double x, double alpha = 1.0) {
  return ToDouble(dtype, BitsAt(function, form, dtype, BitsOf(dtype, x), alpha));
}

bool IsMinusZero(double value) { return value == 0.0 && std::signbit(value); }

// ---- NaN and infinity ----

TEST(NanAndInfinity, InfiniteInputsGiveLimits) {
  for (const What& what : Everything()) {
    SCOPED_TRACE(NameOf(what));
    EXPECT_EQ(At(what.function, kF, what.dtype, kInfinity), kInfinity);
    EXPECT_TRUE(IsMinusZero(At(what.function, kF, what.dtype, -kInfinity)));
    EXPECT_EQ(At(what.function, kF1, what.dtype, kInfinity), 1.0);
    EXPECT_EQ(At(what.function, kF1, what.dtype, -kInfinity), 0.0);
    EXPECT_EQ(At(what.function, kF2, what.dtype, kInfinity), 0.0);
    EXPECT_EQ(At(what.function, kF2, what.dtype, -kInfinity), 0.0);
    EXPECT_TRUE(std::isnan(At(what.function, kF, what.dtype, std::nan(""))));
  }
}

TEST(NanAndInfinity, FourElementsWithInfinities) {
  for (const char* target : Targets()) {
    const ScopedTarget scoped(target);
    const std::vector<float> x = {HUGE_VALF, HUGE_VALF, 5e30F, 75.0F};
    std::vector<float> y(4);
    EXPECT_EQ(gelu_forward(kGelu, kF32, 1.0, x.data(), y.data(), 4), GELU_OK);
    EXPECT_EQ(y, x) << target;
  }
}

TEST(NanAndInfinity, NoFiniteInputGivesNan) {
  for (const What& what : Everything(2)) {
    const Format format = FormatOf(what.dtype);
    std::vector<Bits> patterns;
    for (Bits x = 0; x < 0x10000; ++x) patterns.push_back(x);
    Arrays inputs(kMostInputs, Array(what.dtype, std::vector<Bits>(patterns.size(), BitsOf(what.dtype, 1.0))));
    inputs.front() = Array(what.dtype, patterns);
    for (const gelu_form form : Forms()) {
      const Arrays outputs = Apply(what.function, form, kDefaultParams, what.dtype, inputs);
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        const Array& y = outputs[o];
        for (const Bits pattern : patterns) {
          ASSERT_EQ(format.IsNan(y[pattern]), format.IsNan(pattern)) << Describe(what, form, o) << Hex(pattern);
          if (format.Magnitude(pattern) < format.Infinity()) {
            ASSERT_LT(format.Magnitude(y[pattern]), format.Infinity()) << Describe(what, form, o) << Hex(pattern);
          }
        }
      }
    }
  }
}

TEST(NanAndInfinity, GradientsWhereTheCubeOverflows) {
  for (const double x : {40.31, 256.0, 65504.0}) {  // in f16
    EXPECT_EQ(At(kTanh, kF1, kF16, x), 1.0);
    EXPECT_TRUE(IsMinusZero(At(kTanh, kF1, kF16, -x)));
  }
  for (const double x : {500.0, 7e12, 2e19, 1e30, 3.4028234663852886e38}) {  // in f32 and bf16
    for (const gelu_function function : {kGelu, kTanh, kSilu}) {
      for (const gelu_dtype dtype : {kF32, kBf16}) {
        EXPECT_EQ(At(function, kF1, dtype, x), 1.0) << x;
        EXPECT_TRUE(IsMinusZero(At(function, kF1, dtype, -x))) << x;
        EXPECT_TRUE(IsMinusZero(At(function, kF2, dtype, x))) << x;
      }
    }
  }
}

TEST(NanAndInfinity, IdentityWhereTheExponentialOverflows) {
  for (double x = 10.5; x <= 15.5; x += 0.0625) EXPECT_EQ(At(kTanh, kF, kBf16, x), x);
  for (const double x : {10.061, 10.6, 12.998, 21.16, 21.657723, 88.72, 700.0, 709.78, 1e4}) {
    for (const gelu_function function : {kGelu, kTanh}) {
      EXPECT_EQ(At(function, kF, kF32, x), static_cast<float>(x));
      EXPECT_EQ(At(function, kF, kF64, x), x);
    }
  }
  EXPECT_EQ(At(kTanh, kF, kF64, std::numeric_limits<double>::max()), std::numeric_limits<double>::max());
}

TEST(NanAndInfinity, LengthsOneTo67OfOneInput) {
  for (std::size_t n = 1; n <= 67; ++n) {
    for (const char* target : Targets()) {
      const ScopedTarget scoped(target);
      const std::vector<double> x(n, 21.657723);
      std::vector<double> y(n);
      EXPECT_EQ(gelu_forward(kTanh, kF64, 1.0, x.data(), y.data(), n), GELU_OK);
      EXPECT_EQ(y, x) << target;
    }
  }
}

TEST(NanAndInfinity, VeryNegativeGates) {
  for (const double x : {-1e4, -1e30, -3.4028234663852886e38}) {
    EXPECT_TRUE(IsMinusZero(At(kSilu, kF, kF32, x)));
    EXPECT_TRUE(IsMinusZero(At(kSilu, kF1, kF32, x)));
    EXPECT_EQ(At(kSilu, kF1, kF32, -x), 1.0);
  }
}

TEST(NanAndInfinity, GradientAtZeroIsOneHalf) {
  for (const What& what : Everything()) {
    EXPECT_EQ(At(what.function, kF1, what.dtype, 0.0), 0.5);
    EXPECT_EQ(At(what.function, kF1, what.dtype, -0.0), 0.5);
  }
}

TEST(NanAndInfinity, GradientsStayInTheirRange) {
  for (const gelu_function function : Functions()) {
    for (Bits x = 0; x < 0x10000; x += 8) {
      if (FormatOf(kBf16).IsNan(x)) continue;
      const double slope = At(function, kF1, kF32, ToDouble(kBf16, x));
      ASSERT_GE(slope, -0.13);
      ASSERT_LE(slope, 1.13);
    }
  }
}

// ---- Accuracy ----

struct Known {
  gelu_function function;
  gelu_form form;
  double alpha, x;
  const char* digits;
};

constexpr Known kKnown[] = {
    {kGelu, kF, 1, -13.5, "-1.05553898626e-40"},
    {kGelu, kF, 1, -12, "-2.13177853449e-32"},
    {kGelu, kF, 1, -10, "-7.61985302416e-23"},
    {kGelu, kF, 1, -8, "-4.97676845942e-15"},
    {kGelu, kF, 1, -6, "-5.91952587023e-9"},
    {kGelu, kF, 1, -5.5, "-1.04442593562e-7"},
    {kGelu, kF, 1, -5, "-1.4332578594e-6"},
    {kGelu, kF, 1, -4, "-1.26684967332e-4"},
    {kGelu, kF, 1, -3, "-4.04969409489e-3"},
    {kGelu, kF, 1, -2, "-4.55002638964e-2"},
    {kGelu, kF, 1, -1, "-0.158655253931"},
    {kGelu, kF, 1, 2, "1.9544997361"},
    {kGelu, kF1, 1, -12, "-2.55789566e-31"},
    {kGelu, kF1, 1, -8, "-3.97960726e-14"},
    {kGelu, kF1, 1, -5.5, "-5.7334724e-7"},
    {kGelu, kF1, 1, -4, "-5.03649661e-4"},
    {kGelu, kF1, 1, -3.5, "-2.82176e-3"},
    {kGelu, kF1, 1, -1, "-8.33154706e-2"},
    {kGelu, kF1, 1, 3, "1.01194565"},
    {kGelu, kF2, 1, -10, "-7.54070665e-21"},
    {kGelu, kF2, 1, -5.5, "-3.04245721e-6"},
    {kGelu, kF2, 1, -2, "-0.107981933"},
    {kGelu, kF2, 1, 1, "0.241970725"},
    {kTanh, kF, 1, -13.5, "-3.38696202e-85"},
    {kTanh, kF, 1, -10, "-1.20409235e-37"},
    {kTanh, kF, 1, -6, "-8.43964670e-11"},
    {kTanh, kF, 1, -3, "-3.63739208e-3"},
    {kTanh, kF, 1, -1, "-0.158808009392"},
    {kTanh, kF, 1, 2, "1.95459769409"},
    {kTanh, kF1, 1, -12, "-5.2904e-60"},
    {kTanh, kF1, 1, -5, "-1.54636e-6"},
    {kTanh, kF1, 1, 1, "1.08296408385"},
    {kSilu, kF, 1, -13.5, "-1.85079223e-5"},
    {kSilu, kF, 1, -6, "-1.48357389e-2"},
    {kSilu, kF, 1, -2, "-0.238405844"},
    {kSilu, kF, 1, 3, "2.85772238"},
    {kSilu, kF, 1, 1, "0.7310585786"},
    {kSilu, kF1, 1, 1, "0.9276706"},
    {kSilu, kF, 1.702, -13.5, "-1.41758614e-9"},
    {kSilu, kF, 1.702, -5, "-1.00701627e-3"},
    {kSilu, kF, 1.702, -1, "-0.154204234"},
    {kSilu, kF, 1.702, 2, "1.93565862"},
};

TEST(Accuracy, KnownDigits) {
  for (const Known& known : kKnown) {
    SCOPED_TRACE(Describe({known.function, kF64, known.alpha}, known.form) + " at " + Text(known.x));
    ExpectDigits(Real(53, At(known.function, known.form, kF64, known.x, known.alpha)), known.digits);
    Evaluation evaluation(known.function, ParamsOf(known.alpha), known.x);  // each x is exact in every type
    for (const gelu_dtype dtype : {kF32, kF16, kBf16}) {
      const Bits got = BitsAt(known.function, known.form, dtype, BitsOf(dtype, known.x), known.alpha);
      EXPECT_LE(UlpError(dtype, got, evaluation.Exact(known.form)), MaxUlp(known.form, dtype));
    }
  }
}

// What a silent exchange of one function for another changes.
TEST(Accuracy, VariantsDifferByWhatUsersSaw) {
  double tanh_most = 0, tanh_at = 0;
  for (double x = 0; x < 6; x += 0x1p-9) {
    const double difference = std::abs(At(kGelu, kF, kF64, x) - At(kTanh, kF, kF64, x));
    if (difference > tanh_most) tanh_most = difference, tanh_at = x;
  }
  EXPECT_NEAR(tanh_most, 4.732e-4, 5e-8);
  EXPECT_NEAR(tanh_at, 2.699, 2e-3);
  EXPECT_NEAR(std::abs(At(kGelu, kF, kF64, -2.27) - At(kSilu, kF, kF64, -2.27, 1.702)), 2.0e-2, 5e-4);
}

TEST(Accuracy, TailInBfloat16) {
  EXPECT_EQ(BitsAt(kGelu, kF, kBf16, BitsOf(kBf16, -13.5)), 0x8001U);
  EXPECT_EQ(BitsAt(kGelu, kF, kBf16, BitsOf(kBf16, -13.5625)), 0x8000U);
  EXPECT_EQ(BitsAt(kGelu, kF, kBf16, BitsOf(kBf16, -12.0)), 0x8addU);
  for (double x = -5.16; x < -4.88; x += 0x1p-5) EXPECT_LT(At(kGelu, kF, kBf16, x), 0.0);
}

TEST(Accuracy, TinyInputsAreHalved) {
  for (const gelu_function function : {kGelu, kTanh, kSilu}) {
    for (Bits x = 0x0100; ToDouble(kBf16, x) < 1e-4; x += 0x11) {  // normal, and the half is too
      EXPECT_EQ(At(function, kF, kBf16, ToDouble(kBf16, x)), ToDouble(kBf16, x) / 2);
      EXPECT_EQ(At(function, kF, kBf16, -ToDouble(kBf16, x)), -ToDouble(kBf16, x) / 2);
    }
  }
}

TEST(Accuracy, ZeroAndSignAreKept) {
  for (const What& what : Everything(2)) {
    const Format format = FormatOf(what.dtype);
    EXPECT_EQ(BitsAt(what.function, kF, what.dtype, 0), 0U);
    EXPECT_EQ(BitsAt(what.function, kF, what.dtype, format.Sign()), format.Sign());
    std::vector<Bits> patterns;
    for (Bits x = 0; x < 0x10000; ++x) patterns.push_back(x);
    const Array x(what.dtype, patterns);
    const Array y = Apply(what.function, kF, kDefaultParams, what.dtype, x, x);
    for (const Bits pattern : patterns) {
      if (format.IsNan(pattern)) continue;
      ASSERT_EQ(format.IsNegative(y[pattern]), format.IsNegative(pattern)) << Hex(pattern);
    }
  }
}

TEST(Accuracy, TinyNegativeResultsAreNotZero) {
  for (const double x : {-5.42, -5.54, -6.0, -9.0, -13.0, -14.25}) EXPECT_LT(At(kGelu, kF, kF32, x), 0.0) << x;
  for (const double x : {-8.5, -9.0, -20.0, -37.7, -38.5}) EXPECT_LT(At(kGelu, kF, kF64, x), 0.0) << x;
  EXPECT_TRUE(IsMinusZero(At(kGelu, kF, kF32, -14.5)));
  EXPECT_TRUE(IsMinusZero(At(kGelu, kF, kF64, -38.75)));
}

// From the first inputs on the exact value rounds to x; beyond the second it rounds to zero, and not before.
TEST(Accuracy, SaturationIn16Bits) {
  for (const auto& [dtype, one, zero] : {std::tuple{kBf16, 2.88563491242676, -13.5615204430813},
                                         std::tuple{kF16, 3.48710410411443, -5.72385481996326}}) {
    for (Bits x = BitsOf(dtype, one) + 1; x <= FormatOf(dtype).Infinity(); x += 3) {
      ASSERT_EQ(BitsAt(kGelu, kF, dtype, x), x);
    }
    const Bits near = BitsOf(dtype, zero), outside = near + (ToDouble(dtype, near) > zero ? 1 : 0);
    EXPECT_EQ(BitsAt(kGelu, kF, dtype, outside - 1), FormatOf(dtype).Sign() | 1);
    EXPECT_EQ(BitsAt(kGelu, kF, dtype, outside), FormatOf(dtype).Sign());
  }
}

TEST(Accuracy, SlopeNextToZero) {  // f'(x) - 1/2 = sqrt(2/pi) x: an error function of small arguments is in it
  for (const double x : {1e-7, 1e-5}) {
    EXPECT_DOUBLE_EQ(At(kGelu, kF1, kF64, x), 0.5 + 0.79788456080286536 * x);
  }
}

// ---- Derivatives ----

TEST(Derivatives, HaveTheRightSignInTheTail) {
  for (const gelu_function function : {kGelu, kTanh, kSilu}) {
    for (double x = -9.0; x < -1.3; x += 0x1p-6) {
      for (const gelu_dtype dtype : Dtypes()) {
        if (dtype == kF16 && x < -4.0) continue;  // may underflow
        ASSERT_LT(At(function, kF1, dtype, x), 0.0) << NameOf({function, dtype}) << " at " << x;
      }
    }
  }
}

TEST(Derivatives, LogisticTailIn64Bits) {
  for (const double alpha : {1.0, 1.702}) {
    for (double x = 30.0; x < 745.0; x += 3.37) {
      for (const double signed_x : {x, -x}) {
        Evaluation evaluation(kSilu, ParamsOf(alpha), signed_x);
        for (const gelu_form form : {kF, kF1, kF2}) {
          const Bits got = BitsAt(kSilu, form, kF64, BitsOf(kF64, signed_x), alpha);
          ASSERT_LE(UlpError(kF64, got, evaluation.Exact(form)), 1.0) << gelu_form_name(form) << " at " << signed_x;
        }
      }
    }
  }
  // logistic'(40) = 4.24835425529e-18, and f''(-40) = 2 logistic' - 40 logistic'', logistic'' = logistic' there.
  ExpectDigits(Real(53, At(kSilu, kF2, kF64, -40.0) / -38.0), "4.24835425529e-18");
}

TEST(Derivatives, BackwardMultipliesTheUpstreamGradient) {
  const double x = 1.0, dy = 2.0;
  double dx = 0.0;
  EXPECT_EQ(gelu_backward(kSilu, kF64, 1.0, &x, &dy, &dx, 1), GELU_OK);
  ExpectDigits(Real(53, dx), "1.8553411");
  for (const auto& [where, want] : {std::pair{100.0F, 3.0F}, std::pair{-100.0F, -0.0F}}) {
    const float upstream = 3.0F;
    float result = 1.0F;
    EXPECT_EQ(gelu_backward(kTanh, kF32, 1.0, &where, &upstream, &result, 1), GELU_OK);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(result), std::bit_cast<std::uint32_t>(want));
  }
}

// ---- Lanes and shapes ----

TEST(Lanes, FiveEqualInputs) {
  for (const What& what : Everything()) {
    for (const gelu_form form : Forms()) {
      for (const double x : {0.8, 2.9957, -5.5}) {
        const Array five(what.dtype, std::vector<Bits>(5, BitsOf(what.dtype, x)));
        for (const char* target : Targets()) {
          const ScopedTarget scoped(target);
          const Arrays all = Apply(what.function, form, kDefaultParams, what.dtype, Arrays(kMostInputs, five));
          for (const Array& y : all) {
            for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(y[i], y[0]) << Describe(what, form, target);
          }
        }
      }
    }
  }
}

TEST(Lanes, AloneAndInAMixedBatch) {
  for (const What& what : Everything()) {
    std::vector<Bits> batch;
    for (const double x : {0.5, 0.6, 0.7, 0.8}) batch.push_back(BitsOf(what.dtype, x));
    const Bits alone = BitsAt(what.function, kF, what.dtype, batch.back());
    do {
      for (const char* target : Targets()) {
        const ScopedTarget scoped(target);
        const Array x(what.dtype, batch);
        const Array y = Apply(what.function, kF, kDefaultParams, what.dtype, x, x);
        for (std::size_t i = 0; i < 4; ++i) {
          if (x[i] != BitsOf(what.dtype, 0.8)) continue;
          EXPECT_EQ(y[i], alone) << NameOf(what) << target;
        }
      }
    } while (std::next_permutation(batch.begin(), batch.end()));
  }
}

TEST(Shapes, WidthsOfModels) {
  std::vector<std::size_t> widths = {640, 1368, 1408, 2816, 3420, 5632};
  for (std::size_t n = 1; n <= 600; ++n) widths.push_back(n);
  for (const What& what : Everything()) {
    std::vector<Bits> inputs;
    for (std::size_t i = 0; i < 5632; ++i) inputs.push_back(BitsOf(what.dtype, std::sin(static_cast<double>(i)) * 6));
    const Array all(what.dtype, inputs);
    const Array expected = Apply(what.function, kF, kDefaultParams, what.dtype, all, all);
    for (const char* target : Targets()) {
      const ScopedTarget scoped(target);
      for (const std::size_t n : widths) {
        Array y = all;  // in place
        ASSERT_EQ(gelu_forward(what.function, what.dtype, 1.0, y.data(), y.data(), n), GELU_OK);
        const std::size_t bytes = n * gelu_dtype_size(what.dtype);
        ASSERT_EQ(std::memcmp(y.data(), expected.data(), bytes), 0) << NameOf(what) << target << " width " << n;
        ASSERT_TRUE(n == all.size() || y[n] == all[n]) << "nothing beyond the width is written";
      }
    }
  }
}

}  // namespace
}  // namespace gelu::proof
