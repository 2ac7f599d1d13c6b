// SPDX-License-Identifier: Apache-2.0
// gelu_apply_strided: any layout gives the bits of contiguous copies, and writes nowhere else.
#include "gelu/strided.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "proof/walk.h"

namespace gelu::proof {
namespace {

using Strides = std::vector<std::ptrdiff_t>;
using Shape = std::vector<std::size_t>;

// The offsets, in elements, of all elements in C order.
std::vector<std::ptrdiff_t> Offsets(const Shape& shape, const Strides& strides) {
  std::vector<std::ptrdiff_t> all = {0};
  for (std::size_t k = 0; k < shape.size(); ++k) {
    std::vector<std::ptrdiff_t> next;
    for (const std::ptrdiff_t offset : all) {
      for (std::size_t i = 0; i < shape[k]; ++i) next.push_back(offset + strides[k] * static_cast<std::ptrdiff_t>(i));
    }
    all = std::move(next);
  }
  return all;
}

// Bytes with elements of all kinds, of which one in the middle is the origin of a layout.
struct Memory {
  explicit Memory(std::size_t size, unsigned seed) : size(size), bytes(2 * kHalf * size) {
    std::mt19937 random(seed);
    for (auto& byte : bytes) byte = static_cast<unsigned char>(random());
  }
  unsigned char* At(std::ptrdiff_t offset) {
    return bytes.data() + (kHalf + offset) * static_cast<std::ptrdiff_t>(size);
  }
  static constexpr std::ptrdiff_t kHalf = 20001;  // odd, so that no vector is aligned
  std::size_t size;
  std::vector<unsigned char> bytes;
};

struct Case {
  const char* name;
  Shape shape;
  Strides x, dy, y;  // further inputs lie as dy, further outputs as y
};

const Case kCases[] = {
    {"one element", {}, {}, {}, {}},
    {"contiguous", {7, 300}, {300, 1}, {300, 1}, {300, 1}},
    {"transposed", {33, 70}, {1, 33}, {70, 1}, {70, 1}},
    {"transposed output", {33, 70}, {70, 1}, {1, 33}, {1, 33}},
    {"backwards", {1000}, {-1}, {1}, {1}},
    {"all backwards", {1000}, {-1}, {-1}, {-1}},
    {"output backwards", {17, 19}, {19, 1}, {19, 1}, {-19, -1}},
    {"every third", {500}, {3}, {-3}, {2}},
    {"row for all rows", {40, 90}, {0, 1}, {90, 1}, {90, 1}},
    {"column for all columns", {40, 90}, {1, 0}, {0, 1}, {90, 1}},
    {"one for all", {40, 90}, {0, 0}, {0, 0}, {90, 1}},
    {"slice of three channels", {50, 20, 3}, {80, 4, 1}, {60, 3, 1}, {60, 3, 1}},
    {"channels last", {2, 5, 8, 9}, {360, 1, 45, 5}, {360, 72, 9, 1}, {360, 72, 9, 1}},
    {"lengths of one", {1, 64, 1, 5}, {7, 5, -9, 1}, {0, 10, 0, 2}, {99, 6, 99, 1}},
    {"long rows apart", {5, 700}, {901, 1}, {700, 1}, {1003, 1}},
    {"many dimensions",
     {2, 2, 2, 2, 2, 2, 3, 2},
     {500, 3, -40, 0, 90, 1, 7, 1200},
     {192, 96, 48, 24, 12, 6, 2, 1},
     {1, 2, 4, 8, 16, 32, 64, 192}},
};

class Strided : public testing::TestWithParam<What> {};

TEST_P(Strided, GivesTheBitsOfContiguousCopiesAndWritesNowhereElse) {
  const auto [function, dtype, alpha] = GetParam();
  const std::size_t size = gelu_dtype_size(dtype);
  for (const gelu_form form : Forms()) {
    for (const Case& c : kCases) {
      const std::size_t n = Offsets(c.shape, c.x).size();
      std::vector<Memory> inputs, outputs, expected;
      std::vector<const void*> in;
      std::vector<void*> out;
      std::vector<const std::ptrdiff_t*> in_strides, out_strides;
      Arrays copies;
      for (std::size_t k = 0; k < gelu_form_inputs(form); ++k) {
        const Strides& strides = k == 0 ? c.x : c.dy;
        in_strides.push_back(strides.data());
        inputs.emplace_back(size, static_cast<unsigned>(k + 1));
        in.push_back(inputs.back().At(0));
        copies.emplace_back(dtype, n);
        auto* element = static_cast<unsigned char*>(copies.back().data());
        for (const std::ptrdiff_t offset : Offsets(c.shape, strides)) {
          std::memcpy(element, inputs.back().At(offset), size);
          element += size;
        }
      }
      const Arrays want = Apply(function, form, ParamsOf(alpha), dtype, copies);
      for (std::size_t o = 0; o < want.size(); ++o) {
        out_strides.push_back(c.y.data());
        outputs.emplace_back(size, static_cast<unsigned>(o + 10));
        out.push_back(outputs.back().At(0));
        expected.push_back(outputs.back());
        const auto* element = static_cast<const unsigned char*>(want[o].data());
        for (const std::ptrdiff_t offset : Offsets(c.shape, c.y)) {
          std::memcpy(expected.back().At(offset), element, size);
          element += size;
        }
      }
      ASSERT_EQ(gelu_apply_strided(function, form, dtype, nullptr, c.shape.size(), c.shape.data(), in.data(),
                                   in_strides.data(), out.data(), out_strides.data()),
                GELU_OK)
          << c.name;
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        EXPECT_EQ(outputs[o].bytes, expected[o].bytes) << Describe(GetParam(), form, o) << ", " << c.name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Family, Strided, testing::ValuesIn(Everything()), TestName);

// f32 forward of gelu between two layouts in one array of floats.
gelu_status Forward(std::vector<float>& memory, const Shape& shape, std::ptrdiff_t x, const Strides& x_strides,
                    std::ptrdiff_t y, const Strides& y_strides) {
  const void* in[] = {memory.data() + x};
  void* out[] = {memory.data() + y};
  const std::ptrdiff_t* in_strides[] = {x_strides.data()};
  const std::ptrdiff_t* out_strides[] = {y_strides.data()};
  return gelu_apply_strided(gelu_fn_gelu, gelu_form_forward, gelu_dtype_f32, nullptr, shape.size(), shape.data(), in,
                            in_strides, out, out_strides);
}

TEST(StridedAliasing, InPlaceInAnyLayout) {
  std::vector<float> memory(600), want(600);
  std::iota(memory.begin(), memory.end(), -300.0F);
  for (float& x : memory) x /= 64;
  want = memory;
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t j = 0; j < 9; ++j) {
      float& x = want[500 - 25 * i + 2 * j];
      ASSERT_EQ(gelu_forward(gelu_fn_gelu, gelu_dtype_f32, 1.0, &x, &x, 1), GELU_OK);
    }
  }
  EXPECT_EQ(Forward(memory, {20, 9}, 500, {-25, 2}, 500, {-25, 2}), GELU_OK);
  EXPECT_EQ(memory, want);
}

TEST(StridedAliasing, PlacesApartAreNoOverlap) {
  std::vector<float> memory(1000);
  EXPECT_EQ(Forward(memory, {10, 40}, 0, {80, 1}, 40, {80, 1}), GELU_OK) << "halves of one row";
  EXPECT_EQ(Forward(memory, {400}, 0, {2}, 1, {2}), GELU_OK) << "even from odd";
  EXPECT_EQ(Forward(memory, {10, 40}, 119, {80, -1}, 0, {80, 1}), GELU_ERROR_OVERLAP) << "not the same layout";
}

TEST(StridedAliasing, OverlapsAreRefused) {
  std::vector<float> memory(1000);
  EXPECT_EQ(Forward(memory, {400}, 0, {1}, 1, {1}), GELU_ERROR_OVERLAP) << "shifted";
  EXPECT_EQ(Forward(memory, {400}, 0, {2}, 2, {2}), GELU_ERROR_OVERLAP) << "shifted by an element";
  EXPECT_EQ(Forward(memory, {10, 41}, 0, {80, 1}, 40, {80, 1}), GELU_ERROR_OVERLAP) << "halves and one more";
  EXPECT_EQ(Forward(memory, {10, 40}, 0, {80, 1}, 121, {80, 1}), GELU_ERROR_OVERLAP) << "a row and one on";
  EXPECT_EQ(Forward(memory, {400}, 399, {-1}, 0, {1}), GELU_ERROR_OVERLAP) << "reversed in place";
  EXPECT_EQ(Forward(memory, {20, 20}, 0, {1, 20}, 0, {20, 1}), GELU_ERROR_OVERLAP) << "transposed in place";
  EXPECT_EQ(Forward(memory, {400}, 500, {1}, 0, {0}), GELU_ERROR_OVERLAP) << "all to one place";
  EXPECT_EQ(Forward(memory, {10, 10}, 500, {10, 1}, 0, {5, 1}), GELU_ERROR_OVERLAP) << "rows that overlap";
  const void* in[] = {memory.data()};
  void* out[] = {reinterpret_cast<unsigned char*>(memory.data()) + 2};
  const std::size_t shape[] = {1};
  EXPECT_EQ(
      gelu_apply_strided(gelu_fn_gelu, gelu_form_forward, gelu_dtype_f32, nullptr, 1, shape, in, nullptr, out, nullptr),
      GELU_ERROR_OVERLAP)
      << "half an element on";
}

// Small layouts by chance: none that writes to a place twice, or to one that another element is read from, is accepted.
TEST(StridedAliasing, NoOverlapIsMissed) {
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<std::ptrdiff_t>(random() % static_cast<unsigned>(n)); };
  std::size_t accepted = 0;
  std::vector<float> memory(400);
  for (int trial = 0; trial < 200000; ++trial) {
    Shape shape(static_cast<std::size_t>(below(4)));
    Strides x(shape.size()), y(shape.size());
    const bool same = below(2) == 0;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      shape[k] = static_cast<std::size_t>(1 + below(4));
      x[k] = below(25) - 12;
      y[k] = same ? x[k] : below(25) - 12;
    }
    const std::ptrdiff_t x_at = 200, y_at = 200 + below(41) - 20;
    const std::vector<std::ptrdiff_t> from = Offsets(shape, x), to = Offsets(shape, y);
    bool overlaps = false;
    for (std::size_t i = 0; i < to.size(); ++i) {
      for (std::size_t j = 0; j < to.size(); ++j) {
        overlaps = overlaps || (i != j && (to[i] == to[j] || y_at + to[i] == x_at + from[j]));
      }
    }
    const gelu_status status = Forward(memory, shape, x_at, x, y_at, y);
    ASSERT_TRUE(status == GELU_OK || status == GELU_ERROR_OVERLAP);
    ASSERT_FALSE(overlaps && status == GELU_OK)
        << testing::PrintToString(shape) << testing::PrintToString(x) << x_at << testing::PrintToString(y) << y_at;
    accepted += status == GELU_OK;
  }
  EXPECT_GT(accepted, 20000U);
}

