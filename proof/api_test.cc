// SPDX-License-Identifier: Apache-2.0
// Door 1: every status is given for what it says, in every form and type, and nothing is written then.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>

#include "proof/walk.h"

extern "C" const char* gelu_check_from_c(void);

namespace gelu::proof {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Api, IsUsableFromC) { EXPECT_STREQ(gelu_check_from_c(), nullptr); }

// Arrays of 8 elements of any type, as many as any form reads and writes.
struct Some {
  alignas(8) unsigned char x[kMostInputs][64] = {}, y[kMostOutputs][64] = {};
  const void* in[kMostInputs] = {x[0], x[1], x[2]};
  void* out[kMostOutputs] = {y[0], y[1], y[2], y[3]};
  gelu_status Apply(int function, int form, int dtype, const gelu_params* params = nullptr, std::size_t n = 8) {
    std::memset(y, 0x5a, sizeof(y));
    // How many outputs something was written to.
    const auto touched = [&] {
      return static_cast<std::size_t>(std::count_if(std::begin(y), std::end(y), [](const auto& output) {
        return std::any_of(std::begin(output), std::end(output), [](unsigned char byte) { return byte != 0x5a; });
      }));
    };
    const auto call = [&](auto apply_or_check) {
      return apply_or_check(static_cast<gelu_function>(function), static_cast<gelu_form>(form),
                            static_cast<gelu_dtype>(dtype), params, in, out, n);
    };
    const gelu_status foretold = call(gelu_check);
    EXPECT_EQ(touched(), 0U);
    const gelu_status status = call(gelu_apply);
    EXPECT_EQ(touched(), status != GELU_OK || n == 0 ? 0 : gelu_form_outputs(static_cast<gelu_form>(form)));
    EXPECT_EQ(status, foretold);
    return status;
  }
};

TEST(Api, RefusesWhatIsNotListed) {
  Some arrays;
  for (const int id : {-1, 1000, INT_MIN, INT_MAX}) {
    EXPECT_EQ(arrays.Apply(id, 0, 0), GELU_ERROR_FUNCTION);
    EXPECT_EQ(arrays.Apply(0, id, 0), GELU_ERROR_FORM);
    EXPECT_EQ(arrays.Apply(0, 0, id), GELU_ERROR_DTYPE);
    EXPECT_EQ(gelu_function_name(static_cast<gelu_function>(id)), nullptr);
    EXPECT_EQ(gelu_function_formula(static_cast<gelu_function>(id)), nullptr);
    EXPECT_EQ(gelu_form_name(static_cast<gelu_form>(id)), nullptr);
    EXPECT_EQ(gelu_dtype_name(static_cast<gelu_dtype>(id)), nullptr);
    EXPECT_EQ(gelu_dtype_size(static_cast<gelu_dtype>(id)), 0U);
    EXPECT_EQ(gelu_form_inputs(static_cast<gelu_form>(id)), 0U);
    EXPECT_EQ(gelu_form_outputs(static_cast<gelu_form>(id)), 0U);
  }
  EXPECT_EQ(arrays.Apply(gelu_fn_count_, 0, 0), GELU_ERROR_FUNCTION);
  EXPECT_EQ(arrays.Apply(0, gelu_form_count_, 0), GELU_ERROR_FORM);
  EXPECT_EQ(arrays.Apply(0, 0, gelu_dtype_count_), GELU_ERROR_DTYPE);
}

TEST(Api, HasEveryCombination) {
  Some arrays;
  for (const gelu_function function : Functions()) {
    for (const gelu_form form : Forms()) {
      for (const gelu_dtype dtype : Dtypes())
        EXPECT_EQ(arrays.Apply(function, form, dtype, nullptr, 64 / gelu_dtype_size(dtype)), GELU_OK);
    }
  }
}

TEST(Api, RefusesImpossibleParameters) {
  Some arrays;
  for (const gelu_function function : Functions()) {
    for (const double alpha : {kNan, kInfinity, -kInfinity}) {
      const gelu_params params = ParamsOf(alpha);
      EXPECT_EQ(arrays.Apply(function, 0, 0, &params), GELU_ERROR_ALPHA);
      EXPECT_EQ(gelu_forward(function, gelu_dtype_f64, alpha, arrays.in[0], arrays.out[0], 8), GELU_ERROR_ALPHA);
    }
    for (const double clip : {kNan, 0.0, -0.0, -1.0, -kInfinity}) {
      const gelu_params params = ParamsOf(1.0, clip);
      EXPECT_EQ(arrays.Apply(function, 0, 0, &params), GELU_ERROR_CLIP);
    }
    for (const gelu_params& params : {ParamsOf(0.0), ParamsOf(-1e308, 1e308), ParamsOf(1.0, 0x1p-1074)}) {
      EXPECT_EQ(arrays.Apply(function, 0, 0, &params), GELU_OK);
    }
  }
}

