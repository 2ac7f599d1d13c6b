// SPDX-License-Identifier: Apache-2.0
// Door 2 for arrays of strides: forms of several inputs and outputs, a bias for all rows, gated halves of one row; each
// gives the bits of contiguous copies.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "gelu/strided.hpp"
#include "proof/thrown.h"

namespace {

using gelu::Form;
using gelu::Function;
using gelu::GateHalf;
using gelu::Strided;
using gelu::proof::Thrown;

template <class T>
std::vector<T> Numbers(std::size_t n, int seed) {
  std::vector<T> x;
  for (std::size_t i = 0; i < n; ++i) {
    x.push_back(T(9 * std::sin(static_cast<double>(seed) + 1.7 * static_cast<double>(i))));
  }
  return x;
}

template <class T>
bool SameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

const gelu::Params kParams{
    .alpha = 1.702, .gate = gelu::Gate{.gate_max = 5, .linear_max = 6, .linear_offset = 1}, .ceiling = 1.5};

template <class T>
struct StridedRows : testing::Test {};
using Elements = testing::Types<double, float, gelu::f16, gelu::bf16>;
TYPED_TEST_SUITE(StridedRows, Elements);

TYPED_TEST(StridedRows, SeveralInputsAndOutputs) {
  using T = TypeParam;
  const auto a = Numbers<T>(12, 0), b = Numbers<T>(12, 1), dy = Numbers<T>(12, 2);
  std::vector<T> da(12), db(12), want_da(12), want_db(12);
  gelu::gated_backward(Function::silu, a, b, dy, want_da, want_db, kParams);
  const std::size_t shape[] = {3, 4};
  const std::ptrdiff_t transposed[] = {1, 3};
  gelu::strided(Form::gated_backward, Function::silu, shape,
                in(Strided{a.data()}, Strided{b.data()}, Strided<const T>{dy.data()}),
                out(Strided{da.data(), transposed}, Strided{db.data()}), kParams);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(double{da[i / 4 + 3 * (i % 4)]}, double{want_da[i]});
  EXPECT_TRUE(SameBits(db, want_db));
}

TYPED_TEST(StridedRows, OneBiasForAllRows) {
  using T = TypeParam;
  for (const std::size_t columns : {1, 2, 7, 63, 64, 65, 300}) {
    for (const std::size_t rows : {0, 1, 5, 129}) {
      const std::size_t n = rows * columns;
      const auto x = Numbers<T>(n, 0), b = Numbers<T>(columns, 1), dy = Numbers<T>(n, 2);
      std::vector<T> all, want(n), y(n);
      for (std::size_t i = 0; i < rows; ++i) all.insert(all.end(), b.begin(), b.end());
      gelu::bias(Function::gelu, x, all, want, kParams);
      gelu::bias_rows(Function::gelu, x, b, y, kParams);
      EXPECT_TRUE(SameBits(y, want)) << rows << " rows of " << columns;
      y = x;
      gelu::bias_rows(Function::gelu, y, b, y, kParams);
      EXPECT_TRUE(SameBits(y, want)) << "in place, " << rows << " rows of " << columns;

      std::vector<T> want_db(columns), db(columns);
      gelu::bias_backward(Function::gelu, x, all, dy, want, kParams);
      gelu::sum_rows(want, want_db);
      gelu::bias_backward_rows(Function::gelu, x, b, dy, y, db, kParams);
      EXPECT_TRUE(SameBits(y, want)) << rows << " rows of " << columns;
      EXPECT_TRUE(SameBits(db, want_db)) << rows << " rows of " << columns;
      for (const bool in_dy : {false, true}) {
        auto from = x, gradient = dy, bias = b;
        auto& dx = in_dy ? gradient : from;
        gelu::bias_backward_rows(Function::gelu, from, bias, gradient, dx, bias, kParams);
        EXPECT_TRUE(SameBits(dx, want)) << "in place, " << rows << " rows of " << columns;
        EXPECT_TRUE(SameBits(bias, want_db)) << "in place, " << rows << " rows of " << columns;
      }
    }
  }
}

TEST(StridedRowsTest, GradientOfABiasHasItsShape) {
  const float x[2][3][4] = {{{1, -2, 3, 0.5F}, {0.25F, 8, -1, 2}, {-3, 1, 1, 1}}, {{2, 2, -2, 4}, {}, {5, -6, 7, -8}}};
  const float b[4] = {0.5F, -1, 2, 0};
  float dx[2][3][4], ones[2][3][4], db[4];
  double wide[4];
  const auto flat = [](auto& array) { return std::span(&array[0][0][0], 24); };
  std::ranges::fill(flat(ones), 1.0F);
  gelu::bias_backward_rows(Function::gelu, flat(x), b, flat(ones), flat(dx), db);
  gelu::bias_backward_rows(Function::gelu, flat(x), b, flat(ones), flat(dx), wide);
  for (std::size_t j = 0; j < 4; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const float slope = gelu::derivative(Function::gelu, x[i / 3][i % 3][j] + b[j]);
      EXPECT_EQ(dx[i / 3][i % 3][j], slope);
      sum += double{slope};
    }
    EXPECT_EQ(wide[j], sum) << "six of f32 add up in f64 without error";
    EXPECT_EQ(db[j], static_cast<float>(sum));
  }
}

