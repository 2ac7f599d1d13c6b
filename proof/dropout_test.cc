// SPDX-License-Identifier: Apache-2.0
// Dropout of results and the ceiling, which multiplies them: which are dropped, and what the others are.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "proof/exact.h"
#include "proof/sample.h"
#include "proof/words.h"

namespace gelu::proof {
namespace {

using Bits = std::uint64_t;

const std::vector<gelu_dropout> kDropouts = {
    {0.1, 1, 2, 0},
    {0.5, ~std::uint64_t{0}, std::uint64_t{1} << 32, 3},
    {0.9, 0x0123456789abcdef, 0xfedcba9876543210, (std::uint64_t{1} << 34) - 9},
    {1e-12, 0, 0, ~std::uint64_t{0} - 5},
    {0x1.fffffep-1, 5, 6, 7},
    {0x1p-1074, 5, 6, 7}};

gelu_params With(const gelu_dropout* dropout, const double* ceiling, double alpha = 1.0) {
  gelu_params params = ParamsOf(alpha);
  params.dropout = dropout;
  params.ceiling = ceiling;
  return params;
}

// x / (1 - p).
Real OverKept(const Real& x, double p) {
  Real kept(1200, 1.0), quotient(400);
  mpfr_sub_d(kept.get(), kept.get(), p, MPFR_RNDN);
  mpfr_div(quotient.get(), x.get(), kept.get(), MPFR_RNDN);
  return quotient;
}

// Special numbers and those of a model.
Arrays Inputs(gelu_dtype dtype, std::uint64_t seed) {
  std::vector<Bits> x = Specials(dtype);
  for (const Bits y : Landmarks(gelu_fn_gelu, dtype, 1.0, 1)) x.push_back(y);
  for (double value = -6; value < 6; value += 0.37) x.push_back(RoundTo(dtype, Real(53, value)));
  return Operands(dtype, x, seed);
}

void CheckResults(const What& what, gelu_form form, const gelu_params& params, const Arrays& inputs) {
  const auto [function, dtype, alpha] = what;
  const Arrays got = ApplyOnAll(function, form, params, dtype, inputs);
  Failures failures(Describe(what, form) + (params.dropout ? ", p " + Text(params.dropout->p) : "") +
                    (params.ceiling ? ", ceiling " + Text(*params.ceiling) : ""));
  for (std::size_t i = 0; i < inputs.front().size(); ++i) {
    const bool kept = params.dropout == nullptr || IsKept(*params.dropout, i);
    std::vector<Real> exact;
    if (kept) exact = ExactOutputs(function, form, params, Numbers(dtype, inputs, i));
    for (std::size_t o = 0; o < got.size(); ++o) {
      const Real want = !kept ? Real(53, 0.0) : params.dropout ? OverKept(exact[o], params.dropout->p) : exact[o];
      const double error = UlpError(dtype, got[o][i], want);
      if (kept ? error <= ProductBound(dtype) : got[o][i] == 0) continue;
      failures.Add(HexOf(form, inputs, i) + ", element " + std::to_string(i) + ": output " + std::to_string(o) +
                   ", got " + Hex(got[o][i]) + ", want " + Hex(RoundTo(dtype, want)) + ", " + std::to_string(error) +
                   " ULP");
    }
  }
}

class Dropout : public testing::TestWithParam<What> {};
INSTANTIATE_TEST_SUITE_P(Family, Dropout, testing::ValuesIn(Everything()), TestName);

TEST_P(Dropout, DropsByTheWordsAndDividesTheRest) {
  const Arrays inputs = Inputs(GetParam().dtype, 3);
  for (const gelu_dropout& dropout : kDropouts) {
    for (const gelu_form form : {gelu_form_forward, gelu_form_backward, gelu_form_gated, gelu_form_value_and_derivative,
                                 gelu_form_third_derivative}) {
      CheckResults(GetParam(), form, With(&dropout, nullptr), inputs);
    }
  }
}

TEST_P(Dropout, OfNoneAndOfAll) {
  const auto [function, dtype, alpha] = GetParam();
  const Arrays inputs = Inputs(dtype, 4);
  const gelu_dropout none = {0.0, 1, 2, 3}, all = {1.0, 1, 2, 3}, almost_all = {1 - 0x1p-40, 1, 2, 3};
  for (const gelu_form form : Forms()) {
    const Arrays plain = ApplyOnAll(function, form, ParamsOf(alpha), dtype, inputs);
    EXPECT_TRUE(ApplyOnAll(function, form, With(&none, nullptr), dtype, inputs) == plain) << Describe(GetParam(), form);
    const Arrays zeros(plain.size(), Array(dtype, inputs.front().size()));
    for (const gelu_dropout* dropout : {&all, &almost_all}) {
      EXPECT_TRUE(ApplyOnAll(function, form, With(dropout, nullptr), dtype, inputs) == zeros)
          << Describe(GetParam(), form);
    }
  }
}

TEST_P(Dropout, IsTheSameInPartsAndInPlace) {
  const auto [function, dtype, alpha] = GetParam();
  constexpr std::size_t kLength = 1100;
  const Array ones = ArrayOf(dtype, std::vector<double>(kLength, 1.0));
  gelu_dropout dropout = {0.3, 8, 9, (std::uint64_t{1} << 34) - 500};
  const gelu_params params = With(&dropout, nullptr);
  const Array forward = ApplyOnAll(function, gelu_form_forward, params, dtype, {ones}).front();
  for (const gelu_form form : {gelu_form_backward, gelu_form_gated, gelu_form_value_and_derivative}) {
    for (const Array& output : ApplyOnAll(function, form, params, dtype, {ones, ones})) {
      for (std::size_t i = 0; i < kLength; ++i) ASSERT_EQ(output[i] == 0, forward[i] == 0) << gelu_form_name(form);
    }
  }
  const std::size_t size = gelu_dtype_size(dtype);
  for (const char* target : Targets()) {
    const ScopedTarget scoped(target);
    for (const std::size_t part : {1, 3, 64, 511, 512, 513, 1100}) {
      Array x = ones;
      for (std::size_t begin = 0; begin < kLength; begin += part) {
        gelu_dropout rest = dropout;
        rest.first += begin;
        const gelu_params of_part = With(&rest, nullptr);
        const void* in[] = {static_cast<char*>(x.data()) + begin * size};
        void* out[] = {static_cast<char*>(x.data()) + begin * size};
        ASSERT_EQ(gelu_apply(function, gelu_form_forward, dtype, &of_part, in, out, std::min(part, kLength - begin)),
                  GELU_OK);
      }
      EXPECT_TRUE(x == forward) << Describe(GetParam(), gelu_form_forward, target) << " in parts of " << part;
    }
  }
}

TEST_P(Dropout, CeilingsMultiply) {
  const Arrays inputs = Inputs(GetParam().dtype, 5);
  for (const double ceiling : {0.5, 2.0, -1.25, 1e-3, 0.0, 1e-300}) {
    for (const gelu_form form : Forms()) CheckResults(GetParam(), form, With(nullptr, &ceiling), inputs);
  }
}

// Next to a root a derivative is a difference, and so must be its product with a factor that is a sum.
TEST_P(Dropout, CeilingsAndFactorsNextToTheRoots) {
  const auto [function, dtype, alpha] = GetParam();
  const std::vector<Bits> marks = Landmarks(function, dtype, alpha, 2);
  std::vector<Bits> x;
  for (int i = 0; i < 4; ++i) x.insert(x.end(), marks.begin(), marks.end());
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  Arrays inputs(3, Array(dtype, x));
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 1; k < 3; ++k) inputs[k].Set(i, RoundTo(dtype, Real(53, normal(random))));
  }
  const double ceilings[] = {0.7, -1.25};
  for (const double* ceiling : {static_cast<const double*>(nullptr), &ceilings[0], &ceilings[1]}) {
    for (const gelu_form form :
         {gelu_form_backward, gelu_form_second_derivative, gelu_form_double_backward, gelu_form_gated_backward}) {
      CheckResults(GetParam(), form, With(nullptr, ceiling), inputs);
    }
  }
}

