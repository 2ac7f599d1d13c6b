// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/tests/tool.h"

namespace gelu::cli {
namespace {

class ApplyTest : public ToolTest {
 protected:
  static constexpr size_t kMany = 300'001;  // several chunks, the last one short
  const std::string x_ = Samples(gelu_dtype_f32, kMany);
  const std::string in_ = Write("x.npy", Npy("<f4", "(300001,)", x_));
};

std::string Y(const std::string& x) {
  return Npy("<f4", "(300001,)", Evaluate(gelu_fn_gelu, gelu_form_forward, gelu_dtype_f32, 1, x));
}

TEST_F(ApplyTest, LongFilesInChunks) {
  const Outcome outcome = RunTool({"apply", "gelu", in_, "-o", Path("y.npy")});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_TRUE(SameBytes(ReadFile(Path("y.npy")), Y(x_)));
}

TEST_F(ApplyTest, InPlaceAndOverAnOldFileOfTheSameMode) {
  chmod(in_.c_str(), 0640);
  EXPECT_EQ(RunTool({"apply", "gelu", in_, "-o", in_}).exit_code, 0);
  EXPECT_TRUE(SameBytes(ReadFile(in_), Y(x_)));
  struct stat status;
  ASSERT_EQ(stat(in_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
}

TEST_F(ApplyTest, NewFilesHaveTheModeOfTheUmask) {
  EXPECT_EQ(RunTool({"apply", "gelu", in_, "-o", Path("y.npy")}, {.in_child = [] { umask(027); }}).exit_code, 0);
  struct stat status;
  ASSERT_EQ(stat(Path("y.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
}

TEST_F(ApplyTest, ALinkStaysALink) {
  const std::string old = Write("old.npy", "old");
  ASSERT_EQ(symlink("old.npy", Path("link.npy").c_str()), 0);
  EXPECT_EQ(RunTool({"apply", "gelu", in_, "-o", Path("link.npy")}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(Path("link.npy")));
  EXPECT_TRUE(SameBytes(ReadFile(old), Y(x_)));
}

TEST_F(ApplyTest, InTheWorkingFolder) {
  const auto go = [&] {
    if (chdir(folder_.c_str()) != 0) _exit(126);
  };
  EXPECT_EQ(RunTool({"apply", "gelu", "x.npy", "-o", "y.npy"}, {.in_child = go}).exit_code, 0);
  EXPECT_TRUE(SameBytes(ReadFile(Path("y.npy")), Y(x_)));
}

TEST_F(ApplyTest, EveryNameAndFormAndAlpha) {
  const auto apply = [&](const std::vector<std::string>& words) {
    std::vector<std::string> arguments = {"apply", in_, "-o", Path("y.npy")};
    arguments.insert(arguments.begin() + 1, words.begin(), words.end());
    const Outcome outcome = RunTool(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return ReadFile(Path("y.npy"));
  };
  const auto want = [&](gelu_function function, gelu_form form, double alpha) {
    return Npy("<f4", "(300001,)", Evaluate(function, form, gelu_dtype_f32, alpha, x_));
  };
  EXPECT_TRUE(
      SameBytes(apply({"gelu_new", "--framework", "huggingface"}), want(gelu_fn_gelu_tanh, gelu_form_forward, 1)));
  EXPECT_TRUE(SameBytes(apply({"quick_gelu"}), want(gelu_fn_silu, gelu_form_forward, 1.702)));
  EXPECT_TRUE(SameBytes(apply({"silu", "--alpha", "-0.5", "--form", "derivative"}),
                        want(gelu_fn_silu, gelu_form_derivative, -0.5)));
}

TEST_F(ApplyTest, Backward) {
  const std::string dy = Samples(gelu_dtype_f32, kMany + 1).substr(4);
  const std::string big_endian = Write("dy.npy", Npy(">f4", "(300001,)", Reversed(dy, 4)));
  EXPECT_EQ(RunTool({"apply", "gelu", in_, "-o", Path("dx.npy"), "--form", "backward", "--grad", big_endian}).exit_code,
            0);
  EXPECT_TRUE(
      SameBytes(ReadFile(Path("dx.npy")),
                Npy("<f4", "(300001,)", Evaluate(gelu_fn_gelu, gelu_form_backward, gelu_dtype_f32, 1, x_, dy))));
  ASSERT_EQ(RunTool({"apply", "gelu", in_, "-o", in_, "--form", "alpha_backward", "--grad", big_endian}).err, "");
  EXPECT_TRUE(
      SameBytes(ReadFile(in_),
                Npy("<f4", "(300001,)", Evaluate(gelu_fn_gelu, gelu_form_alpha_backward, gelu_dtype_f32, 1, x_, dy))));
}

TEST_F(ApplyTest, GradientsThatDoNotFit) {
  const auto backward = [&](const std::string& in, const std::string& dy) {
    return RunTool({"apply", "gelu", in, "-o", Path("dx.npy"), "--form", "backward", "--grad", dy});
  };
  const std::string small = Write("small.npy", Npy("<f4", "(2, 2)", std::string(16, 'x')));
  const std::string wide = Write("wide.npy", Npy("<f8", "(2, 2)", std::string(32, 'x')));
  const std::string flat = Write("flat.npy", Npy("<f4", "(4,)", std::string(16, 'x')));
  const std::string other = Write("other.npy", NpyHeader(NpyDictionary("<f4", "(2, 2)", true)) + std::string(16, 'x'));
  for (const std::string& wrong : {wide, flat, other}) {
    ExpectFailure(backward(small, wrong), {wrong, "but small in", "f32 (2, 2)", "the same type, shape and order"});
  }
  ExpectFailure(RunTool({"apply", "gelu", small, "-o", Path("dx.npy"), "--form", "backward"}), {"--grad FILE"});
  ExpectFailure(RunTool({"apply", "gelu", small, "-o", Path("y.npy"), "--grad", small}), {"--grad", "form backward"});
}

TEST_F(ApplyTest, FormsThatDoNotFitAFile) {
  for (int id = 0; id < gelu_form_count_; ++id) {
    const auto form = static_cast<gelu_form>(id);
    if (gelu_form_outputs(form) == 1 && gelu_form_inputs(form) < 3) continue;
    ExpectFailure(RunTool({"apply", "gelu", in_, "-o", Path("y.npy"), "--form", gelu_form_name(form)}),
                  {std::string("--form ") + gelu_form_name(form) + ": reads ",
                   "apply takes one result of at most two inputs; choose forward, derivative, second_derivative, "
                   "backward, third_derivative, alpha_derivative, alpha_backward, bias or gated"});
  }
  EXPECT_EQ(Files(), std::vector<std::string>{"x.npy"});
}

TEST_F(ApplyTest, Usage) {
  ExpectFailure(RunTool({"apply", "gelu", in_}), {"--output", "run gelu apply --help"});
  ExpectFailure(RunTool({"apply", "gelu", in_, "-o", Path("y.safetensors")}),
                {"y.safetensors", "which is npy", "*.npy"});
  ExpectFailure(RunTool({"apply", "nothing", in_, "-o", Path("y.npy")}), {"nothing"});
  ExpectFailure(RunTool({"apply", "gelu", in_, "-o", Path("y.npy"), "--alpha", "inf"}), {"--alpha inf"});
  ExpectFailure(RunTool({"apply", "gelu", in_, "-o", Path("y.npy"), "--tensor", "z"}), {"no tensor z", "x"});
  const auto bad_target = [] { setenv("GELU_TARGET", "Z80", 1); };
  ExpectFailure(RunTool({"apply", "gelu", in_, "-o", Path("y.npy")}, {.in_child = bad_target}), {"target"});
  EXPECT_EQ(Files(), std::vector<std::string>{"x.npy"});
}

}  // namespace
}  // namespace gelu::cli