// The halves of x and their gradients by contiguous copies.
template <class T>
void ExpectGated(GateHalf half, std::size_t rows, std::size_t d) {
  const auto what = testing::Message() << rows << " rows of " << d << ", half " << static_cast<int>(half);
  const auto x = Numbers<T>(2 * rows * d, 0), dy = Numbers<T>(rows * d, 2);
  const auto place = [&](std::size_t i, bool activated) {
    const std::size_t row = i / d * 2 * d, j = i % d;
    if (half == GateHalf::interleaved) return row + 2 * j + (activated ? 0 : 1);
    return row + j + ((half == GateHalf::first) == activated ? 0 : d);
  };
  std::vector<T> a, b, y(rows * d), want(rows * d), da(rows * d), db(rows * d), dx(x.size()), want_dx(x.size());
  for (std::size_t i = 0; i < rows * d; ++i) {
    a.push_back(x[place(i, true)]);
    b.push_back(x[place(i, false)]);
  }
  gelu::gated(Function::silu, a, b, want, kParams);
  gelu::gated_rows(Function::silu, half, x, d, y, kParams);
  EXPECT_TRUE(SameBits(y, want)) << what;

  gelu::gated_backward(Function::silu, a, b, dy, da, db, kParams);
  for (std::size_t i = 0; i < rows * d; ++i) {
    want_dx[place(i, true)] = da[i];
    want_dx[place(i, false)] = db[i];
  }
  gelu::gated_backward_rows(Function::silu, half, x, d, dy, dx, kParams);
  EXPECT_TRUE(SameBits(dx, want_dx)) << what;
  dx = x;
  gelu::gated_backward_rows(Function::silu, half, dx, d, dy, dx, kParams);
  EXPECT_TRUE(SameBits(dx, want_dx)) << "in place, " << what;
}

TYPED_TEST(StridedRows, GatedHalves) {
  for (const GateHalf half : {GateHalf::first, GateHalf::second, GateHalf::interleaved}) {
    for (const std::size_t d : {1, 2, 3, 7, 63, 65, 301}) {
      for (const std::size_t rows : {0, 1, 2, 71}) ExpectGated<TypeParam>(half, rows, d);
    }
  }
}

TEST(StridedRowsTest, HalvesOfOneRow) {
  const std::vector<double> row{1, 2, 3, 4};
  std::vector<double> y(2);
  gelu::gated_rows(Function::gelu, GateHalf::first, row, 2, y);
  EXPECT_NEAR(y[0], 2.524034238, 5e-10);
  EXPECT_NEAR(y[1], 7.817998944, 5e-10);
  gelu::gated_rows(Function::gelu, GateHalf::second, row, 2, y);
  EXPECT_NEAR(y[0], 2.995950306, 5e-10);
  EXPECT_NEAR(y[1], 7.999746630, 5e-10);
  gelu::gated_rows(Function::gelu, GateHalf::interleaved, row, 2, y);
  EXPECT_NEAR(y[0], 2 * gelu::gelu(1.0), 5e-10);
  EXPECT_NEAR(y[1], 4 * gelu::gelu(3.0), 5e-10);
}

