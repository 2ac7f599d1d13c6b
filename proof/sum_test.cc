// SPDX-License-Identifier: Apache-2.0
// Sums over rows against exact ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <random>

#include "proof/control_word.h"
#include "proof/exact.h"
#include "proof/sample.h"

namespace gelu::proof {
namespace {

using Bits = std::uint64_t;

Array SumRows(gelu_dtype dtype, const Array& x, std::size_t rows, std::size_t columns, gelu_dtype sum_type) {
  Array sums(sum_type, columns + 1);
  const Bits guard = 0x5eed;
  sums.Set(columns, guard);
  EXPECT_EQ(gelu_sum_rows(dtype, x.data(), rows, columns, sum_type, sums.data()), GELU_OK);
  EXPECT_EQ(sums[columns], guard);
  return sums;
}

void Check(gelu_dtype dtype, const Array& x, std::size_t rows, std::size_t columns, gelu_dtype sum_type,
           const Array& got) {
  Failures failures(std::string(gelu_dtype_name(dtype)) + " to " + gelu_dtype_name(sum_type) + ", " +
                    std::to_string(rows) + " rows, " + std::to_string(columns) + " columns");
  Real sum(kSumBits);
  for (std::size_t j = 0; j < columns; ++j) {
    mpfr_set_zero(sum.get(), 1);
    bool negative_zeros = rows > 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const double value = ToDouble(dtype, x[i * columns + j]);
      negative_zeros = negative_zeros && value == 0 && std::signbit(value);
      mpfr_add_d(sum.get(), sum.get(), value, MPFR_RNDN);
    }
    if (mpfr_zero_p(sum.get())) mpfr_set_zero(sum.get(), negative_zeros ? -1 : 1);
    const Bits want = RoundTo(sum_type, sum);
    if (got[j] != want) failures.Add("column " + std::to_string(j) + ": got " + Hex(got[j]) + ", want " + Hex(want));
  }
}

// Of each column numbers of a kind: all patterns, all finite ones, few binades, pairs that cancel, subnormals, special
// numbers, negative zeros, alike ones, and large ones.
Array Elements(gelu_dtype dtype, std::size_t rows, std::size_t columns, std::uint64_t seed) {
  const Format format = FormatOf(dtype);
  std::mt19937_64 random(seed);
  const std::vector<Bits> specials = Specials(dtype);
  std::normal_distribution<double> normal;
  Array x(dtype, rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const Bits any = random() & (format.Sign() | (format.Sign() - 1));
      const bool infinite = format.Magnitude(any) >= format.Infinity();
      const Bits finite = infinite ? any & format.Sign() : any;
      const Bits sign = any & format.Sign(), largest = format.Infinity() - 1;
      Bits element = finite;
      switch (j % 9) {
        case 0:
          element = any;
          break;
        case 2:
          element = RoundTo(dtype, Real(53, normal(random)));
          break;
        case 3:
          if (i % 2 == 1) element = x[(i - 1) * columns + j] ^ format.Sign();
          break;
        case 4:
          element = sign | (any & ((Bits{1} << format.precision) - 1));
          break;
        case 5:
          element = specials[random() % specials.size()];
          break;
        case 6:
          element = j < 9 ? format.Sign() : 0;
          break;
        case 7:
          element = RoundTo(dtype, Real(53, 1.0)) + 1;
          break;
        case 8:
          element = (random() % 64 == 0 ? format.Sign() : 0) | largest;
          break;
      }
      x.Set(i * columns + j, element);
    }
  }
  return x;
}

class RowSums : public testing::TestWithParam<gelu_dtype> {};
INSTANTIATE_TEST_SUITE_P(Dtypes, RowSums, testing::ValuesIn(Dtypes()),
                         [](const auto& info) { return std::string(gelu_dtype_name(info.param)); });

TEST_P(RowSums, AreExactAndRoundedOnce) {
  const gelu_dtype dtype = GetParam();
  for (const std::size_t columns : {1, 9, 127, 128, 129, 300}) {
    for (const std::size_t rows : {0, 1, 2, 3, 17, 64}) {
      const Array x = Elements(dtype, rows, columns, 100 * columns + rows);
      for (const gelu_dtype sum_type : Dtypes()) {
        Check(dtype, x, rows, columns, sum_type, SumRows(dtype, x, rows, columns, sum_type));
      }
    }
  }
}

TEST_P(RowSums, OfManyRows) {
  const gelu_dtype dtype = GetParam();
  for (const std::size_t rows : {511, 512, 513, 4095, 4096, 4097, 10007}) {
    const Array x = Elements(dtype, rows, 9, rows);
    for (const gelu_dtype sum_type : Dtypes()) Check(dtype, x, rows, 9, sum_type, SumRows(dtype, x, rows, 9, sum_type));
  }
}

// As many of one binade as a bin is said to hold without error.
TEST_P(RowSums, OfFullBins) {
  const gelu_dtype dtype = GetParam();
  const Format format = FormatOf(dtype);
  constexpr std::size_t kRows = 4097;
  const Bits step = Bits{1} << (format.precision - 1), bin = format.bits == 16 ? 32 : 16;
  for (Bits exponent = 0; exponent < format.Infinity(); exponent += format.bits < 64 ? step : 97 * step) {
    Array x(dtype, kRows);
    for (std::size_t i = 0; i < kRows; ++i) x.Set(i, exponent + step - 1 - i % 2);
    // The smallest number of the same bin, which the sum must not lose.
    x.Set(kRows / 2, exponent - exponent % (bin * step) + 1);
    Check(dtype, x, kRows, 1, gelu_dtype_f64, SumRows(dtype, x, kRows, 1, gelu_dtype_f64));
    Check(dtype, x, kRows, 1, dtype, SumRows(dtype, x, kRows, 1, dtype));
  }
}

