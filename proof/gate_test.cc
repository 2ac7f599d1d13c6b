// SPDX-License-Identifier: Apache-2.0
// Gated units with limits and an offset, and their gradients, against the real numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "proof/exact.h"
#include "proof/sample.h"

namespace gelu::proof {
namespace {

using Bits = std::uint64_t;
constexpr gelu_form kGated[] = {gelu_form_gated, gelu_form_gated_backward};

const std::vector<gelu_gate> kGates = {{7, 7, 1},
                                       {7, 7, 0},
                                       {7.1, 7.1, 1},
                                       {HUGE_VAL, HUGE_VAL, 1},
                                       {HUGE_VAL, HUGE_VAL, 0},
                                       {0.5, HUGE_VAL, -1},
                                       {HUGE_VAL, 0.1, 1e-8},
                                       {1e-30, 3, 0.25},
                                       {HUGE_VAL, 7, -7},
                                       {1e-310, 1e-310, -1e-310},
                                       {1e300, 1e300, 1e30},
                                       {40000, 40000, 0x1.8p127},
                                       {HUGE_VAL, 0x1p1022, -0x1.fp1022}};

std::string Text(const gelu_gate& gate) {
  return "gate " + proof::Text(gate.gate_max) + ", " + proof::Text(gate.linear_max) + ", " +
         proof::Text(gate.linear_offset);
}

// The limits in the type and their neighbours, both signs, special numbers, and numbers like those of a model.
std::vector<Bits> Values(gelu_dtype dtype, const std::vector<double>& limits, std::mt19937_64& random) {
  const Format format = FormatOf(dtype);
  std::vector<Bits> all = Specials(dtype);
  for (const double limit : limits) {
    const Bits nearest = RoundTo(dtype, Real(53, limit));
    for (Bits offset = 0; offset < 5; ++offset) {
      const Bits magnitude = format.Magnitude(nearest) + offset - 2;
      if (magnitude > format.Infinity()) continue;
      all.push_back(magnitude);
      all.push_back(magnitude | format.Sign());
    }
  }
  std::normal_distribution<double> normal(0.0, 4.0);
  for (int i = 0; i < 60; ++i) all.push_back(RoundTo(dtype, Real(53, normal(random))));
  return all;
}

Arrays Inputs(gelu_dtype dtype, const gelu_gate& gate, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<Bits> a = Values(dtype, {gate.gate_max}, random);
  const std::vector<Bits> b = Values(dtype, {gate.linear_max, gate.linear_offset}, random);
  const std::vector<Bits> dy = Values(dtype, {1.0}, random);
  Arrays inputs(3, Array(dtype, n));
  for (std::size_t i = 0; i < n; ++i) {
    inputs[0].Set(i, a[random() % a.size()]);
    inputs[1].Set(i, b[random() % b.size()]);
    inputs[2].Set(i, dy[random() % dy.size()]);
  }
  return inputs;
}

gelu_params With(const gelu_gate& gate, double alpha) {
  gelu_params params = ParamsOf(alpha);
  params.gate = &gate;
  return params;
}

class Gate : public testing::TestWithParam<What> {};
INSTANTIATE_TEST_SUITE_P(Family, Gate, testing::ValuesIn(Everything()), TestName);

TEST_P(Gate, IsWithinTheBound) {
  const auto [function, dtype, unused] = GetParam();
  for (std::size_t g = 0; g < kGates.size(); ++g) {
    const gelu_gate& gate = kGates[g];
    for (const double alpha : {1.0, g % 2 ? 1.702 : -0.7}) {
      const gelu_params params = With(gate, alpha);
      const Arrays inputs = Inputs(dtype, gate, 300, 40 + g);
      for (const gelu_form form : kGated) {
        const Arrays got = ApplyOnAll(function, form, params, dtype, inputs);
        Failures failures(Describe({function, dtype, alpha}, form) + ", " + Text(gate));
        for (std::size_t i = 0; i < inputs[0].size(); ++i) {
          const std::vector<Real> exact = ExactOutputs(function, form, params, Numbers(dtype, inputs, i));
          for (std::size_t o = 0; o < got.size(); ++o) {
            const double error = UlpError(dtype, got[o][i], exact[o]);
            if (error <= MaxUlp(form, dtype)) continue;
            failures.Add(HexOf(form, inputs, i) + ": output " + std::to_string(o) + ", got " + Hex(got[o][i]) +
                         ", want " + Hex(RoundTo(dtype, exact[o])) + ", " + std::to_string(error) + " ULP");
          }
        }
      }
    }
  }
}

TEST_P(Gate, GradientsEndBeyondALimitAndPassAtIt) {
  const auto [function, dtype, alpha] = GetParam();
  const Bits seven = RoundTo(dtype, Real(53, 7.0)), minus = seven | FormatOf(dtype).Sign();
  const gelu_gate gate = {7, 7, 1};
  const gelu_params params = With(gate, alpha);
  const Array one = ArrayOf(dtype, std::vector<double>(5, 1.0));
  const Array at(dtype, std::vector<Bits>{seven - 1, seven, seven + 1, minus, minus + 1});
  const auto is_zero = [&](const Array& gradient, std::size_t i) { return gradient[i] == 0; };
  for (const char* target : Targets()) {
    const ScopedTarget scoped(target);
    const Arrays by_a = Apply(function, gelu_form_gated_backward, params, dtype, {at, one, one});
    const Arrays by_b = Apply(function, gelu_form_gated_backward, params, dtype, {one, at, one});
    for (std::size_t i = 0; i < 5; ++i) {
      const std::string text = Describe(GetParam(), gelu_form_gated_backward, target) + " " + std::to_string(i);
      EXPECT_TRUE(i >= 3 || is_zero(by_a[0], i) == (i == 2)) << text;
      EXPECT_EQ(is_zero(by_b[1], i), i == 2 || i == 4) << text;
    }
    // The other gradients beyond a limit are those at the limit.
    EXPECT_EQ(by_a[1][1], by_a[1][2]);
    EXPECT_EQ(by_b[0][1], by_b[0][2]);
    EXPECT_EQ(by_b[0][3], by_b[0][4]);
  }
}

TEST_P(Gate, InPlaceAndEveryLength) {
  const auto [function, dtype, alpha] = GetParam();
  for (const gelu_gate& gate : {kGates[0], kGates[2]}) {
    const gelu_params params = With(gate, alpha);
    const Arrays all = Inputs(dtype, gate, 70, 77);
    for (const gelu_form form : kGated) {
      const Arrays want = ApplyOnAll(function, form, params, dtype, all);
      for (const char* target : Targets()) {
        const ScopedTarget scoped(target);
        for (std::size_t n = 1; n <= 70; ++n) {
          Arrays inputs;
          for (const Array& array : all) {
            inputs.emplace_back(dtype, n);
            for (std::size_t i = 0; i < n; ++i) inputs.back().Set(i, array[i]);
          }
          const Arrays apart = Apply(function, form, params, dtype, inputs);
          const void* in[] = {inputs[0].data(), inputs[1].data(), inputs[2].data()};
          void* out[] = {inputs[1].data(), inputs[0].data()};
          ASSERT_EQ(gelu_apply(function, form, dtype, &params, in, out, n), GELU_OK);
          for (std::size_t o = 0; o < want.size(); ++o) {
            EXPECT_TRUE(inputs[1 - o] == apart[o]) << Describe(GetParam(), form, target) << " in place, n " << n;
            for (std::size_t i = 0; i < n; ++i) {
              ASSERT_EQ(apart[o][i], want[o][i]) << Describe(GetParam(), form, target) << " n " << n << " at " << i;
            }
          }
        }
      }
    }
  }
}

// Without limits and offset nothing changes, but that b + 0 is +0 for b = -0.
TEST_P(Gate, OfNoEffect) {
  const auto [function, dtype, alpha] = GetParam();
  Arrays inputs = Inputs(dtype, kGates[0], 300, 99);
  for (std::size_t i = 0; i < 300; ++i) {
    if (inputs[1][i] == FormatOf(dtype).Sign()) inputs[1].Set(i, 0);
  }
  for (const gelu_form form : kGated) {
    const Arrays plain = ApplyOnAll(function, form, ParamsOf(alpha), dtype, inputs);
    const Arrays gated = ApplyOnAll(function, form, With(kGates[4], alpha), dtype, inputs);
    for (std::size_t o = 0; o < plain.size(); ++o) {
      for (std::size_t i = 0; i < 300; ++i) {
        ASSERT_LE(std::abs(static_cast<std::int64_t>(plain[o][i] - gated[o][i])), 2)
            << Describe(GetParam(), form, o) << ": " << HexOf(form, inputs, i);
      }
    }
  }
}

// What users of these units expect, in f64.
TEST(GateCases, OfUsers) {
  const auto gated = [](const gelu_gate& gate, double alpha, double a, double b) {
    const gelu_params params = With(gate, alpha);
    const void* in[] = {&a, &b};
    double y = 0;
    void* out[] = {&y};
    EXPECT_EQ(gelu_apply(gelu_fn_silu, gelu_form_gated, gelu_dtype_f64, &params, in, out, 1), GELU_OK);
    return y;
  };
  const auto near = [](double got, double want) { EXPECT_NEAR(got, want, 1e-9 * std::abs(want)); };
  for (const char* target : Targets()) {
    const ScopedTarget scoped(target);
    const gelu_gate oai = {7, 7, 1}, none = {HUGE_VAL, HUGE_VAL, 0}, upper = {7, 7, 0};
    near(gated(oai, 1.702, 1, 1), 1.69159153187);
    near(gated(oai, 1.702, 10, -10), -41.9997187698);
    near(gated(oai, 1.702, -10, 2), -1.21738838846e-6);
    near(gated(upper, 1.0, -20, 9), -2.885615065e-7);
    near(gated(none, 1.0, 1, 2), 1.46211715726);
    const gelu_params params = With(none, 1.0);
    const double e = 1, g = 2, dy = 1;
    double de = 0, dg = 0;
    const void* in[] = {&e, &g, &dy};
    void* out[] = {&de, &dg};
    ASSERT_EQ(gelu_apply(gelu_fn_silu, gelu_form_gated_backward, gelu_dtype_f64, &params, in, out, 1), GELU_OK);
    EXPECT_NEAR(de, 1.8553411, 1e-7);
    EXPECT_NEAR(dg, 0.7310586, 1e-7);
  }
}

TEST(GateErrors, TouchNothing) {
  const double nan = std::nan("");
  for (const gelu_gate& gate :
       {gelu_gate{0, 7, 0}, gelu_gate{7, 0, 0}, gelu_gate{-1, 7, 0}, gelu_gate{7, -1, 0}, gelu_gate{-0.0, 7, 0},
        gelu_gate{nan, 7, 0}, gelu_gate{7, nan, 0}, gelu_gate{-HUGE_VAL, 7, 0}, gelu_gate{7, 7, HUGE_VAL},
        gelu_gate{7, 7, -HUGE_VAL}, gelu_gate{7, 7, nan}}) {
    for (const gelu_form form : kGated) {
      const gelu_params params = With(gate, 1.0);
      const double x[] = {1, 2, 3};
      double y[2][3] = {{4, 4, 4}, {4, 4, 4}};
      const void* in[] = {x, x, x};
      void* out[] = {y[0], y[1]};
      EXPECT_EQ(gelu_apply(gelu_fn_silu, form, gelu_dtype_f64, &params, in, out, 3), GELU_ERROR_GATE) << Text(gate);
      EXPECT_EQ(gelu_check(gelu_fn_silu, form, gelu_dtype_f64, &params, in, out, 3), GELU_ERROR_GATE) << Text(gate);
      for (const auto& row : y) {
        for (const double value : row) EXPECT_EQ(value, 4);
      }
    }
  }
  EXPECT_STRNE(gelu_status_message(GELU_ERROR_GATE), gelu_status_message(GELU_OK));
}

}  // namespace
}  // namespace gelu::proof