TEST(StridedRowsTest, RefusalsNameTheReason) {
  const std::vector<float> x(12), b(4), five(5);
  std::vector<float> y(12, 7.0F), y6(6, 7.0F), db(4, 7.0F), db5(5, 7.0F);
  const auto f = Function::gelu;
  const auto half = GateHalf::first;
  const std::string whole = "gelu: size: x has 12 elements and b has 5; give whole rows of b's length";
  const auto sizes = [](const std::string& a, int n, const std::string& name, int size) {
    return "gelu: size: " + a + " has " + std::to_string(n) + " elements and " + name + " has " + std::to_string(size) +
           "; give arrays of one length";
  };
  EXPECT_EQ(Thrown([&] { gelu::bias_rows(f, x, five, y); }), whole);
  EXPECT_EQ(Thrown([&] { gelu::bias_rows(f, x, std::vector<float>(), y); }),
            "gelu: size: x has 12 elements and b has 0; give whole rows of b's length");
  EXPECT_EQ(Thrown([&] { gelu::bias_rows(f, x, b, y6); }), sizes("x", 12, "y", 6));
  EXPECT_EQ(Thrown([&] { gelu::bias_backward_rows(f, x, five, x, y, db5); }), whole);
  EXPECT_EQ(Thrown([&] { gelu::bias_backward_rows(f, x, b, five, y, db); }), sizes("x", 12, "dy", 5));
  EXPECT_EQ(Thrown([&] { gelu::bias_backward_rows(f, x, b, x, y6, db); }), sizes("x", 12, "dx", 6));
  EXPECT_EQ(Thrown([&] { gelu::bias_backward_rows(f, x, b, x, y, db5); }), sizes("b", 4, "db", 5));
  const std::string overlap = gelu_status_message(GELU_ERROR_OVERLAP);
  std::vector<float> more(13, 7.0F);
  const auto all = std::span(more);
  EXPECT_EQ(Thrown([&] { gelu::bias_backward_rows(f, x, b, x, y, std::span(y).first(4)); }), overlap) << "db in dx";
  EXPECT_EQ(Thrown([&] { gelu::bias_backward_rows(f, y, b, x, y, std::span(y).last(4)); }), overlap) << "db in x";
  EXPECT_EQ(Thrown([&] { gelu::bias_backward_rows(f, x, b, all.first(12), y, all.last(4)); }), overlap) << "db in dy";
  EXPECT_EQ(Thrown([&] { gelu::bias_backward_rows(f, x, all.first(4), x, y, all.subspan(1, 4)); }), overlap)
      << "db beside b";
  EXPECT_EQ(Thrown([&] { gelu::bias_rows(f, all.first(12), b, all.last(12)); }), overlap);

  const std::string rows = "; give rows of 2d and of d";
  EXPECT_EQ(Thrown([&] { gelu::gated_rows(f, half, x, 2, y); }),
            "gelu: size: x has 12 elements, y has 12, and d is 2" + rows);
  EXPECT_EQ(Thrown([&] { gelu::gated_rows(f, half, x, 4, y6); }),
            "gelu: size: x has 12 elements, y has 6, and d is 4" + rows);
  EXPECT_EQ(Thrown([&] { gelu::gated_rows(f, half, x, 0, y6); }),
            "gelu: size: x has 12 elements, y has 6, and d is 0" + rows);
  EXPECT_EQ(Thrown([&] { gelu::gated_rows(f, half, five, 1, std::span(y6).first(2)); }),
            "gelu: size: x has 5 elements, y has 2, and d is 1" + rows);
  EXPECT_EQ(Thrown([&] { gelu::gated_rows(f, GateHalf(3), x, 2, y6); }),
            "gelu: half: no such half of a row; give a value of GateHalf");
  EXPECT_EQ(Thrown([&] { gelu::gated_rows(f, half, y, 2, std::span(y).first(6)); }), overlap);
  EXPECT_EQ(Thrown([&] { gelu::gated_backward_rows(f, half, x, 2, x, y); }),
            "gelu: size: x has 12 elements, dy has 12, and d is 2" + rows);
  EXPECT_EQ(Thrown([&] { gelu::gated_backward_rows(f, half, x, 2, y6, y6); }), sizes("x", 12, "dx", 6));
  const std::size_t shape[] = {12};
  EXPECT_EQ(Thrown([&] { gelu::strided(Form::bias, f, shape, in(Strided{x.data()}), out(Strided{y.data()})); }),
            "gelu: form: bias reads 2 and writes 1 arrays, and 1 and 1 are given; give those of x, b -> y = f(x + b)");
  EXPECT_EQ(y, std::vector<float>(12, 7.0F));
  EXPECT_EQ(y6, std::vector<float>(6, 7.0F));
  EXPECT_EQ(db, std::vector<float>(4, 7.0F));
  EXPECT_EQ(more, std::vector<float>(13, 7.0F));
}

// Elements of runs would be dropped by the words of the first run.
TEST(StridedRowsTest, DropoutIsRefused) {
  std::vector<float> x(12, 1.0F), y(12, 7.0F), none;
  const gelu_dropout dropout{0, 1, 0, 0};
  const gelu_params params{.alpha = 1, .clip = HUGE_VAL, .dropout = &dropout};
  const void* from[] = {x.data()};
  void* to[] = {y.data()};
  const auto call = [&](std::size_t n) {
    return gelu_apply_strided(gelu_fn_gelu, gelu_form_forward, gelu_dtype_f32, &params, 1, &n, from, nullptr, to,
                              nullptr);
  };
  EXPECT_EQ(call(12), GELU_ERROR_DROPOUT);
  EXPECT_EQ(call(1), GELU_ERROR_DROPOUT);
  EXPECT_EQ(call(0), GELU_OK);
  const gelu::Params with{.dropout = gelu::Dropout{.p = 0.5}};
  const std::string message = gelu_status_message(GELU_ERROR_DROPOUT);
  EXPECT_NE(message.find("; arrays of strides take none"), std::string::npos);
  std::vector<float> b(4), db(4, 7.0F), y6(6, 7.0F);
  EXPECT_EQ(Thrown([&] { gelu::bias_rows(Function::gelu, x, b, y, with); }), message);
  EXPECT_EQ(Thrown([&] { gelu::bias_backward_rows(Function::gelu, x, b, x, y, db, with); }), message);
  EXPECT_EQ(Thrown([&] { gelu::gated_rows(Function::gelu, GateHalf::first, x, 2, y6, with); }), message);
  EXPECT_EQ(Thrown([&] { gelu::gated_rows(Function::gelu, GateHalf::first, none, 2, none, with); }), "nothing thrown");
  EXPECT_EQ(y, std::vector<float>(12, 7.0F));
  EXPECT_EQ(db, std::vector<float>(4, 7.0F));
  EXPECT_EQ(y6, std::vector<float>(6, 7.0F));
}

}  // namespace