// Sums that lie on a tie of the type of the result, and beside it.
TEST_P(RowSums, RoundTiesToEven) {
  const gelu_dtype dtype = GetParam();
  for (const gelu_dtype sum_type : Dtypes()) {
    const int precision = FormatOf(sum_type).precision;
    const double half = std::ldexp(1.0, -precision), little = std::ldexp(1.0, -20 - precision);
    std::vector<double> rows;
    constexpr std::size_t kColumns = 6;
    for (const double sign : {1.0, -1.0}) {
      rows.insert(rows.end(), {sign, sign, sign, -sign, 0x1p-14 * sign, sign});
      rows.insert(rows.end(), {sign * half, sign * half, 3 * sign * half, sign * half, 0, half});
      rows.insert(rows.end(), {0, sign * little, sign * little, 0, 0x1p-24, -half});
    }
    const Array x = ArrayOf(dtype, rows);
    Check(dtype, x, 6, kColumns, sum_type, SumRows(dtype, x, 6, kColumns, sum_type));
    Check(dtype, x, 3, kColumns, sum_type, SumRows(dtype, x, 3, kColumns, sum_type));
  }
}

TEST_P(RowSums, AreTheSameInAnyOrderAndControlWord) {
  const gelu_dtype dtype = GetParam();
  constexpr std::size_t kRows = 5003, kColumns = 9;
  const Array x = Elements(dtype, kRows, kColumns, 5);
  std::vector<std::size_t> order(kRows);
  for (std::size_t i = 0; i < kRows; ++i) order[i] = i;
  std::mt19937_64 random(6);
  std::vector<Array> want;
  for (const gelu_dtype sum_type : Dtypes()) want.push_back(SumRows(dtype, x, kRows, kColumns, sum_type));
  for (int repetition = 0; repetition < 4; ++repetition) {
    std::shuffle(order.begin(), order.end(), random);
    Array shuffled = x;
    for (std::size_t i = 0; i < kRows * kColumns; ++i) {
      shuffled.Set(i, x[order[i / kColumns] * kColumns + i % kColumns]);
    }
    for (const gelu_dtype sum_type : Dtypes()) {
      const auto& expected = want[static_cast<std::size_t>(sum_type)];
      EXPECT_TRUE(SumRows(dtype, shuffled, kRows, kColumns, sum_type) == expected) << gelu_dtype_name(sum_type);
      const ScopedFloatingPoint restore;
      const std::uint64_t usual = ControlWord();
      for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(rounding);
        const std::uint64_t set = ControlWord() | kFlush;
        SetControlWord(set);
        const Array got = SumRows(dtype, shuffled, kRows, kColumns, sum_type);
        const std::uint64_t after = ControlWord();
        SetControlWord(usual);
        EXPECT_TRUE(got == expected) << gelu_dtype_name(sum_type) << " rounding " << rounding;
        EXPECT_EQ(after, set);
      }
    }
  }
}

TEST(SumRowsErrors, TouchNothing) {
  float x[12] = {1, 2, 3, 4}, sum[4] = {5, 5, 5, 5};
  constexpr auto kF32 = gelu_dtype_f32;
  EXPECT_EQ(gelu_sum_rows(kF32, nullptr, 3, 4, kF32, sum), GELU_ERROR_NULL);
  EXPECT_EQ(gelu_sum_rows(kF32, x, 3, 4, kF32, nullptr), GELU_ERROR_NULL);
  EXPECT_EQ(gelu_sum_rows(gelu_dtype_count_, x, 3, 4, kF32, sum), GELU_ERROR_DTYPE);
  EXPECT_EQ(gelu_sum_rows(kF32, x, 3, 4, gelu_dtype_count_, sum), GELU_ERROR_DTYPE);
  EXPECT_EQ(gelu_sum_rows(kF32, x, 3, 4, kF32, x), GELU_ERROR_OVERLAP);
  EXPECT_EQ(gelu_sum_rows(kF32, x, 2, 4, kF32, x + 7), GELU_ERROR_OVERLAP);
  EXPECT_EQ(gelu_sum_rows(kF32, x + 1, 2, 4, gelu_dtype_bf16, x), GELU_ERROR_OVERLAP);
  EXPECT_EQ(gelu_sum_rows(kF32, x, (std::size_t{1} << 31) + 1, 1, kF32, sum), GELU_ERROR_SIZE);
  EXPECT_EQ(gelu_sum_rows(kF32, x, 1 << 30, std::size_t{1} << 40, kF32, sum), GELU_ERROR_SIZE);
  EXPECT_EQ(gelu_sum_rows(kF32, x, 1, ~std::size_t{0} / 4, kF32, sum), GELU_ERROR_SIZE);
  EXPECT_EQ(gelu_sum_rows(kF32, x, 0, ~std::size_t{0} / 4, kF32, sum), GELU_ERROR_SIZE);
  for (const float value : sum) EXPECT_EQ(value, 5);
  EXPECT_EQ(gelu_sum_rows(kF32, nullptr, 3, 0, kF32, nullptr), GELU_OK);
  EXPECT_EQ(gelu_sum_rows(kF32, x, 2, 4, kF32, x + 8), GELU_OK);
  EXPECT_EQ(gelu_sum_rows(kF32, nullptr, 0, 4, kF32, sum), GELU_OK);
  for (const float value : sum) EXPECT_TRUE(value == 0 && !std::signbit(value));
}

}  // namespace
}  // namespace gelu::proof