TEST_P(Dropout, CeilingOfOneChangesNothing) {
  const auto [function, dtype, alpha] = GetParam();
  const Arrays inputs = Inputs(dtype, 6);
  const double one = 1.0;
  for (const gelu_form form : Forms()) {
    EXPECT_TRUE(ApplyOnAll(function, form, With(nullptr, &one), dtype, inputs) ==
                ApplyOnAll(function, form, ParamsOf(alpha), dtype, inputs))
        << Describe(GetParam(), form);
  }
}

TEST_P(Dropout, WithCeilingAndGate) {
  const Arrays inputs = Inputs(GetParam().dtype, 7);
  const gelu_gate gate = {1.5, 1.0, 1.0};
  for (const double ceiling : {0.7, -3.0}) {
    gelu_params params = With(kDropouts.data(), &ceiling);
    CheckResults(GetParam(), gelu_form_forward, params, inputs);
    CheckResults(GetParam(), gelu_form_bias, params, inputs);
    params.gate = &gate;
    CheckResults(GetParam(), gelu_form_gated, params, inputs);
    CheckResults(GetParam(), gelu_form_gated_backward, params, inputs);
  }
}

// The worst that a search next to the roots has found.
TEST(DropoutCases, WorstFactorsNextToTheRoots) {
  struct Case {
    gelu_function function;
    gelu_form form;
    Bits x, b, c;
  };
  for (const auto& [function, form, x, b, c] : std::vector<Case>{
           {gelu_fn_silu, gelu_form_backward, 0xbff474973c84120c, 0xbff7d306fa7977e7, 0},
           {gelu_fn_silu, gelu_form_gated_backward, 0xbff474973c84120c, 0xbfdb13a666828c4d, 0xbff53a7c89c4b73f},
           {gelu_fn_silu, gelu_form_double_backward, 0xc00331e23ad9de12, 0x3fe07c9ac57d45e9, 0x40020b3845ec94c4},
           {gelu_fn_gelu, gelu_form_double_backward, 0xbff6a09e667f3bcc, 0xbfb5efa851a3b736, 0xbfd7f148b1586ebe},
           {gelu_fn_gelu_tanh, gelu_form_gated_backward, 0xbfe81429f9e97e4c, 0x3ff2562a54e02a60, 0x3ff25b5f9cd55676},
           {gelu_fn_gelu_tanh, gelu_form_double_backward, 0xbff6b2314270062a, 0xbfee73c1ed6a9713,
            0x3fdf2c236f5f7404}}) {
    const auto array = [](Bits bits) { return Array(gelu_dtype_f64, std::vector<Bits>{bits}); };
    CheckResults({function, gelu_dtype_f64}, form, With(nullptr, nullptr), {array(x), array(b), array(c)});
  }
}

