// SPDX-License-Identifier: Apache-2.0
// Door 2, every form: the bits of the C ABI by apply and by name, with all parameters, types that differ, in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gelu/gelu.hpp"
#include "proof/thrown.h"

namespace {

using gelu::Form;
using gelu::Function;
using gelu::in;
using gelu::out;
using gelu::proof::Thrown;

constexpr std::size_t kLength = 77;  // no whole number of vectors

template <class T>
std::vector<T> Numbers(int seed) {
  std::vector<T> x;
  for (std::size_t i = 0; i < kLength; ++i) {
    x.push_back(T(10 * std::sin(static_cast<double>(seed) + 1.7 * static_cast<double>(i))));
  }
  x[3] = T(std::numeric_limits<double>::infinity());
  x[4] = T(-0.0);
  return x;
}

template <class T>
bool SameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// The parameters, and the same in C.
const gelu::Params kParams{.alpha = 1.702,
                           .clip = 8.0,
                           .gate = gelu::Gate{.gate_max = 5, .linear_max = 6, .linear_offset = 1},
                           .dropout = gelu::Dropout{.p = 0.25, .seed = 7, .stream = 3, .first = 5},
                           .ceiling = 1.5};
constexpr gelu_gate kGate{5, 6, 1};
constexpr gelu_dropout kDropout{0.25, 7, 3, 5};
constexpr double kCeiling = 1.5;
constexpr gelu_params kCParams{1.702, 8.0, &kGate, &kDropout, &kCeiling};

// What the C ABI gives, input k being Numbers<T>(k).
template <class T>
std::vector<std::vector<T>> Expected(gelu_form form, Function function, const gelu_params* params) {
  std::vector<std::vector<T>> x, y(gelu_form_outputs(form), std::vector<T>(kLength));
  for (std::size_t k = 0; k < gelu_form_inputs(form); ++k) x.push_back(Numbers<T>(static_cast<int>(k)));
  const void* from[3];
  void* to[4];
  std::ranges::transform(x, from, [](const auto& array) { return array.data(); });
  std::ranges::transform(y, to, [](auto& array) { return array.data(); });
  EXPECT_EQ(gelu_apply(static_cast<gelu_function>(function), form, gelu::dtype_of<T>, params, from, to, kLength),
            GELU_OK);
  return y;
}

template <class T>
struct Door2Forms : testing::Test {
  template <std::size_t... I, std::size_t... O>
  static void ExpectTheBitsOfC(gelu_form form, std::index_sequence<I...>, std::index_sequence<O...>) {
    for (const Function function : gelu::functions) {
      const auto want = Expected<T>(form, function, &kCParams);
      const auto what = std::string(gelu_form_name(form)) + " " + std::string(gelu::name(function));
      std::array<std::vector<T>, sizeof...(I)> x{Numbers<T>(I)...};
      std::array<std::vector<T>, sizeof...(O)> y;
      y.fill(std::vector<T>(kLength));
      gelu::apply(Form(form), function, in(x[I]...), out(y[O]...), kParams);
      for (std::size_t o = 0; o < y.size(); ++o) EXPECT_TRUE(SameBits(y[o], want[o])) << what << " " << o;
      // In place: each output in the array of each input.
      for (std::size_t k = 0; k < x.size(); ++k) {
        for (std::size_t place = 0; place < y.size(); ++place) {
          auto memory = x;
          const auto array = [&](std::size_t o) -> std::vector<T>& { return o == place ? memory[k] : y[o]; };
          gelu::apply(Form(form), function, in(memory[I]...), out(array(O)...), kParams);
          for (std::size_t o = 0; o < y.size(); ++o) EXPECT_TRUE(SameBits(array(o), want[o])) << what << k << place;
        }
      }
    }
  }
};
using Elements = testing::Types<double, float, gelu::f16, gelu::bf16>;
TYPED_TEST_SUITE(Door2Forms, Elements);

TYPED_TEST(Door2Forms, ApplyGivesTheBitsOfTheCAbi) {
#define GELU_FORM(name, inputs, outputs, meaning) \
  this->ExpectTheBitsOfC(gelu_form_##name, std::make_index_sequence<inputs>(), std::make_index_sequence<outputs>());
  GELU_FORMS(GELU_FORM)
#undef GELU_FORM
}

TYPED_TEST(Door2Forms, NamesGiveTheBitsOfTheCAbi) {
  using T = TypeParam;
  const std::vector<T> x = Numbers<T>(0), b = Numbers<T>(1), c = Numbers<T>(2);
  std::vector<T> y(kLength), y1(kLength), y2(kLength), y3(kLength);
  const auto f = Function::gelu;
  const auto expect = [&](gelu_form form) {
    const auto want = Expected<T>(form, f, &kCParams);
    const std::vector<T>* const got[] = {&y, &y1, &y2, &y3};
    for (std::size_t o = 0; o < want.size(); ++o) {
      EXPECT_TRUE(SameBits(*got[o], want[o])) << gelu_form_name(form) << " " << o;
    }
  };
  gelu::value_and_derivatives(f, x, y, y1, kParams);
  expect(gelu_form_value_and_derivative);
  gelu::value_and_derivatives(f, x, y, y1, y2, kParams);
  expect(gelu_form_value_and_two_derivatives);
  gelu::value_and_derivatives(f, x, y, y1, y2, y3, kParams);
  expect(gelu_form_value_and_three_derivatives);
  gelu::backward(f, x, b, y, kParams);
  expect(gelu_form_backward);
  gelu::double_backward(f, x, b, c, y, y1, kParams);
  expect(gelu_form_double_backward);
  gelu::bias(f, x, b, y, kParams);
  expect(gelu_form_bias);
  gelu::bias_backward(f, x, b, c, y, kParams);
  expect(gelu_form_bias_backward);
  gelu::gated(f, x, b, y, kParams);
  expect(gelu_form_gated);
  gelu::gated_backward(f, x, b, c, y, y1, kParams);
  expect(gelu_form_gated_backward);
}

TEST(Door2FormsTest, DefaultsAreThoseOfC) {
  const auto x = Numbers<float>(0), b = Numbers<float>(1);
  std::vector<float> y(kLength);
  gelu::gated(Function::silu, x, b, y);
  EXPECT_TRUE(SameBits(y, Expected<float>(gelu_form_gated, Function::silu, nullptr)[0]));
  gelu::gated(Function::silu, x, b, y, {.gate = gelu::Gate{}});
  EXPECT_TRUE(SameBits(y, Expected<float>(gelu_form_gated, Function::silu, nullptr)[0]));
  const gelu_params c_params{1.702, 8.0};
  gelu::gated(Function::silu, x, b, y, {.alpha = 1.702, .clip = 8});
  EXPECT_TRUE(SameBits(y, Expected<float>(gelu_form_gated, Function::silu, &c_params)[0]));
}

TEST(Door2FormsTest, TypesMayDiffer) {
  const auto a = Numbers<gelu::bf16>(0), b = Numbers<gelu::bf16>(1);
  const auto dy = Numbers<float>(2);
  std::vector<float> da(kLength), want(kLength);
  std::vector<double> db(kLength), want_db(kLength);
  gelu::apply(Form::gated_backward, Function::gelu, in(a, b, dy), out(da, db), kParams);
  const void* from[] = {a.data(), b.data(), dy.data()};
  void* to[] = {want.data(), want_db.data()};
  const gelu_dtype types[] = {gelu_dtype_bf16, gelu_dtype_bf16, gelu_dtype_f32};
  const gelu_dtype to_types[] = {gelu_dtype_f32, gelu_dtype_f64};
  ASSERT_EQ(gelu_apply_mixed(gelu_fn_gelu, gelu_form_gated_backward, types, to_types, &kCParams, from, to, kLength),
            GELU_OK);
  EXPECT_TRUE(SameBits(da, want));
  EXPECT_TRUE(SameBits(db, want_db));
}

TEST(Door2FormsTest, CheckMixedSaysWhatApplyMixedWould) {
  std::vector<float> x(8), y(8);
  const void* from[] = {x.data()};
  void* to[] = {x.data()};
  const gelu_dtype f32 = gelu_dtype_f32, bf16 = gelu_dtype_bf16, none = gelu_dtype_count_;
  const auto check = [&](const gelu_dtype* in_types, const gelu_dtype* out_types, gelu_form form = gelu_form_forward) {
    const gelu_status checked = gelu_check_mixed(gelu_fn_gelu, form, in_types, out_types, nullptr, from, to, 8);
    EXPECT_EQ(gelu_apply_mixed(gelu_fn_gelu, form, in_types, out_types, nullptr, from, to, 8), checked);
    return checked;
  };
  EXPECT_EQ(check(&f32, &f32), GELU_OK);
  EXPECT_EQ(check(&f32, &bf16), GELU_ERROR_OVERLAP) << "the same array with another size of element";
  EXPECT_EQ(check(&none, &f32), GELU_ERROR_DTYPE);
  EXPECT_EQ(check(&f32, nullptr), GELU_ERROR_NULL);
  EXPECT_EQ(check(&f32, &f32, gelu_form_count_), GELU_ERROR_FORM);
  x.assign(8, 3.0F);
  EXPECT_EQ(gelu_check_mixed(gelu_fn_gelu, gelu_form_forward, &f32, &f32, nullptr, from, to, 8), GELU_OK);
  EXPECT_EQ(x, std::vector<float>(8, 3.0F)) << "nothing is evaluated";
}

TEST(Door2FormsTest, SumsAreThoseOfC) {
  const auto x = Numbers<float>(0);  // 7 rows of 11, or 11 of 7
  for (const std::size_t columns : {std::size_t{7}, std::size_t{11}, kLength, std::size_t{1}}) {
    std::vector<double> sum(columns), want(columns);
    gelu::sum_rows(x, sum);
    ASSERT_EQ(gelu_sum_rows(gelu_dtype_f32, x.data(), kLength / columns, columns, gelu_dtype_f64, want.data()),
              GELU_OK);
    EXPECT_TRUE(SameBits(sum, want)) << columns;
  }
  std::vector<float> none, some(3, 7.0F);
  gelu::sum_rows(none, none);
  gelu::sum_rows(none, some);
  EXPECT_EQ(some, std::vector<float>(3, 0.0F)) << "no rows";
}

TEST(Door2FormsTest, OpenAndShutGatesAreThoseOfC) {
  const auto x = Numbers<gelu::f16>(0);
  std::vector<gelu::f16> y(kLength), want(kLength);
  const gelu::Dropout random{.seed = 7, .stream = 3, .first = 5};
  const gelu_dropout c_random{0, 7, 3, 5};
  gelu::stochastic(Function::silu, random, x, y, 1.702);
  ASSERT_EQ(gelu_stochastic(gelu_fn_silu, gelu_dtype_f16, 1.702, &c_random, x.data(), want.data(), kLength), GELU_OK);
  EXPECT_TRUE(SameBits(y, want));
  gelu::noisy_relu(random, x, y);
  ASSERT_EQ(gelu_noisy_relu(gelu_dtype_f16, &c_random, x.data(), want.data(), kLength), GELU_OK);
  EXPECT_TRUE(SameBits(y, want));
}

TEST(Door2FormsTest, RefusalsNameTheReason) {
  const std::vector<float> x(3), two(2);
  std::vector<float> y(3, 7.0F), y1(3, 7.0F);
  const auto f = Function::gelu;
  EXPECT_EQ(Thrown([&] { gelu::apply(Form::gated_backward, f, in(x, x), out(y, y1)); }),
            "gelu: form: gated_backward reads 3 and writes 2 arrays, and 2 and 2 are given; "
            "give those of a, b, dy -> da = b * dy * f'(a), db = dy * f(a)");
  EXPECT_EQ(Thrown([&] { gelu::apply(Form::forward, f, in(x), out(y, y1)); }),
            "gelu: form: forward reads 1 and writes 1 arrays, and 1 and 2 are given; give those of x -> y = f(x)");
  EXPECT_EQ(Thrown([&] { gelu::apply(Form(99), f, in(x), out(y)); }), gelu_status_message(GELU_ERROR_FORM));
  EXPECT_EQ(Thrown([&] { gelu::apply(Form::forward, Function(99), in(x), out(y)); }),
            gelu_status_message(GELU_ERROR_FUNCTION));
  const auto sizes = [](const std::string& first, const std::string& other) {
    return "gelu: size: " + first + " has 3 elements and " + other + " has 2; give arrays of one length";
  };
  std::vector<float> short_y(2, 7.0F);
  EXPECT_EQ(Thrown([&] { gelu::gated(f, x, two, y); }), sizes("a", "b"));
  EXPECT_EQ(Thrown([&] { gelu::bias(f, x, x, short_y); }), sizes("x", "y"));
  EXPECT_EQ(Thrown([&] { gelu::bias_backward(f, x, x, two, y); }), sizes("x", "dy"));
  EXPECT_EQ(Thrown([&] { gelu::gated_backward(f, x, x, x, y, short_y); }), sizes("a", "db"));
  EXPECT_EQ(Thrown([&] { gelu::double_backward(f, x, x, two, y, y1); }), sizes("x", "ddx"));
  EXPECT_EQ(Thrown([&] { gelu::double_backward(f, x, x, x, y, short_y); }), sizes("x", "gdy"));
  std::vector<float> y2(3), y3(2);
  EXPECT_EQ(Thrown([&] { gelu::value_and_derivatives(f, x, y, y1, y2, y3); }), sizes("x", "y3"));
  EXPECT_EQ(Thrown([&] { gelu::stochastic(f, {}, x, short_y); }), sizes("x", "y"));
  EXPECT_EQ(Thrown([&] { gelu::noisy_relu({}, x, short_y); }), sizes("x", "y"));
  EXPECT_EQ(Thrown([&] { gelu::sum_rows(x, short_y); }),
            "gelu: size: x has 3 elements and sum has 2; give whole rows of sum's length");
  EXPECT_EQ(Thrown([&] { gelu::sum_rows(y, y); }), gelu_status_message(GELU_ERROR_OVERLAP));
  EXPECT_EQ(Thrown([&] { gelu::gated_backward(f, x, x, x, y, y); }), gelu_status_message(GELU_ERROR_OVERLAP));
  const double nan = std::nan("");
  EXPECT_EQ(Thrown([&] { gelu::gated(f, x, x, y, {.gate = gelu::Gate{.linear_max = nan}}); }),
            gelu_status_message(GELU_ERROR_GATE));
  EXPECT_EQ(Thrown([&] { gelu::bias(f, x, x, y, {.dropout = gelu::Dropout{.p = 2}}); }),
            gelu_status_message(GELU_ERROR_DROPOUT));
  EXPECT_EQ(Thrown([&] { gelu::forward(f, x, y, {.ceiling = nan}); }), gelu_status_message(GELU_ERROR_CEILING));
  EXPECT_EQ(Thrown([&] { gelu::stochastic(f, {}, x, y, nan); }), gelu_status_message(GELU_ERROR_ALPHA));
  EXPECT_EQ(y, std::vector<float>(3, 7.0F));
  EXPECT_EQ(y1, y);
  EXPECT_EQ(short_y, std::vector<float>(2, 7.0F));
}

}  // namespace