TEST(Api, RefusesNullPointers) {
  for (const gelu_form form : Forms()) {
    for (std::size_t i = 0; i < gelu_form_inputs(form); ++i) {
      Some arrays;
      arrays.in[i] = nullptr;
      EXPECT_EQ(arrays.Apply(0, form, 0), GELU_ERROR_NULL);
    }
    Some arrays;
    const gelu_dtype f64 = gelu_dtype_f64;
    for (std::size_t o = 0; o < gelu_form_outputs(form); ++o) {
      void* out[kMostOutputs];
      std::copy(std::begin(arrays.out), std::end(arrays.out), out);
      out[o] = nullptr;
      EXPECT_EQ(gelu_apply(gelu_function{}, form, f64, nullptr, arrays.in, out, 1), GELU_ERROR_NULL);
    }
    EXPECT_EQ(gelu_apply(gelu_function{}, form, f64, nullptr, nullptr, arrays.out, 1), GELU_ERROR_NULL);
    EXPECT_EQ(gelu_apply(gelu_function{}, form, f64, nullptr, arrays.in, nullptr, 1), GELU_ERROR_NULL);
  }
}

TEST(Api, DoesNothingForNothing) {
  Some arrays;
  for (const gelu_form form : Forms()) {
    EXPECT_EQ(arrays.Apply(0, form, 0, nullptr, 0), GELU_OK);
    EXPECT_EQ(gelu_apply(gelu_function{}, form, gelu_dtype_f32, nullptr, nullptr, nullptr, 0), GELU_OK);
    const void* in[kMostInputs] = {};
    void* out[kMostOutputs] = {};
    EXPECT_EQ(gelu_apply(gelu_function{}, form, gelu_dtype_f32, nullptr, in, out, 0), GELU_OK);
  }
  EXPECT_EQ(gelu_forward(gelu_function{}, gelu_dtype_f32, kNan, nullptr, nullptr, 0), GELU_ERROR_ALPHA);
}

TEST(Api, RefusesMoreThanTheAddressSpaceHolds) {
  Some arrays;
  for (const gelu_dtype dtype : Dtypes()) {
    for (const std::size_t n : {SIZE_MAX, SIZE_MAX / gelu_dtype_size(dtype) + 1}) {
      EXPECT_EQ(arrays.Apply(0, 0, dtype, nullptr, n), GELU_ERROR_SIZE);
    }
  }
}

TEST(Api, RefusesPartialOverlapInEveryDirection) {
  constexpr std::ptrdiff_t kLength = 16;
  for (const gelu_dtype dtype : Dtypes()) {
    const auto size = static_cast<std::ptrdiff_t>(gelu_dtype_size(dtype)), bytes = kLength * size;
    for (const gelu_form form : Forms()) {
      for (std::size_t i = 0; i < gelu_form_inputs(form); ++i) {
        for (const std::ptrdiff_t shift :
             {-bytes + size, -size, size, bytes - size, -bytes, bytes, std::ptrdiff_t{0}}) {
          // Each output in turn meets the input; all other arrays are apart.
          for (std::size_t o = 0; o < gelu_form_outputs(form); ++o) {
            std::vector<std::uint64_t> memory(2048, 0x1234);
            const std::vector<std::uint64_t> before = memory;
            unsigned char* place = reinterpret_cast<unsigned char*>(memory.data()) + 1024;
            const void* in[kMostInputs];
            void* out[kMostOutputs];
            for (void*& output : out) output = place += 1024;
            for (const void*& input : in) input = place += 1024;
            in[i] = static_cast<unsigned char*>(out[o]) + shift;
            const bool partial = shift != 0 && std::abs(shift) < bytes;
            EXPECT_EQ(gelu_apply(gelu_function{}, form, dtype, nullptr, in, out, kLength),
                      partial ? GELU_ERROR_OVERLAP : GELU_OK)
                << gelu_form_name(form) << " input " << i << " output " << o << " shift " << shift;
            if (partial) {
              EXPECT_EQ(memory, before);
            }
          }
        }
      }
    }
  }
}

TEST(Api, RefusesOutputsThatOverlap) {
  for (const gelu_form form : Forms()) {
    for (std::size_t o = 1; o < gelu_form_outputs(form); ++o) {
      Some arrays;
      for (unsigned char* const place : {arrays.y[0], arrays.y[0] + 8}) {
        arrays.out[o] = place;
        EXPECT_EQ(arrays.Apply(0, form, gelu_dtype_f64), GELU_ERROR_OVERLAP) << gelu_form_name(form) << o;
      }
    }
  }
}