// Quotients that are within the format though ceiling / (1 - p) is not.
TEST(DropoutCases, ExtremeCeilings) {
  const Arrays inputs = Inputs(gelu_dtype_f64, 8);
  const gelu_dropout dropout = {0.9, 1, 2, 3};
  for (const double ceiling : {1e308, 0x1p-1074, -0x1p-1022}) {
    CheckResults({gelu_fn_gelu, gelu_dtype_f64}, gelu_form_forward, With(&dropout, &ceiling), inputs);
  }
}

TEST(DropoutCases, FrequencyAndIndependence) {
  constexpr std::size_t kCount = std::size_t{1} << 20;
  const Array x(gelu_dtype_bf16, std::vector<Bits>(kCount, 0x3f80));
  for (const double p : {0.1, 0.5, 0.95}) {
    const gelu_dropout dropout = {p, 2026, 1, 0};
    const Array y = Apply(gelu_fn_gelu, gelu_form_forward, With(&dropout, nullptr), gelu_dtype_bf16, x, x);
    double kept = 0, product[5] = {};
    for (std::size_t i = 0; i < kCount; ++i) {
      kept += y[i] != 0;
      for (std::size_t lag = 1; lag < 5 && lag <= i; ++lag) {
        product[lag] += ((y[i] != 0) - (1 - p)) * ((y[i - lag] != 0) - (1 - p));
      }
    }
    EXPECT_NEAR(kept, kCount * (1 - p), 5 * std::sqrt(kCount * p * (1 - p)));
    for (std::size_t lag = 1; lag < 5; ++lag) {
      EXPECT_NEAR(product[lag], 0, 5 * std::sqrt(kCount) * p * (1 - p)) << "lag " << lag;
    }
  }
}

TEST(DropoutErrors, TouchNothing) {
  const auto expect = [](gelu_status status, const gelu_params& params) {
    float x[] = {1, 2, 3};
    const void* in[] = {x};
    void* out[] = {x};
    EXPECT_EQ(gelu_apply(gelu_fn_gelu, gelu_form_forward, gelu_dtype_f32, &params, in, out, 3), status);
    EXPECT_EQ(gelu_check(gelu_fn_gelu, gelu_form_forward, gelu_dtype_f32, &params, in, out, 3), status);
    EXPECT_TRUE(x[0] == 1 && x[1] == 2 && x[2] == 3);
  };
  for (const double p : {std::nan(""), -0.1, 1.1, -0x1p-1074, 1 + 0x1p-52, HUGE_VAL, -HUGE_VAL}) {
    const gelu_dropout dropout = {p, 1, 2, 3};
    expect(GELU_ERROR_DROPOUT, With(&dropout, nullptr));
  }
  for (const double ceiling : {std::nan(""), HUGE_VAL, -HUGE_VAL}) expect(GELU_ERROR_CEILING, With(nullptr, &ceiling));
}

}  // namespace
}  // namespace gelu::proof
