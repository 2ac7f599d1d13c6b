// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/tests/tool.h"

namespace gelu::cli {
namespace {

class ReportTest : public ToolTest {
 protected:
  std::string Sample() const { return Write("in.npy", Npy("<f4", "(10, 20)", Samples(gelu_dtype_f32, 200))); }
};

TEST_F(ReportTest, PrintsAndWritesAPage) {
  const Outcome outcome = RunTool({"report", Sample(), "-o", Path("out")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("in  f32  10 x 20  200 elements"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(Path("out/report.html")), std::string::npos);
  EXPECT_EQ(ReadFile(Path("out/report.html")).find("<!doctype html>"), 0u);
}

TEST_F(ReportTest, ReplacesAnOlderPage) {
  const std::string in = Sample();
  EXPECT_EQ(RunTool({"report", in, "-o", Path("out")}).exit_code, 0);
  EXPECT_EQ(RunTool({"report", in, "-o", Path("out"), "--function", "gelu_new"}).exit_code, 0);
  EXPECT_NE(ReadFile(Path("out/report.html")).find("compared with <b>gelu_tanh:"), std::string::npos);
}

TEST_F(ReportTest, PrintsJson) {
  const Outcome outcome = RunTool({"report", Sample(), "-o", Path("out"), "--json", "--dead-threshold", "1e30"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["tensors"][0]["shape"], nlohmann::json({10, 20}));
  EXPECT_EQ(json["tensors"][0]["units"]["threshold"], 1e30);
}

TEST_F(ReportTest, ChoosesATensor) {
  const std::string in =
      Write("in.safetensors", Safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                          R"("b":{"dtype":"F16","shape":[2],"data_offsets":[8,12]},)"
                                          R"("c":{"dtype":"I32","shape":[1],"data_offsets":[12,16]}})",
                                          std::string(16, '\0')));
  const Outcome all = RunTool({"report", in, "-o", Path("out")});
  EXPECT_NE(all.out.find("2 tensors"), std::string::npos) << all.out << all.err;
  EXPECT_NE(all.out.find("left out: c of type I32"), std::string::npos) << all.out;
  const Outcome one = RunTool({"report", in, "-o", Path("out"), "--tensor", "b"});
  EXPECT_NE(one.out.find("1 tensor\n\nb  f16  2"), std::string::npos) << one.out;
  ExpectFailure(RunTool({"report", in, "-o", Path("out"), "--tensor", "d"}), {"d"});
}

TEST_F(ReportTest, LeavesNothingBehindWhereItFails) {
  const std::string in = Sample();
  ExpectFailure(RunTool({"report", Path("missing.npy"), "-o", Path("out")}), {"missing.npy"});
  ExpectFailure(RunTool({"report", in, "-o", Path("out"), "--function", "gelo"}), {"gelo"});
  ExpectFailure(RunTool({"report", in, "-o", Path("out"), "--dead-threshold", "nan"}), {"--dead-threshold", "nan"});
  ExpectFailure(RunTool({"report", in, "-o", in}), {in, "-o"});
  ExpectFailure(RunTool({"report", in, "-o", "/proc/nowhere"}), {"/proc/nowhere", "-o"});
  const auto limit = [] {
    const rlimit bytes = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &bytes);
    setenv("PATH", "/nowhere", 1);
  };
  for (const char* out : {"out", "new/inner/out", "out/"}) {
    ExpectFailure(RunTool({"report", in, "-o", Path(out)}, {.in_child = limit}), {out, "File too large"});
  }
  EXPECT_EQ(Files(), std::vector<std::string>{"in.npy"});
}

TEST_F(ReportTest, LeavesNothingBehindWhereItIsInterrupted) {
  const std::string in = Sample();
  std::filesystem::create_directory(Path("bin"));
  Write("bin/gnuplot", "#!/bin/sh\nsleep 30\n");
  std::filesystem::permissions(Path("bin/gnuplot"), std::filesystem::perms::owner_all);
  const auto slow_gnuplot = [&] {
    setpgid(0, 0);
    setenv("PATH", (Path("bin") + ":" + getenv("PATH")).c_str(), 1);
  };
  const auto interrupt = [&](pid_t child) {
    const auto started = [&] {
      std::error_code none;
      return !std::filesystem::is_empty(Path("new/out"), none) && !none;
    };
    for (int i = 0; i < 3000 && !started(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kill(-child, SIGINT);  // as a terminal does it, to gnuplot as well
  };
  const Outcome outcome =
      RunTool({"report", in, "-o", Path("new/out")}, {.in_child = slow_gnuplot, .meanwhile = interrupt});
  EXPECT_EQ(outcome.signal, SIGINT) << outcome.err;
  EXPECT_EQ(Files(), (std::vector<std::string>{"bin", "in.npy"}));
}

TEST_F(ReportTest, WorksWithoutGnuplot) {
  const std::string in = Sample();
  const Outcome outcome =
      RunTool({"report", in, "-o", Path("out")}, {.in_child = [] { setenv("PATH", "/nowhere", 1); }});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(ReadFile(Path("out/report.html")).find("No pictures: gnuplot"), std::string::npos);
  EXPECT_EQ(outcome.err.find("gelu: " + Path("out/report.html") + ": has no pictures: gnuplot: not found"), 0u)
      << outcome.err;
  EXPECT_NE(outcome.out.find("\nThe page: " + Path("out/report.html")), std::string::npos) << outcome.out;
}

TEST_F(ReportTest, ReadsTheSameNumbersInEveryOrder) {
  const std::string data = Samples(gelu_dtype_f32, 200);
  std::string turned(data.size(), '\0');  // the same tensor, first axis fastest
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::size_t j = 0; j < 20; ++j) data.copy(&turned[4 * (i + 10 * j)], 4, 4 * (i * 20 + j));
  }
  const auto report = [&](const std::string& bytes) {
    const Outcome outcome = RunTool({"report", Write("t.npy", bytes), "-o", Path("out"), "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const nlohmann::json t = nlohmann::json::parse(outcome.out)["tensors"][0];
    return nlohmann::json{t["nan"], t["min"], t["max"], t["histogram"], t["units"], t["functions"][1]["change"]["max"]};
  };
  const nlohmann::json plain = report(Npy("<f4", "(10, 20)", data));
  EXPECT_EQ(report(Npy(">f4", "(10, 20)", Reversed(data, 4))), plain);
  const std::string fortran = NpyHeader(NpyDictionary("<f4", "(10, 20)", true)) + turned;
  EXPECT_EQ(report(fortran), plain);
}

}  // namespace
}  // namespace gelu::cli