TEST(StridedArguments, EmptyMayBeNull) {
  const std::size_t shape[] = {5, 0, 3};
  EXPECT_EQ(gelu_apply_strided(gelu_fn_gelu, gelu_form_backward, gelu_dtype_f16, nullptr, 3, shape, nullptr, nullptr,
                               nullptr, nullptr),
            GELU_OK);
}

TEST(StridedArguments, NullStridesAreCOrder) {
  std::vector<float> x(60), y(60), want(60);
  std::iota(x.begin(), x.end(), -30.0F);
  const std::size_t shape[] = {3, 4, 5};
  const void* in[] = {x.data()};
  void* out[] = {y.data()};
  const std::ptrdiff_t transposed[] = {1, 3, 12};
  const std::ptrdiff_t* out_strides[] = {transposed};
  ASSERT_EQ(gelu_apply_strided(gelu_fn_gelu, gelu_form_forward, gelu_dtype_f32, nullptr, 3, shape, in, nullptr, out,
                               out_strides),
            GELU_OK);
  ASSERT_EQ(gelu_forward(gelu_fn_gelu, gelu_dtype_f32, 1.0, x.data(), want.data(), 60), GELU_OK);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(y[i / 20 + 3 * (i / 5 % 4) + 12 * (i % 5)], want[i]);
}

