// SPDX-License-Identifier: Apache-2.0
// Calls whose arrays have types of their own, against the oracle.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "proof/exact.h"
#include "proof/sample.h"
#include "proof/words.h"

namespace gelu::proof {
namespace {

using Bits = std::uint64_t;
using Types = std::vector<gelu_dtype>;

Arrays ApplyMixed(gelu_function function, gelu_form form, const gelu_params& params, const Types& in_types,
                  const Types& out_types, const Arrays& inputs) {
  Arrays first;
  for (const char* target : Targets()) {
    const ScopedTarget scoped(target);
    Arrays got;
    for (std::size_t o = 0; o < gelu_form_outputs(form); ++o) got.emplace_back(out_types[o], inputs.front().size());
    std::vector<const void*> in;
    std::vector<void*> out;
    for (const Array& input : inputs) in.push_back(input.data());
    for (Array& output : got) out.push_back(output.data());
    EXPECT_EQ(gelu_apply_mixed(function, form, in_types.data(), out_types.data(), &params, in.data(), out.data(),
                               inputs.front().size()),
              GELU_OK);
    if (first.empty()) first = got;
    EXPECT_TRUE(got == first) << Describe({function, in_types[0], params.alpha}, form, target);
  }
  return first;
}

std::string Names(const Types& types) {
  std::string text;
  for (const gelu_dtype type : types) text += std::string(" ") + gelu_dtype_name(type);
  return text;
}

// Numbers of a model, and special ones of the type.
Array Input(gelu_dtype dtype, std::size_t n, std::mt19937_64& random) {
  const std::vector<Bits> specials = Specials(dtype);
  std::normal_distribution<double> normal(0.0, 3.0);
  Array x(dtype, n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool special = random() % 8 == 0;
    x.Set(i, special ? specials[random() % specials.size()] : RoundTo(dtype, Real(53, normal(random))));
  }
  return x;
}

void Check(gelu_function function, gelu_form form, const gelu_params& params, const Types& in_types,
           const Types& out_types, const Arrays& inputs) {
  const Arrays got = ApplyMixed(function, form, params, in_types, out_types, inputs);
  Failures failures(Describe({function, in_types[0], params.alpha}, form) + ":" + Names(in_types) + " ->" +
                    Names(out_types));
  for (std::size_t i = 0; i < inputs.front().size(); ++i) {
    std::vector<double> numbers;
    for (std::size_t k = 0; k < gelu_form_inputs(form); ++k) numbers.push_back(ToDouble(in_types[k], inputs[k][i]));
    const std::vector<Real> exact = ExactOutputs(function, form, params, numbers);
    for (std::size_t o = 0; o < got.size(); ++o) {
      const double error = UlpError(out_types[o], got[o][i], exact[o]);
      if (error <= MaxUlp(form, out_types[o])) continue;
      failures.Add(HexOf(form, inputs, i) + ": output " + std::to_string(o) + ", got " + Hex(got[o][i]) + ", want " +
                   Hex(RoundTo(out_types[o], exact[o])) + ", " + std::to_string(error) + " ULP");
    }
  }
}

class Mixed : public testing::TestWithParam<What> {};
INSTANTIATE_TEST_SUITE_P(Family, Mixed, testing::ValuesIn(Everything()), TestName);

// x in the type of the test, the other inputs in every other, results in either.
TEST_P(Mixed, AreWithinTheBound) {
  const auto [function, x_type, unused] = GetParam();
  std::mt19937_64 random(51);
  for (const gelu_dtype other : Dtypes()) {
    for (const bool results_as_x : {false, true}) {
      for (const gelu_form form : Forms()) {
        for (const double alpha : {1.0, 1.702}) {
          const Types in_types = {x_type, other, results_as_x ? other : x_type};
          const Types out_types = {results_as_x ? x_type : other, results_as_x ? other : x_type, other, x_type};
          Arrays inputs;
          for (const gelu_dtype type : in_types) inputs.push_back(Input(type, 27, random));
          Check(function, form, ParamsOf(alpha), in_types, out_types, inputs);
        }
      }
    }
  }
}

TEST_P(Mixed, WithParameters) {
  const auto [function, x_type, unused] = GetParam();
  std::mt19937_64 random(52);
  const gelu_gate gate = {7, 7.1, 1};
  const double ceiling = -1.25;
  gelu_params params = ParamsOf(1.0);
  params.gate = &gate;
  params.ceiling = &ceiling;
  for (const gelu_dtype other : Dtypes()) {
    const Types in_types = {x_type, other, other}, out_types = {other, x_type};
    Arrays inputs;
    for (const gelu_dtype type : in_types) inputs.push_back(Input(type, 60, random));
    Check(function, gelu_form_gated, params, in_types, out_types, inputs);
    Check(function, gelu_form_gated_backward, params, in_types, out_types, inputs);
    Check(function, gelu_form_backward, params, in_types, out_types, inputs);
  }
}

// From f64 a result may lie as near to a tie of the type as f64 has numbers.
TEST_P(Mixed, NextToTies) {
  const auto [function, out_type, alpha] = GetParam();
  std::vector<Bits> x;
  for (int i = 1; i < 60; ++i) {
    const Bits y = RoundTo(out_type, Real(53, 0.05 * i));
    const double tie = (ToDouble(out_type, y) + ToDouble(out_type, y + 1)) / 2;
    double lo = 0, hi = 8;
    while (std::nextafter(lo, hi) < hi) {
      const double middle = lo + (hi - lo) / 2;
      const double value = Evaluation(function, kDefaultParams, middle).Exact(0, {}).ToDouble();
      (value < tie ? lo : hi) = middle;
    }
    for (Bits k = 0; k < 5; ++k) x.push_back(std::bit_cast<Bits>(lo) + k - 2);
  }
  const Types in_types = {gelu_dtype_f64, gelu_dtype_f64};
  const Arrays inputs = {Array(gelu_dtype_f64, x)};
  for (const double clip : {1.0, HUGE_VAL}) {
    Check(function, gelu_form_forward, ParamsOf(alpha, clip), in_types, {out_type}, inputs);
  }
}

TEST_P(Mixed, OfEqualTypesIsApply) {
  const auto [function, dtype, alpha] = GetParam();
  const Arrays inputs = Operands(dtype, Specials(dtype), 53);
  const Types types(kMostOutputs, dtype);
  for (const gelu_form form : Forms()) {
    EXPECT_TRUE(ApplyMixed(function, form, ParamsOf(alpha), types, types, inputs) ==
                ApplyOnAll(function, form, ParamsOf(alpha), dtype, inputs))
        << Describe(GetParam(), form);
  }
}

TEST_P(Mixed, InPlaceOfEqualSizesAlone) {
  const auto [function, dtype, alpha] = GetParam();
  std::mt19937_64 random(54);
  const gelu_params params = ParamsOf(alpha);
  for (const gelu_dtype other : Dtypes()) {
    for (const std::size_t n : {1, 7, 600}) {
      const Array dy = Input(other, n, random);
      Array x = Input(dtype, n, random), before = x;
      const gelu_dtype in_types[] = {dtype, other}, out_types[] = {other};
      const Arrays want = ApplyMixed(function, gelu_form_backward, params, {dtype, other}, {other}, {x, dy});
      const void* in[] = {x.data(), dy.data()};
      void* out[] = {x.data()};
      const bool equal = gelu_dtype_size(dtype) == gelu_dtype_size(other);
      EXPECT_EQ(gelu_apply_mixed(function, gelu_form_backward, in_types, out_types, &params, in, out, n),
                equal ? GELU_OK : GELU_ERROR_OVERLAP);
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(x[i], equal ? want[0][i] : before[i]) << gelu_dtype_name(other);
    }
  }
}

// Blocks have other lengths where an array is of f64.
TEST_P(Mixed, DropsTheSame) {
  const auto [function, dtype, alpha] = GetParam();
  constexpr std::size_t kLength = 1303;
  const gelu_dropout dropout = {0.4, 1, 2, 3};
  gelu_params params = ParamsOf(alpha);
  params.dropout = &dropout;
  const Array x = ArrayOf(dtype, std::vector<double>(kLength, 1.0));
  for (const gelu_dtype other : Dtypes()) {
    const Array y = ApplyMixed(function, gelu_form_forward, params, {dtype}, {other}, {x}).front();
    for (std::size_t i = 0; i < kLength; ++i) ASSERT_EQ(y[i] != 0, IsKept(dropout, i)) << gelu_dtype_name(other);
  }
}

TEST(MixedErrors, TouchNothing) {
  double x[4] = {1, 2, 3, 4}, y[4] = {5, 5, 5, 5};
  const void* in[] = {x, x};
  void* out[] = {y};
  gelu_dtype good[] = {gelu_dtype_f64, gelu_dtype_f32}, bad[] = {gelu_dtype_f64, gelu_dtype_count_};
  const auto status = [&](gelu_form form, const gelu_dtype* in_types, const gelu_dtype* out_types) {
    return gelu_apply_mixed(gelu_fn_gelu, form, in_types, out_types, nullptr, in, out, 4);
  };
  EXPECT_EQ(status(gelu_form_backward, bad, good), GELU_ERROR_DTYPE);
  EXPECT_EQ(status(gelu_form_forward, good, bad + 1), GELU_ERROR_DTYPE);
  EXPECT_EQ(status(gelu_form_forward, nullptr, good), GELU_ERROR_NULL);
  EXPECT_EQ(status(gelu_form_forward, good, nullptr), GELU_ERROR_NULL);
  EXPECT_EQ(status(gelu_form_count_, good, good), GELU_ERROR_FORM);
  EXPECT_EQ(gelu_apply_mixed(gelu_fn_count_, gelu_form_forward, good, good, nullptr, in, out, 4), GELU_ERROR_FUNCTION);
  EXPECT_EQ(gelu_apply_mixed(gelu_fn_gelu, gelu_form_forward, good, good, nullptr, nullptr, out, 4), GELU_ERROR_NULL);
  EXPECT_EQ(gelu_apply_mixed(gelu_fn_gelu, gelu_form_forward, good, good, nullptr, in, out, ~std::size_t{0} / 8),
            GELU_ERROR_SIZE);
  // The end of y in f32 lies in x, in f64.
  void* inside[] = {reinterpret_cast<char*>(x) + 16};
  EXPECT_EQ(gelu_apply_mixed(gelu_fn_gelu, gelu_form_forward, good, good + 1, nullptr, in, inside, 4),
            GELU_ERROR_OVERLAP);
  for (const double value : y) EXPECT_EQ(value, 5);
  EXPECT_EQ(gelu_apply_mixed(gelu_fn_gelu, gelu_form_forward, good, good, nullptr, nullptr, nullptr, 0), GELU_OK);
}

}  // namespace
}  // namespace gelu::proof
