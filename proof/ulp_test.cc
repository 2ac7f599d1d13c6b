// SPDX-License-Identifier: Apache-2.0
// The oracle's rounding against the compiler's, and the definition of the error in ULP.
#include "proof/ulp.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "proof/oracle.h"

namespace gelu::proof {
namespace {

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