TEST(Api, ShortFormsGiveTheBitsOfTheGeneralCall) {
  const std::vector<double> x = {-2.0, -0.0, 0.75, 3.0}, dy = {1.5, -2.0, 0.25, 3.0};
  const auto general = [&](gelu_form form) {
    std::vector<double> y(4);
    const gelu_params params = ParamsOf(1.25);
    const void* in[] = {x.data(), dy.data()};
    void* out[] = {y.data()};
    EXPECT_EQ(gelu_apply(gelu_function{}, form, gelu_dtype_f64, &params, in, out, 4), GELU_OK);
    return y;
  };
  std::vector<double> y(4);
  const gelu_function first{};
  EXPECT_EQ(gelu_forward(first, gelu_dtype_f64, 1.25, x.data(), y.data(), 4), GELU_OK);
  EXPECT_EQ(y, general(gelu_form_forward));
  EXPECT_EQ(gelu_derivative(first, gelu_dtype_f64, 1.25, x.data(), y.data(), 4), GELU_OK);
  EXPECT_EQ(y, general(gelu_form_derivative));
  EXPECT_EQ(gelu_second_derivative(first, gelu_dtype_f64, 1.25, x.data(), y.data(), 4), GELU_OK);
  EXPECT_EQ(y, general(gelu_form_second_derivative));
  EXPECT_EQ(gelu_backward(first, gelu_dtype_f64, 1.25, x.data(), dy.data(), y.data(), 4), GELU_OK);
  EXPECT_EQ(y, general(gelu_form_backward));
}

TEST(Api, DescribesItself) {
  std::set<std::string> names;
  for (const gelu_function function : Functions()) {
    EXPECT_TRUE(names.insert(gelu_function_name(function)).second);
    EXPECT_STRNE(gelu_function_formula(function), "");
  }
  EXPECT_EQ(names.size(), std::size(kFamily));
  for (const gelu_form form : Forms()) EXPECT_TRUE(names.insert(gelu_form_name(form)).second);
  for (const gelu_dtype dtype : Dtypes()) EXPECT_TRUE(names.insert(gelu_dtype_name(dtype)).second);
  int major = -1, minor = -1, patch = -1;
  char dot = 0;
  EXPECT_TRUE(std::istringstream(gelu_version()) >> major >> dot >> minor >> dot >> patch) << gelu_version();
}

TEST(Api, ExplainsEveryStatus) {
  std::set<std::string> messages;
  for (int status = GELU_OK; status <= GELU_ERROR_AMBIGUOUS; ++status) {
    EXPECT_TRUE(messages.insert(gelu_status_message(static_cast<gelu_status>(status))).second) << status;
  }
  for (const int status : {-1, GELU_ERROR_AMBIGUOUS + 1, 1 << 20}) {
    EXPECT_STRNE(gelu_status_message(static_cast<gelu_status>(status)), "");
  }
}

TEST(Targets, AreForcedAndRestored) {
  ASSERT_GE(gelu_target_count(), 1U);
  EXPECT_STREQ(gelu_target_name(gelu_target_count() - 1), "ONE_LANE");
  EXPECT_EQ(gelu_target_available(gelu_target_count() - 1), 1);
  EXPECT_EQ(gelu_target_name(gelu_target_count()), nullptr);
  EXPECT_EQ(gelu_target_available(gelu_target_count()), 0);
  for (std::size_t i = 0; i < gelu_target_count(); ++i) {
    const char* const name = gelu_target_name(i);
    EXPECT_EQ(gelu_set_target(name), gelu_target_available(i) ? GELU_OK : GELU_ERROR_TARGET) << name;
    if (gelu_target_available(i)) {
      EXPECT_STREQ(gelu_target(), name);
    }
  }
  const std::string last = gelu_target();
  for (const char* unknown : {"", "avx2 ", "NO_SUCH_TARGET"}) {
    EXPECT_EQ(gelu_set_target(unknown), GELU_ERROR_TARGET) << unknown;
    EXPECT_EQ(gelu_target(), last) << "a refused target changes nothing";
  }
  EXPECT_EQ(gelu_set_target(nullptr), GELU_OK);
  EXPECT_STREQ(gelu_target(), Targets().front());
}

// What a fresh process chooses with GELU_TARGET set: exits with 0 if that is the expected target, and evaluation works.
void ExpectChosen(const char* variable, const char* expected) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  setenv("GELU_TARGET", variable, 1);
  const auto is_right = [&] {
    const double x = 1.0;
    double y = 0.0;
    const gelu_status status = gelu_forward(gelu_function{}, gelu_dtype_f64, 1.0, &x, &y, 1);
    if (expected == nullptr) return gelu_target() == nullptr && status == GELU_ERROR_TARGET && y == 0.0;
    return gelu_target() != nullptr && std::strcmp(gelu_target(), expected) == 0 && status == GELU_OK && y > 0.5;
  };
  EXPECT_EXIT(std::exit(is_right() ? 0 : 1), testing::ExitedWithCode(0), "") << variable;
  unsetenv("GELU_TARGET");
}

TEST(Targets, AreChosenByTheEnvironment) {
  for (std::size_t i = 0; i < gelu_target_count(); ++i) {
    const char* const name = gelu_target_name(i);
    ExpectChosen(name, gelu_target_available(i) ? name : nullptr);
  }
  ExpectChosen("NO_SUCH_TARGET", nullptr);
}

}  // namespace
}  // namespace gelu::proof
