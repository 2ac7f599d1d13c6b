// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "cli/number.h"
#include "cli/tests/tool.h"

namespace gelu::cli {
namespace {

using EvalTest = ToolTest;

std::string Name(int function) { return gelu_function_name(static_cast<gelu_function>(function)); }

TEST_F(EvalTest, EveryCombinationPrintsWhatTheLibraryComputes) {
  const std::vector<std::string> inputs = {"-1.5", "-0", "0.7", "-inf", "3"};
  for (int f = 0; f < gelu_fn_count_; ++f) {
    for (int form = 0; form < gelu_form_count_; ++form) {
      for (int d = 0; d < gelu_dtype_count_; ++d) {
        const auto dtype = static_cast<gelu_dtype>(d);
        const size_t size = gelu_dtype_size(dtype);
        std::string x(inputs.size() * size, '\0'), dy = x, want_text, want_hex;
        for (size_t i = 0; i < inputs.size(); ++i) {
          StoreElement(ParseNumber(inputs[i], dtype), dtype, x.data(), i);
          StoreElement(ParseNumber("-0.75", dtype), dtype, dy.data(), i);
        }
        const std::string y = Evaluate(static_cast<gelu_function>(f), static_cast<gelu_form>(form), dtype, 1.5, x, dy);
        for (size_t i = 0; i < inputs.size(); ++i) {
          const uint64_t from = LoadElement(x.data(), i, dtype), to = LoadElement(y.data(), i, dtype);
          AppendNumber(from, dtype, want_text);
          AppendNumber(to, dtype, want_text += '\t');
          want_text += '\n';
          want_hex += fmt::format("0x{:0{}x}\t0x{:0{}x}\n", from, 2 * size, to, 2 * size);
        }
        std::vector<std::string> arguments = {"eval",    Name(f),
                                              "--alpha", "1.5",
                                              "--form",  gelu_form_name(static_cast<gelu_form>(form)),
                                              "--dtype", gelu_dtype_name(dtype)};
        if (gelu_form_inputs(static_cast<gelu_form>(form)) > 1) arguments.insert(arguments.end(), {"--dy", "-0.75"});
        arguments.insert(arguments.end(), inputs.begin(), inputs.end());
        const Outcome text = RunTool(arguments);
        EXPECT_EQ(text.out, want_text) << text.err;
        EXPECT_EQ(text.exit_code, 0);
        arguments.emplace_back("--hex");
        EXPECT_EQ(RunTool(arguments).out, want_hex);
      }
    }
  }
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
  const auto bad_target = [] { setenv("GELU_TARGET", "Z80", 1); };
  ExpectFailure(RunTool({"eval", "gelu", "1"}, {.in_child = bad_target}), {"target"});
}

}  // namespace
}  // namespace gelu::cli
