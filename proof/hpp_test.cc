// SPDX-License-Identifier: Apache-2.0
// Door 2: the 16-bit types convert as IEEE says, and every call gives the bits of the C ABI or throws.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <list>
#include <span>
#include <vector>

#include "gelu/gelu.hpp"
#include "proof/thrown.h"

// Another library's 16-bit type.
struct Foreign {
  std::uint16_t bits;
};
template <>
inline constexpr gelu_dtype gelu::dtype_of<Foreign> = gelu_dtype_bf16;

namespace {

using gelu::Function;
using gelu::proof::Thrown;
constexpr double kInf = std::numeric_limits<double>::infinity();

static_assert(sizeof(gelu::f16) == 2 && sizeof(gelu::bf16) == 2 && std::is_trivial_v<gelu::f16>);
static_assert(gelu::bf16(1.0F).bits() == 0x3f80 && gelu::f16(1.0).bits() == 0x3c00, "usable in constant expressions");
static_assert(float{gelu::f16::from_bits(0x0001)} == 0x1p-24F);

template <class X, class Y>
concept Forwards = requires(X& x, Y& y) {
  gelu::forward(Function{}, x, y);
};
static_assert(Forwards<std::vector<float>, std::array<float, 3>> && Forwards<const double[3], std::span<double>>);
static_assert(!Forwards<std::vector<float>, std::vector<double>>, "one element type in a call");
static_assert(!Forwards<std::vector<float>, const std::vector<float>>, "outputs are writable");
static_assert(!Forwards<std::vector<int>, std::vector<int>>, "elements are floating-point numbers");
static_assert(!Forwards<std::list<float>, std::vector<float>>, "arrays are contiguous");

// ---- 16-bit numbers ----

struct Ieee {
  int exponent_bits, fraction_bits;
  int Infinity() const { return ((1 << exponent_bits) - 1) << fraction_bits; }
  // The value of a positive pattern; that of infinity's is the next number if the exponent went on.
  double Value(int magnitude) const {
    const int field = magnitude >> fraction_bits;
    const int fraction = magnitude & ((1 << fraction_bits) - 1);
    const int significand = field == 0 ? fraction : fraction + (1 << fraction_bits);
    return std::ldexp(significand, std::max(field, 1) - (1 << (exponent_bits - 1)) + 1 - fraction_bits);
  }
};

template <class T>
struct Half : testing::Test {};
using Halves = testing::Types<gelu::f16, gelu::bf16>;
TYPED_TEST_SUITE(Half, Halves);

template <class T>
constexpr Ieee kFormat = std::same_as<T, gelu::f16> ? Ieee{5, 10} : Ieee{8, 7};

template <class T, class Wide>
int Bits(Wide value) {
  return T(value).bits();
}

TYPED_TEST(Half, EveryPatternWidensToItsValueAndBack) {
  constexpr Ieee format = kFormat<TypeParam>;
  for (int bits = 0; bits < 65536; ++bits) {
    const auto half = TypeParam::from_bits(static_cast<std::uint16_t>(bits));
    const int magnitude = bits & 0x7fff;
    const bool nan = magnitude > format.Infinity();
    const int back = nan ? bits | 1 << (format.fraction_bits - 1) : bits;
    ASSERT_EQ(Bits<TypeParam>(float{half}), back) << std::hex << bits;
    ASSERT_EQ(Bits<TypeParam>(double{half}), back) << std::hex << bits;
    ASSERT_EQ(std::isnan(float{half}), nan) << std::hex << bits;
    if (nan) continue;
    const double value = magnitude == format.Infinity() ? kInf : format.Value(magnitude);
    ASSERT_EQ(double{half}, bits < 0x8000 ? value : -value) << std::hex << bits;
    ASSERT_EQ(float{half}, static_cast<float>(double{half})) << std::hex << bits;
  }
}

// Halfway between neighbours, and the nearest double and float on either side of it.
template <class T>
void CheckTies() {
  constexpr Ieee format = kFormat<T>;
  for (const double sign : {1.0, -1.0}) {
    const int sign_bit = sign < 0 ? 0x8000 : 0;
    for (int low = 0; low < format.Infinity(); ++low) {
      const double tie = sign * (format.Value(low) + format.Value(low + 1)) / 2;
      const int even = low + low % 2;
      ASSERT_EQ(Bits<T>(tie), sign_bit | even) << tie;
      ASSERT_EQ(Bits<T>(std::nextafter(tie, 0.0)), sign_bit | low) << tie;
      ASSERT_EQ(Bits<T>(std::nextafter(tie, sign * kInf)), sign_bit | (low + 1)) << tie;
      const auto tie_f32 = static_cast<float>(tie);
      if (tie_f32 != tie) continue;  // below the least subnormal of f32
      ASSERT_EQ(Bits<T>(tie_f32), sign_bit | even) << tie;
      ASSERT_EQ(Bits<T>(std::nextafter(tie_f32, 0.0F)), sign_bit | low) << tie;
      ASSERT_EQ(Bits<T>(std::nextafter(tie_f32, static_cast<float>(sign * kInf))), sign_bit | (low + 1)) << tie;
    }
  }
}

TYPED_TEST(Half, TiesGoToEvenAndTheRestToTheNearest) { CheckTies<TypeParam>(); }

TYPED_TEST(Half, TheHostsRoundingModeHasNoSay) {
  const auto lowest = static_cast<double>(TypeParam::from_bits(1));
  const int before = std::fegetround();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    const std::array bits{Bits<TypeParam>(lowest * 0.25), Bits<TypeParam>(lowest * 0.75),
                          Bits<TypeParam>(1.0 + 0x1p-20)};
    std::fesetround(before);
    EXPECT_EQ(bits, (std::array{0, 1, Bits<TypeParam>(1.0)}));
  }
}

