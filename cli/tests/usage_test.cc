// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <regex>

#include "cli/ledger.h"
#include "cli/tests/tool.h"

namespace gelu::cli {
namespace {

using UsageTest = ToolTest;

TEST_F(UsageTest, VersionAndHelp) {
  EXPECT_EQ(RunTool({"--version"}).out, std::string("gelu ") + gelu_version() + "\n");
  const Outcome help = RunTool({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  const std::regex command("\n  ([a-z]+) +[A-Z]");
  int count = 0;
  for (std::sregex_iterator it(help.out.begin(), help.out.end(), command), end; it != end; ++it, ++count) {
    const Outcome of_command = RunTool({it->str(1), "--help"});
    EXPECT_EQ(of_command.exit_code, 0);
    EXPECT_NE(of_command.out.find("Examples:\n  gelu " + it->str(1)), std::string::npos) << of_command.out;
  }
  EXPECT_EQ(count, 6);
}

TEST_F(UsageTest, Errors) {
  ExpectFailure(RunTool({}), {"command line:", "run gelu --help"});
  ExpectFailure(RunTool({"eval"}), {"FN is required; run gelu eval --help"});
  ExpectFailure(RunTool({"evla", "gelu", "1"}), {"evla: no such command; choose one of", "eval"});
  ExpectFailure(RunTool({"info", "--verbose"}), {"--verbose: no such option; run gelu info --help"});
  ExpectFailure(RunTool({"--bogus"}), {"--bogus: no such option; run gelu --help"});
  ExpectFailure(RunTool({"apply", "--bogus", "-z"}), {"--bogus -z: no such option; run gelu apply --help"});
  ExpectFailure(RunTool({"list", "a", "b", "c"}), {"b c: not expected; run gelu list --help"});
  ExpectFailure(RunTool({"apply", "gelu", "x", "y"}), {"--output is required"});
  ExpectFailure(RunTool({"list", "--framework", "torch"}), {"--names", "run gelu list --help"});
}

TEST_F(UsageTest, ListShowsTheFamilyAndItsBounds) {
  const Outcome outcome = RunTool({"list"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (size_t i = 0; i < gelu_function_count(); ++i) {
    EXPECT_NE(outcome.out.find(gelu_function_formula(static_cast<gelu_function>(i))), std::string::npos);
  }
  for (const Proof& proof : Proofs(kLedger)) {
    if (!IsCurrent(proof)) continue;
    const std::regex row(std::string(proof.function) + " +" + std::string(proof.alpha) + " +" +
                         std::string(proof.form) + " .*\\b" + std::string(proof.max_ulp) +
                         (IsExhaustive(proof) ? "( |\n)" : "~"));
    EXPECT_TRUE(std::regex_search(outcome.out, row)) << proof.function << " " << proof.form << " " << proof.dtype;
  }
}

TEST_F(UsageTest, ListOfOneFunction) {
  const std::string all = RunTool({"list"}).out;
  const auto bounds = [](const std::string& out) { return out.find("\nfunction ", 1); };
  for (int i = 0; i < gelu_fn_count_; ++i) {
    const std::string name = gelu_function_name(static_cast<gelu_function>(i));
    const std::string one = RunTool({"list", name}).out;
    EXPECT_EQ(one.substr(0, bounds(one)), all.substr(0, bounds(all)));
    for (int k = 0; k < gelu_fn_count_; ++k) {
      const std::string row = std::string("\n") + gelu_function_name(static_cast<gelu_function>(k)) + " ";
      EXPECT_EQ(one.find(row, bounds(one)) != std::string::npos, k == i) << one;
    }
  }
  ExpectFailure(RunTool({"list", "gelux"}), {"gelux: no such function; choose one of gelu, gelu_tanh"});
  ExpectFailure(RunTool({"list", "gelu", "--names"}), {"--names", "run gelu list --help"});
}

TEST_F(UsageTest, ListNames) {
  const Outcome all = RunTool({"list", "--names"});
  for (size_t i = 0; i < gelu_name_count(); ++i) {
    gelu_name entry;
    ASSERT_EQ(gelu_name_at(i, &entry), GELU_OK);
    EXPECT_NE(all.out.find(entry.name), std::string::npos) << entry.name;
  }
  const Outcome torch = RunTool({"list", "--names", "--framework", "torch"});
  EXPECT_NE(torch.out.find("\ntorch "), std::string::npos);
  EXPECT_EQ(torch.out.find("\njax "), std::string::npos);
  ExpectFailure(RunTool({"list", "--names", "--framework", "nowhere"}), {"nowhere: no such framework", "torch"});
}

TEST_F(UsageTest, LedgerKeepsTheLatestRow) {
  const auto proofs = Proofs(
      "function\talpha\tform\tdtype\tinputs\tmax_ulp\tworst_input\n"
      "f\t1\tforward\tf32\t10\t0.9\t0x1\n"
      "f\t1.702\tforward\tf32\t10\t0.8\t0x1\n"
      "f\t1\tforward\tf32\t20\t0.7\t0x1");
  ASSERT_EQ(proofs.size(), 2u);
  EXPECT_EQ(proofs[0].max_ulp, "0.7");
  EXPECT_EQ(proofs[0].inputs, "20");
  EXPECT_EQ(proofs[1].alpha, "1.702");
  EXPECT_TRUE(Proofs("").empty());
}

TEST_F(UsageTest, LedgerTellsSamplesAndOtherCode) {
  const auto exhaustive = [](const char* form, const char* dtype, const char* inputs) {
    return IsExhaustive({"gelu", "1", form, dtype, inputs, "0.5", ""});
  };
  EXPECT_TRUE(exhaustive("forward", "bf16", "65536"));
  EXPECT_TRUE(exhaustive("derivative", "f32", "4294967296"));
  EXPECT_FALSE(exhaustive("forward", "f32", "100000000"));
  EXPECT_TRUE(exhaustive("backward", "f16", "4294967296"));
  EXPECT_FALSE(exhaustive("backward", "f16", "65536"));
  EXPECT_FALSE(exhaustive("forward", "f64", "100000000"));
  EXPECT_FALSE(IsCurrent({"gelu", "1", "forward", "f32", "65536", "0.5", "0000000000000000"}));
  EXPECT_FALSE(IsCurrent({"gelu", "1", "forward", "f32", "65536", "0.5", ""}));
  EXPECT_EQ(Proofs("f\t1\tforward\tf32\t10\t0.9\t0x1\t0x1\t0x1\tabc\t2000-01-01\n")[0].code_hash, "abc");
}

TEST_F(UsageTest, InfoShowsTargets) {
  for (size_t i = 0; i < gelu_target_count(); ++i) {
    const std::string name = gelu_target_name(i);
    const Outcome outcome = RunTool({"info"}, {.in_child = [&] { setenv("GELU_TARGET", name.c_str(), 1); }});
    if (gelu_target_available(i)) {
      EXPECT_TRUE(std::regex_search(outcome.out, std::regex("\n" + name + " +chosen\n"))) << outcome.out;
    } else {
      ExpectFailure(outcome, {"GELU_TARGET=" + name, "ONE_LANE"});
    }
  }
  EXPECT_NE(RunTool({"info"}).out.find(gelu_version()), std::string::npos);
  ExpectFailure(RunTool({"info"}, {.in_child = [] { setenv("GELU_TARGET", "Z80", 1); }}), {"GELU_TARGET=Z80"});
}

TEST_F(UsageTest, AnUnknownTargetIsNamedBeforeAnythingIsDone) {
  const std::string in = Write("x.npy", Npy("<f4", "(2,)", std::string(8, '\0')));
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"eval", "gelu", "1"},
                                             {"apply", "gelu", in, "-o", Path("y.npy")},
                                             {"apply", "gelu", Path("none.npy"), "-o", Path("y.npy")},
                                             {"report", in, "-o", Path("out")},
                                             {"plot", "-o", Path("a.svg")}}) {
    const Outcome outcome = RunTool(arguments, {.in_child = [] { setenv("GELU_TARGET", "Z80", 1); }});
    ExpectFailure(outcome, {"gelu: GELU_TARGET=Z80: no such target on this machine; ", "choose one of", "ONE_LANE"});
  }
  EXPECT_EQ(Files(), std::vector<std::string>{"x.npy"});
  EXPECT_EQ(RunTool({"eval", "gelu", "1"}, {.in_child = [] { setenv("GELU_TARGET", "", 1); }}).exit_code, 0);
}

TEST_F(UsageTest, AlphaThatIsNotFinite) {
  for (const char* alpha : {"inf", "-inf", "nan"}) {
    const std::string message = std::string("--alpha ") + alpha + ": not finite; give";
    ExpectFailure(RunTool({"eval", "gelu", "1", "--alpha", alpha}), {message});
    ExpectFailure(RunTool({"plot", "--function", "gelu", "-o", Path("a.svg"), "--alpha", alpha}), {message});
  }
}

TEST_F(UsageTest, NotesThatCannotBeWrittenAreNoFailure) {
  const std::string json = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                           R"("b":{"dtype":"I8","shape":[1],"data_offsets":[4,5]}})";
  const std::string in = Write("x.safetensors", Safetensors(json, std::string(5, '\0')));
  const std::string out = Path("y.safetensors");
  const auto full = [] { dup2(open("/dev/full", O_WRONLY), STDERR_FILENO); };
  const auto none = [] { close(STDERR_FILENO); };
  const auto no_streams = [] {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(stream);
  };
  EXPECT_EQ(RunTool({"apply", "gelu", in, "-o", out}, {.in_child = full}).exit_code, 0);
  EXPECT_EQ(RunTool({"apply", "gelu", in, "-o", out}, {.in_child = none}).exit_code, 0);
  EXPECT_EQ(RunTool({"apply", "gelu", in, "-o", out}, {.in_child = no_streams}).exit_code, 0);
  EXPECT_TRUE(SameBytes(ReadFile(out), ReadFile(in))) << "no message in the file";
  EXPECT_EQ(RunTool({"eval", "gelu", "x"}, {.in_child = full}).exit_code, 2);
  EXPECT_EQ(RunTool({"list"}, {.in_child = no_streams}).exit_code, 2);
}

TEST_F(UsageTest, ControlCharactersOfNamesAreShown) {
  const std::string json = "{\"a\\u001b[2J\\u009b\\n\":{\"dtype\":\"I8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
  const std::string in = Write("x.safetensors", Safetensors(json, "1"));
  ExpectFailure(RunTool({"apply", "gelu", in, "-o", Path("y"), "--tensor", "a\x1b[2J\xc2\x9b\n"}),
                {R"(tensor a\x1b[2J\x9b\x0a is of type I8)"});
}

TEST_F(UsageTest, AFullDiskIsAFailureAndAClosedPipeIsNot) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"list"}, {"info"}, {"--help"}, {"--version"}, {"eval", "gelu", "1"}}) {
    const Outcome full = RunTool(arguments, {.out_path = "/dev/full"});
    ExpectFailure(full, {"standard output: No space left on device; "});
    const auto close_reader = [] {
      int ends[2];
      if (pipe(ends) != 0) _exit(126);
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
    };
    const Outcome closed = RunTool(arguments, {.in_child = close_reader});
    EXPECT_EQ(closed.exit_code, 0) << closed.signal;
    EXPECT_EQ(closed.err, "");
  }
}

}  // namespace
}  // namespace gelu::cli
