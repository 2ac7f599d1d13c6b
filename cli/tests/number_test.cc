// SPDX-License-Identifier: Apache-2.0
#include "cli/number.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "cli/failure.h"

namespace gelu::cli {
namespace {

std::string Text(uint64_t bits, gelu_dtype dtype) {
  std::string text;
  AppendNumber(bits, dtype, text);
  return text;
}

// The digits of d.ddde+xx.
std::string Digits(const std::string& scientific) {
  return scientific[0] + scientific.substr(2, scientific.find('e') - 2);
}

// The 16-bit formats once more, written as the standard has them: exponent bits, fraction bits.
struct Half {
  gelu_dtype dtype;
  int exponent_bits, fraction_bits;
  uint64_t infinity;

  double Value(uint64_t magnitude) const {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const auto exponent = static_cast<int>(magnitude >> fraction_bits);
    const double fraction = std::ldexp(static_cast<double>(magnitude & ((1u << fraction_bits) - 1)), -fraction_bits);
    return exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  }
};
constexpr Half kHalves[] = {{gelu_dtype_f16, 5, 10, 0x7c00}, {gelu_dtype_bf16, 8, 7, 0x7f80}};

TEST(Number, EveryHalfReadsBack) {
  for (const Half& half : kHalves) {
    for (uint64_t bits = 0; bits < 0x10000; ++bits) {
      const std::string text = Text(bits, half.dtype);
      if ((bits & 0x7fff) > half.infinity) {
        EXPECT_EQ(text, "nan");
      } else {
        ASSERT_EQ(ParseNumber(text, half.dtype), bits) << text;
      }
    }
  }
}

// Neither of the decimals with one digit less that enclose the value reads back.
TEST(Number, NoHalfHasAShorterDecimal) {
  for (const Half& half : kHalves) {
    for (uint64_t bits = 1; bits < half.infinity; ++bits) {
      const std::string digits = Digits(fmt::format("{:.14e}", std::stod(Text(bits, half.dtype))));
      const size_t fewer = digits.find_last_not_of('0');
      if (fewer == 0) continue;
      const std::string exact = fmt::format("{:.60e}", half.Value(bits));
      const int below = std::stoi(Digits(exact).substr(0, fewer));
      const int exponent = std::stoi(exact.substr(exact.find('e') + 1)) - static_cast<int>(fewer) + 1;
      for (int decimal : {below, below + 1}) {
        const std::string shorter = fmt::format("{}e{}", decimal, exponent);
        ASSERT_NE(ParseNumber(shorter, half.dtype), bits) << shorter << " is shorter than " << Text(bits, half.dtype);
      }
    }
  }
}

// Halfway between neighbours the even one is right; a digit far behind decides otherwise, where a double cannot see it.
TEST(Number, DecimalsAreRoundedOnceToHalves) {
  for (const Half& half : kHalves) {
    for (uint64_t bits = 0; bits < half.infinity; ++bits) {
      const double above =
          bits + 1 == half.infinity ? 2 * half.Value(bits) - half.Value(bits - 1) : half.Value(bits + 1);
      const double middle = (half.Value(bits) + above) / 2;
      const std::string exact = fmt::format("{:.110e}", middle);  // all its digits, and zeros
      const size_t e = exact.find('e');
      ASSERT_EQ(exact[e - 1], '0');
      const std::string more = exact.substr(0, e) + "1" + exact.substr(e);
      const std::string less = fmt::format("{:.{}e}", middle * (1 - 0x1p-30), 60);
      ASSERT_EQ(ParseNumber(exact, half.dtype), bits + bits % 2) << exact;
      ASSERT_EQ(ParseNumber(more, half.dtype), bits + 1) << more;
      ASSERT_EQ(ParseNumber("-" + more, half.dtype), 0x8000 | (bits + 1)) << more;
      ASSERT_EQ(ParseNumber(less, half.dtype), bits) << less;
      ASSERT_EQ(ParseNumber(fmt::format("{:a}", middle), half.dtype), bits + bits % 2);
    }
  }
}

TEST(Number, WideFormatsReadBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t wide = random();
    if (!std::isnan(std::bit_cast<double>(wide))) {
      ASSERT_EQ(ParseNumber(Text(wide, gelu_dtype_f64), gelu_dtype_f64), wide);
    }
    const uint64_t narrow = wide >> 32;
    if (!std::isnan(std::bit_cast<float>(static_cast<uint32_t>(narrow)))) {
      ASSERT_EQ(ParseNumber(Text(narrow, gelu_dtype_f32), gelu_dtype_f32), narrow);
    }
  }
}

TEST(Number, SinglesAreRoundedOnce) {
  // Just above the middle of 1 and its successor; the nearest double is the middle itself.
  EXPECT_EQ(ParseNumber("1.00000005960464477539062500000000001", gelu_dtype_f32), 0x3f800001u);
  EXPECT_EQ(ParseNumber("1.000000059604644775390625", gelu_dtype_f32), 0x3f800000u);
  EXPECT_EQ(ParseNumber("1e39", gelu_dtype_f32), 0x7f800000u);
  EXPECT_EQ(ParseNumber("-1e-46", gelu_dtype_f32), 0x80000000u);
}

TEST(Number, Words) {
  EXPECT_EQ(ParseNumber("-0", gelu_dtype_f16), 0x8000u);
  EXPECT_EQ(ParseNumber("-inf", gelu_dtype_bf16), 0xff80u);
  EXPECT_EQ(ParseNumber("Infinity", gelu_dtype_f64), 0x7ff0000000000000u);
  EXPECT_EQ(ParseNumber("nan", gelu_dtype_f16), 0x7e00u);
  EXPECT_EQ(ParseNumber(" 0x1.8p-4\r", gelu_dtype_f32), 0x3dc00000u);
  EXPECT_EQ(ParseNumber("bits:3f80", gelu_dtype_bf16), 0x3f80u);
  EXPECT_EQ(ParseNumber("bits:0xFF", gelu_dtype_f64), 0xffu);
  for (const char* wrong :
       {"", "abc", "1x", "1 2", "0x", "--1", "bits:", "bits:g", "bits:-1", "bits:13f80", "1e", "-"}) {
    EXPECT_THROW(ParseNumber(wrong, gelu_dtype_bf16), Failure) << wrong;
  }
}

TEST(Number, Hex) {
  std::string text;
  for (int dtype = 0; dtype < gelu_dtype_count_; ++dtype) AppendHex(0xa, static_cast<gelu_dtype>(dtype), text);
  EXPECT_EQ(text, "0x000000000000000a0x0000000a0x000a0x000a");
}

TEST(Number, NegativeNumbersAreNoOptions) {
  for (const char* number : {"-1", "-.5", "-0", "-inf", "-NaN", "-0x1p3", "-infinity"}) {
    EXPECT_TRUE(IsNegativeNumber(number)) << number;
  }
  for (const char* option : {"-", "--hex", "-o", "1", "", "-h", "--1"})
    EXPECT_FALSE(IsNegativeNumber(option)) << option;
}

}  // namespace
}  // namespace gelu::cli
