// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluator.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/tests/tool.h"

namespace gelu::cli {
namespace {

// Every 16-bit value, little-endian on the machines that this runs on.
std::string EveryValue() {
  std::string bytes;
  for (unsigned value = 0; value < 0x10000; ++value) {
    bytes += static_cast<char>(value);
    bytes += static_cast<char>(value >> 8);
  }
  return bytes;
}

TEST(EvaluatorTest, TheSameBitsAsTheLibraryForEveryValue) {
  const std::string x = EveryValue(), dy = Reversed(x, 2);
  const size_t n = x.size() / 2;
  for (size_t function = 0; function < gelu_function_count(); ++function) {
    for (const double alpha : {1.0, 1.702, -0.3}) {
      for (const double clip : {HUGE_VAL, 10.0}) {
        for (int form = 0; form < gelu_form_count_; ++form) {
          if (gelu_form_outputs(static_cast<gelu_form>(form)) != 1 ||
              gelu_form_inputs(static_cast<gelu_form>(form)) > 2)
            continue;
          const gelu_activation activation = {static_cast<gelu_function>(function), {alpha, clip}};
          std::array<uint64_t, gelu_dtype_count_> many;
          many.fill(1'000'000);
          const Evaluator looked_up(activation, static_cast<gelu_form>(form), many);
          const Evaluator direct(activation, static_cast<gelu_form>(form), {});
          for (const gelu_dtype dtype : {gelu_dtype_f16, gelu_dtype_bf16}) {
            std::string got = x, want = x;
            EXPECT_EQ(looked_up.Apply(dtype, got.data(), dy.data(), got.data(), n), GELU_OK);
            EXPECT_EQ(direct.Apply(dtype, want.data(), dy.data(), want.data(), n), GELU_OK);
            EXPECT_TRUE(SameBytes(got, want)) << function << " " << alpha << " " << clip << " " << form << " " << dtype;
          }
        }
      }
    }
  }
}

using EvaluatorToolTest = ToolTest;

TEST_F(EvaluatorToolTest, LongFilesOf16BitElementsInBothByteOrders) {
  const std::string x = EveryValue() + EveryValue() + EveryValue();
  const std::string shape = fmt::format("({},)", x.size() / 2);
  for (int id = 0; id < gelu_form_count_; ++id) {
    const auto form = static_cast<gelu_form>(id);
    if (gelu_form_inputs(form) != 1 || gelu_form_outputs(form) != 1) continue;
    const std::string y = Evaluate(gelu_fn_silu, form, gelu_dtype_f16, 1.5, x);
    const auto apply = [&](const std::string& in) {
      const Outcome outcome = RunTool(
          {"apply", "silu", Write("x.npy", in), "-o", Path("y.npy"), "--alpha", "1.5", "--form", gelu_form_name(form)});
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      return ReadFile(Path("y.npy"));
    };
    EXPECT_TRUE(SameBytes(apply(Npy("<f2", shape, x)), Npy("<f2", shape, y)));
    EXPECT_TRUE(SameBytes(apply(Npy(">f2", shape, Reversed(x, 2))), Npy(">f2", shape, Reversed(y, 2))));
  }
}

}  // namespace
}  // namespace gelu::cli
