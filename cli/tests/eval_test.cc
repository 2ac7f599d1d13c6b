// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "cli/form_inputs.h"
#include "cli/number.h"
#include "cli/tests/tool.h"

namespace gelu::cli {
namespace {

using EvalTest = ToolTest;

std::string Name(int function) { return gelu_function_name(static_cast<gelu_function>(function)); }

// The lines of the tool for inputs of which all but the first are -0.75.
std::string Lines(gelu_function function, gelu_form form, gelu_dtype dtype, const std::vector<std::string>& inputs,
                  bool hex) {
  const size_t size = gelu_dtype_size(dtype), n = inputs.size();
  std::vector<std::string> arrays(gelu_form_inputs(form) + gelu_form_outputs(form), std::string(n * size, '\0'));
  std::vector<const void*> in;
  std::vector<void*> out;
  for (size_t k = 0; k < arrays.size(); ++k) {
    if (k >= gelu_form_inputs(form)) {
      out.push_back(arrays[k].data());
      continue;
    }
    in.push_back(arrays[k].data());
    for (size_t i = 0; i < n; ++i) {
      StoreElement(ParseNumber(k == 0 ? inputs[i] : "-0.75", dtype), dtype, arrays[k].data(), i);
    }
  }
  const gelu_params params = {1.5, HUGE_VAL};
  EXPECT_EQ(gelu_apply(function, form, dtype, &params, in.data(), out.data(), n), GELU_OK);
  std::string lines;
  for (size_t i = 0; i < n; ++i) {
    const auto append = [&](const void* array) {
      const uint64_t bits = LoadElement(array, i, dtype);
      hex ? AppendHex(bits, dtype, lines) : AppendNumber(bits, dtype, lines);
    };
    append(in[0]);
    for (const void* array : out) append((lines += '\t', array));
    lines += '\n';
  }
  return lines;
}

TEST_F(EvalTest, EveryCombinationPrintsWhatTheLibraryComputes) {
  const std::vector<std::string> inputs = {"-1.5", "-0", "0.7", "-inf", "3"};
  for (int f = 0; f < gelu_fn_count_; ++f) {
    for (int form = 0; form < gelu_form_count_; ++form) {
      for (int d = 0; d < gelu_dtype_count_; ++d) {
        const auto function = static_cast<gelu_function>(f);
        const auto id = static_cast<gelu_form>(form);
        const auto dtype = static_cast<gelu_dtype>(d);
        std::vector<std::string> arguments = {
            "eval", Name(f), "--alpha", "1.5", "--form", gelu_form_name(id), "--dtype", gelu_dtype_name(dtype)};
        const std::vector<std::string> names = InputsOf(id);
        EXPECT_EQ(names.size(), gelu_form_inputs(id));
        EXPECT_EQ(OutputsOf(id).size(), gelu_form_outputs(id));
        for (size_t k = 1; k < names.size(); ++k) arguments.insert(arguments.end(), {"--" + names[k], "-0.75"});
        arguments.insert(arguments.end(), inputs.begin(), inputs.end());
        const Outcome text = RunTool(arguments);
        EXPECT_EQ(text.out, Lines(function, id, dtype, inputs, false)) << text.err;
        EXPECT_EQ(text.exit_code, 0);
        arguments.emplace_back("--hex");
        EXPECT_EQ(RunTool(arguments).out, Lines(function, id, dtype, inputs, true));
      }
    }
  }
}

TEST_F(EvalTest, LimitsOfGatedUnits) {
  EXPECT_EQ(RunTool({"eval", "relu", "9", "2", "--form", "gated", "--b", "-8", "--gate-max", "7", "--linear-max", "5",
                     "--linear-offset", "-1"})
                .out,
            "9\t-42\n2\t-12\n");
  EXPECT_EQ(RunTool({"eval", "relu", "9", "--form", "gated", "--b", "3", "--gate-max", "inf"}).out, "9\t27\n");
  ExpectFailure(RunTool({"eval", "relu", "9", "--gate-max", "7"}), {"--gate-max 7", "form forward has no", "gated"});
  ExpectFailure(RunTool({"eval", "relu", "9", "--form", "gated", "--b", "1", "--linear-max", "0"}), {"--linear-max 0"});
  ExpectFailure(RunTool({"eval", "relu", "9", "--form", "gated", "--b", "1", "--gate-max", "-1"}),
                {"--gate-max -1: not positive; give a positive limit, or inf for none"});
}

TEST_F(EvalTest, PublishedValues) {
  EXPECT_EQ(RunTool({"eval", "gelu", "1"}).out, "1\t0.8413447460685429\n");
  EXPECT_EQ(RunTool({"eval", "gelu", "-.0", "-NAN", "inf", "-infinity"}).out, "-0\t-0\nnan\tnan\ninf\tinf\n-inf\t-0\n");
  EXPECT_EQ(RunTool({"eval", "relu", "0x1.8p+1", "bits:4000000000000000"}).out, "3\t3\n2\t2\n");
}

TEST_F(EvalTest, NamesOfFrameworksBringTheirAlpha) {
  const Outcome quick = RunTool({"eval", "quick_gelu", "1"});
  EXPECT_EQ(quick.out, RunTool({"eval", "silu", "1", "--alpha", "1.702"}).out);
  EXPECT_NE(quick.out, RunTool({"eval", "silu", "1"}).out);
  EXPECT_EQ(RunTool({"eval", "quick_gelu", "1", "--alpha", "1"}).out, RunTool({"eval", "silu", "1"}).out);
  EXPECT_EQ(RunTool({"eval", "gelu_new", "--framework", "huggingface", "1"}).out,
            RunTool({"eval", "gelu_tanh", "1"}).out);
}

TEST_F(EvalTest, StandardInput) {
  const Outcome outcome = RunTool({"eval", "relu", "-", "--dtype", "f32"}, {.input = "1\n -2.5\t\r\nbits:40400000"});
  EXPECT_EQ(outcome.out, "1\t1\n-2.5\t-0\n3\t3\n");
  EXPECT_EQ(RunTool({"eval", "relu", "-"}, {.input = ""}).out, "");
  const Outcome wrong = RunTool({"eval", "relu", "-"}, {.input = "1\n2\nx\n4\n"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.out, "1\t1\n2\t2\n") << "what came before the error is answered";
  EXPECT_NE(wrong.err.find("line 3: \"x\": not a number"), std::string::npos) << wrong.err;
  ExpectFailure(RunTool({"eval", "relu", "-"}, {.input = std::string(1 << 18, '1')}), {"line 1", "longer than"});
}

TEST_F(EvalTest, AnswersEachLineAsItArrives) {
  int to[2], from[2];
  ASSERT_EQ(pipe(to), 0);
  ASSERT_EQ(pipe(from), 0);
  const auto in_child = [&] {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    for (int end : {to[0], to[1], from[0], from[1]}) close(end);
  };
  const auto meanwhile = [&](pid_t) {
    close(to[0]);
    close(from[1]);
    for (const char* line : {"1\n", "2\n"}) {
      ASSERT_EQ(write(to[1], line, 2), 2);
      char answer[4];
      ASSERT_EQ(read(from[0], answer, 4), 4);  // would wait for ever if the tool did
      EXPECT_EQ(std::memcmp(answer, line, 1), 0);
    }
    close(to[1]);
  };
  EXPECT_EQ(RunTool({"eval", "relu", "-"}, {.in_child = in_child, .meanwhile = meanwhile}).exit_code, 0);
  close(from[0]);
}

TEST_F(EvalTest, AMillionLinesInTwoSeconds) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take their time";
  std::string lines;
  constexpr int kLines = 1'000'000;
  for (int i = 0; i < kLines; ++i) lines += fmt::format("{:.6f}\n", 1e-5 * i - 5);
  for (const char* dtype : {"f32", "bf16"}) {
    const Outcome outcome = RunTool({"eval", "gelu", "-", "--dtype", dtype}, {.input = lines});
    ASSERT_EQ(std::ranges::count(outcome.out, '\n'), kLines);
    EXPECT_LT(outcome.cpu_seconds, 2) << dtype;
  }
}

TEST_F(EvalTest, Errors) {
  ExpectFailure(RunTool({"eval", "gelu", "1", "abc"}), {"\"abc\": not a number; write"});
  ExpectFailure(RunTool({"eval", "gelu", "bits:12345", "--dtype", "f16"}),
                {"bits:12345", "16 bits of f16", "at most 4"});
  ExpectFailure(RunTool({"eval", "nothing", "1"}), {"nothing", "no activation"});
  ExpectFailure(RunTool({"eval", "gelu", "1", "--framework", "nowhere"}), {"nowhere"});
  ExpectFailure(RunTool({"eval", "gelu", "1", "--dtype", "f8"}),
                {"f8: no such dtype; choose one of f64, f32, f16, bf16"});
  ExpectFailure(RunTool({"eval", "gelu", "1", "--form", "third"}), {"third: no such form; choose one of forward"});
  ExpectFailure(RunTool({"eval", "gelu", "1", "--alpha", "nan"}), {"alpha"});
  ExpectFailure(RunTool({"eval", "gelu", "1", "--alpha", "x"}), {"\"x\": not a number"});
  ExpectFailure(RunTool({"eval", "gelu", "1", "--form", "backward"}), {"backward", "--dy"});
  ExpectFailure(RunTool({"eval", "gelu", "1", "--dy", "1"}), {"--dy 1", "forward", "backward"});
  ExpectFailure(RunTool({"eval", "gelu", "1", "--form", "bias"}), {"--form bias: reads x, b; add --b 1"});
  ExpectFailure(RunTool({"eval", "gelu", "1", "--form", "bias", "--b", "1", "--dy", "-2"}),
                {"--dy -2: form bias reads x, b only", "bias_backward"});
  ExpectFailure(RunTool({"eval", "gelu", "1", "--form", "double_backward"}), {"x, dy, ddx; add --dy 1 --ddx 1"});
  ExpectFailure(RunTool({"eval", "gelu", "1", "--form", "gated", "--b", "z"}), {"\"z\": not a number"});
  const auto bad_target = [] { setenv("GELU_TARGET", "Z80", 1); };
  ExpectFailure(RunTool({"eval", "gelu", "1"}, {.in_child = bad_target}), {"target"});
}

}  // namespace
}  // namespace gelu::cli