TEST(StridedDoor2, GivesTheSameAndThrows) {
  std::vector<float> x(12), dy(12, 2.0F), y(12), want(12);
  std::iota(x.begin(), x.end(), -6.0F);
  const std::size_t shape[] = {3, 4};
  const std::ptrdiff_t transposed[] = {1, 3};
  strided(Form::backward, Function::silu, shape, {x.data()}, {dy.data()}, gelu::Strided<float>{y.data(), transposed});
  backward(Function::silu, x, dy, want);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(y[i / 4 + 3 * (i % 4)], want[i]);
  strided(Form::derivative, Function::silu, shape, {x.data()}, gelu::Strided<float>{y.data()});
  derivative(Function::silu, x, want);
  EXPECT_EQ(y, want);
  const std::ptrdiff_t three[] = {1, 3, 6};
  const auto call = [&](Form form, std::span<const std::ptrdiff_t> strides) {
    strided(form, Function::gelu, shape, {x.data(), strides}, gelu::Strided<float>{y.data()});
  };
  EXPECT_THROW(call(Form::forward, three), std::invalid_argument);
  EXPECT_THROW(call(Form::backward, {}), std::invalid_argument) << "no dy";
}

TEST(StridedArguments, BadOnesAreRefused) {
  std::vector<float> x(4), y(4);
  const void* in[] = {x.data()};
  void* out[] = {y.data()};
  const auto call = [&](gelu_function function, std::size_t rank, const std::size_t* shape, const void* const* from,
                        const std::ptrdiff_t* strides) {
    const std::ptrdiff_t* in_strides[] = {strides};
    return gelu_apply_strided(function, gelu_form_forward, gelu_dtype_f32, nullptr, rank, shape, from, in_strides, out,
                              nullptr);
  };
  const Shape ones(GELU_MAX_RANK + 1, 1), two = {2}, many(GELU_MAX_RANK, std::size_t{1} << 32);
  const void* null[] = {nullptr};
  const std::ptrdiff_t far[] = {PTRDIFF_MAX}, farther[] = {PTRDIFF_MIN};
  EXPECT_EQ(call(static_cast<gelu_function>(99), 1, two.data(), in, nullptr), GELU_ERROR_FUNCTION);
  EXPECT_EQ(call(gelu_fn_gelu, GELU_MAX_RANK + 1, ones.data(), in, nullptr), GELU_ERROR_SHAPE);
  EXPECT_EQ(call(gelu_fn_gelu, GELU_MAX_RANK, ones.data(), in, nullptr), GELU_OK);
  EXPECT_EQ(call(gelu_fn_gelu, 1, nullptr, in, nullptr), GELU_ERROR_SHAPE);
  EXPECT_EQ(call(gelu_fn_gelu, 1, two.data(), nullptr, nullptr), GELU_ERROR_NULL);
  EXPECT_EQ(call(gelu_fn_gelu, 1, two.data(), null, nullptr), GELU_ERROR_NULL);
  EXPECT_EQ(call(gelu_fn_gelu, 1, two.data(), in, far), GELU_ERROR_SIZE);
  EXPECT_EQ(call(gelu_fn_gelu, 1, two.data(), in, farther), GELU_ERROR_SIZE);
  EXPECT_EQ(call(gelu_fn_gelu, GELU_MAX_RANK, many.data(), in, nullptr), GELU_ERROR_SIZE);
}

}  // namespace
}  // namespace gelu::proof
