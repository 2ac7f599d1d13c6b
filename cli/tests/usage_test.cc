// SPDX-License-Identifier: Apache-2.0
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
  ExpectFailure(RunTool({"info", "--verbose"}), {"--verbose", "run gelu info --help"});
  ExpectFailure(RunTool({"list", "--framework", "torch"}), {"--names", "run gelu list --help"});
}

TEST_F(UsageTest, ListShowsTheFamilyAndItsBounds) {
  const Outcome outcome = RunTool({"list"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (size_t i = 0; i < gelu_function_count(); ++i) {
    EXPECT_NE(outcome.out.find(gelu_function_formula(static_cast<gelu_function>(i))), std::string::npos);
  }
  for (const Proof& proof : Proofs(kLedger)) {
    const std::regex row(std::string(proof.function) + " +" + std::string(proof.alpha) + " +" +
                         std::string(proof.form) + " .*\\b" + std::string(proof.max_ulp));
    EXPECT_TRUE(std::regex_search(outcome.out, row)) << proof.function << " " << proof.form << " " << proof.dtype;
  }
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