TYPED_TEST(Half, BeyondTheRange) {
  const int inf = kFormat<TypeParam>.Infinity();
  EXPECT_EQ(Bits<TypeParam>(1e300), inf);
  EXPECT_EQ(Bits<TypeParam>(-kInf), inf | 0x8000);
  EXPECT_EQ(Bits<TypeParam>(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(Bits<TypeParam>(-std::numeric_limits<float>::denorm_min()), 0x8000);
}

// ---- Calls ----

template <class T>
struct Door2 : testing::Test {
  static std::vector<T> Inputs() {
    std::vector<T> x;
    for (const double v : {-kInf, -13.5, -5.5, -0.75, -0.0, 0.0, 1e-7, 0.5, 1.0, 3.0, 40.0, kInf}) x.push_back(T(v));
    return x;
  }
};
using Elements = testing::Types<double, float, gelu::f16, gelu::bf16>;
TYPED_TEST_SUITE(Door2, Elements);

template <class T>
bool SameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TYPED_TEST(Door2, GivesTheBitsOfTheCAbi) {
  using T = TypeParam;
  const std::vector<T> x = this->Inputs();
  const std::vector<T> dy(x.rbegin(), x.rend());
  const gelu_params c_params{1.702, 2.0};
  const gelu::Params params{.alpha = 1.702, .clip = 2.0};
  for (const Function function : gelu::functions) {
    const auto c_function = static_cast<gelu_function>(function);
    std::vector<T> want(x.size());
    std::vector<T> got(x.size());
    const auto reference = [&](gelu_form form) {
      const std::array<const void*, 2> in{x.data(), dy.data()};
      void* out = want.data();
      ASSERT_EQ(gelu_apply(c_function, form, gelu::dtype_of<T>, &c_params, in.data(), &out, x.size()), GELU_OK);
    };
    const auto one_by_one = [&](auto call) {
      std::ranges::transform(x, got.begin(), [&](T value) { return call(function, value, params); });
    };
    reference(gelu_form_forward);
    gelu::forward(function, x, got, params);
    EXPECT_TRUE(SameBits(got, want)) << gelu::name(function);
    one_by_one([](auto... args) { return gelu::value(args...); });
    EXPECT_TRUE(SameBits(got, want)) << gelu::name(function);

    reference(gelu_form_derivative);
    gelu::derivative(function, x, got, params);
    EXPECT_TRUE(SameBits(got, want)) << gelu::name(function);
    one_by_one([](auto... args) { return gelu::derivative(args...); });
    EXPECT_TRUE(SameBits(got, want)) << gelu::name(function);

    reference(gelu_form_second_derivative);
    gelu::second_derivative(function, x, got, params);
    EXPECT_TRUE(SameBits(got, want)) << gelu::name(function);
    one_by_one([](auto... args) { return gelu::second_derivative(args...); });
    EXPECT_TRUE(SameBits(got, want)) << gelu::name(function);

    reference(gelu_form_backward);
    gelu::backward(function, x, dy, got, params);
    EXPECT_TRUE(SameBits(got, want)) << gelu::name(function);
  }
}

TYPED_TEST(Door2, EachFunctionHasItsOwnName) {
  for (const TypeParam x : this->Inputs()) {
#define GELU_FUNCTION(name, Card, ...)                                                             \
  {                                                                                                \
    const TypeParam got = gelu::name(x, 1.702);                                                    \
    const TypeParam want = gelu::value(Function::name, x, {.alpha = 1.702});                       \
    EXPECT_EQ(std::memcmp(&got, &want, sizeof(got)), 0) << #name << " " << static_cast<double>(x); \
  }
#include "gelu/family.def"
  }
}

TEST(Door2, InPlaceForeignAndEmptyArrays) {
  std::array<float, 3> x{-1, 0, 1};
  std::array<float, 3> y{};
  gelu::forward(Function::gelu, x, y);
  gelu::forward(Function::gelu, x, x);
  EXPECT_EQ(x, y);

  std::array<Foreign, 1> foreign{Foreign{gelu::bf16(1.0F).bits()}};
  gelu::forward(Function::gelu, foreign, foreign);
  EXPECT_EQ(foreign[0].bits, gelu::gelu(gelu::bf16(1.0F)).bits());

  std::vector<double> none;
  EXPECT_NO_THROW(gelu::forward(Function::gelu, none, none));
}

TEST(Door2, RefusalsNameTheReason) {
  std::vector<float> x(3);
  std::vector<float> y(2, 7.0F);
  EXPECT_EQ(Thrown([&] { gelu::forward(Function::gelu, x, y); }),
            "gelu: size: x has 3 elements and y has 2; give arrays of one length");
  EXPECT_EQ(Thrown([&] { gelu::backward(Function::gelu, x, y, x); }),
            "gelu: size: x has 3 elements and dy has 2; give arrays of one length");
  EXPECT_EQ(Thrown([&] { gelu::gelu(1.0, std::nan("")); }), gelu_status_message(GELU_ERROR_ALPHA));
  EXPECT_EQ(Thrown([&] { gelu::value(Function::gelu, 1.0, {.clip = -1}); }), gelu_status_message(GELU_ERROR_CLIP));
  const std::span all(x);
  EXPECT_EQ(Thrown([&] { gelu::forward(Function::gelu, all.first(2), all.last(2)); }),
            gelu_status_message(GELU_ERROR_OVERLAP));
  EXPECT_EQ(Thrown([] { gelu::name(Function(99)); }), gelu_status_message(GELU_ERROR_FUNCTION));
  EXPECT_EQ(Thrown([] { gelu::formula(Function(-1)); }), gelu_status_message(GELU_ERROR_FUNCTION));
  EXPECT_EQ(y, std::vector<float>(2, 7.0F));
}

TEST(Door2, NamesResolve) {
  for (const Function function : gelu::functions) {
    EXPECT_EQ(gelu::resolve(std::string(gelu::name(function))).function, function);
    EXPECT_FALSE(gelu::formula(function).empty());
  }
  EXPECT_EQ(gelu::resolve("gelu_new", "huggingface").function, Function::gelu_tanh);
  const gelu::Activation quick = gelu::resolve("quick_gelu", "huggingface");
  EXPECT_EQ(quick.function, Function::silu);
  EXPECT_EQ(quick.params.alpha, 1.702);
  EXPECT_EQ(gelu::resolve("gelu_10", "huggingface").params.clip, 10.0);
  EXPECT_NE(Thrown([] { gelu::resolve("gleu"); }).find("gleu"), std::string::npos);
}

}  // namespace
