// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "cli/failure.h"
#include "cli/picture.h"
#include "cli/plot_histogram.h"
#include "cli/tests/plot_svg.h"
#include "cli/tests/tool.h"

namespace gelu::cli {
namespace {

using PlotTest = ToolTest;

std::string Floats(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

TEST_F(PlotTest, WithoutKindTheFamily) {
  ASSERT_EQ(RunTool({"plot", "-o", Path("a.svg")}).err, "");
  ASSERT_EQ(RunTool({"plot", "family", "-o", Path("b.svg")}).err, "");
  EXPECT_EQ(XmlFault(ReadFile(Path("a.svg"))), "");
  EXPECT_EQ(ReadFile(Path("a.svg")), ReadFile(Path("b.svg")));
  ASSERT_EQ(RunTool({"plot", "--form", "derivative", "-o", Path("c.svg")}).err, "");
  ASSERT_EQ(RunTool({"plot", "derivative", "-o", Path("d.svg")}).err, "");
  EXPECT_EQ(ReadFile(Path("c.svg")), ReadFile(Path("d.svg")));
}

TEST_F(PlotTest, FunctionsByAnyNameAtSeveralAlphas) {
  const Outcome outcome = RunTool({"plot", "--function", "swish", "gelu_new", "--alpha", "0.5", "-2", "--dtype", "f16",
                                   "--range", "-6:6", "--dark", "-o", Path("a.SVG")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string svg = ReadFile(Path("a.SVG"));
  EXPECT_EQ(XmlFault(svg), "");
  EXPECT_EQ(CurvesCalled(svg, "swish:  x / (1 + exp(−0.5 x))").size(), 1u);
  EXPECT_EQ(CurvesCalled(svg, "swish:  x / (1 + exp(−(−2) x))").size(), 1u);
  EXPECT_NE(svg.find("gelu_new:"), std::string::npos);
  EXPECT_NE(svg.find("in f16"), std::string::npos);
}

TEST_F(PlotTest, APngHasTheSizeAskedFor) {
  const std::string png = Path("a.png");
  ASSERT_EQ(RunTool({"plot", "error", "--size", "800x900", "-o", png}).err, "");
  const std::string bytes = ReadFile(png);
  ASSERT_GT(bytes.size(), 1000u);
  EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(bytes.substr(16, 8), std::string("\0\0\x03\x20\0\0\x03\x84", 8));
}

TEST_F(PlotTest, HistogramsOfFiles) {
  const std::vector<float> x{-5, -1, -1, 0, 0.5, 4, NAN, INFINITY};
  const std::string npy = Write("x.npy", Npy("<f4", "(8,)", Floats(x)));
  const Histogram histogram = HistogramOf(npy, "", -1, 4);
  EXPECT_EQ(histogram.total, 8u);
  EXPECT_EQ(histogram.name, "x");
  EXPECT_EQ(histogram.counts.front(), 2u);
  EXPECT_EQ(histogram.counts[histogram.counts.size() / 5], 1u);
  EXPECT_EQ(histogram.counts.back(), 1u);
  EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), uint64_t{0}), 5u);

  ASSERT_EQ(RunTool({"plot", "--histogram", npy, "-o", Path("a.svg")}).err, "");
  EXPECT_NE(ReadFile(Path("a.svg")).find("x: 8 elements, 50.0 % shown"), std::string::npos);

  const std::string two =
      Write("two.safetensors", Safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                           R"("b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})",
                                           Floats({1, 2, 3})));
  ExpectFailure(RunTool({"plot", "--histogram", two, "-o", Path("b.svg")}), {two, "2 tensors", "--tensor: a, b"});
  EXPECT_EQ(RunTool({"plot", "--histogram", two, "--tensor", "a", "-o", Path("b.svg")}).err, "");
  ExpectFailure(RunTool({"plot", "--histogram", two, "--tensor", "a", "--range", "5:9", "-o", Path("b.svg")}),
                {two + ": no element of a lies from 5 to 9; give another --range"});
  ExpectFailure(RunTool({"plot", "--histogram", Path("none.npy"), "-o", Path("b.svg")}), {"none.npy"});
}

TEST_F(PlotTest, WrongArguments) {
  const auto refuse = [&](std::vector<std::string> arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.begin(), "plot");
    if (std::ranges::find(arguments, "-o") == arguments.end()) arguments.insert(arguments.end(), {"-o", Path("a.svg")});
    ExpectFailure(RunTool(arguments), words);
  };
  refuse({"pie"}, {"pie: no such picture", "family", "error"});
  refuse({"-o", Path("a.pdf")}, {"a.pdf", ".svg or .png"});
  refuse({"-o", Path("svg")}, {".svg or .png"});
  refuse({"-o", Path("none/a.svg")}, {"none/a.svg"});
  refuse({"--range", "1"}, {"1: no range; give LOW:HIGH"});
  for (const char* range : {"2:1", "1:1", "nan:1", "-inf:inf"}) refuse({"--range", range}, {"no range"});
  refuse({"--range", "1:x"}, {"x"});
  for (const char* size : {"100", "100x", "x100", "100x100x", "0x100", "-5x100", "1e3x100", "100x99999"}) {
    refuse({"--size", size}, {size, "no size"});
  }
  refuse({"--size", "100x100"}, {"100x100: too small"});
  refuse({"--function", "gelux"}, {"gelux"});
  refuse({"--alpha", "nan"}, {"alpha"});
  refuse({"--dtype", "f8"}, {"f8", "bf16"});
  refuse({"--form", "backward"}, {"backward: reads x, dy and gives dx", "choose forward, derivative"});
  refuse({"error", "--form", "value_and_derivative"}, {"value_and_derivative: reads x and gives y, y1"});
  refuse({"gated"}, {"gated: no such picture; choose one of family, derivative"});
  refuse({"derivative", "--form", "second_derivative"}, {"derivative", "second_derivative"});
  refuse({"--tensor", "a"}, {"--histogram"});
  EXPECT_TRUE(Files().empty());
}

TEST_F(PlotTest, SettingsOfGnuplotsUserDoNotMatter) {
  ASSERT_EQ(RunTool({"plot", "-o", Path("a.svg")}).err, "");
  Write(".gnuplot", "set xrange [0:1]\nset grid front\nset title 'mine'\nset logscale x\n");
  const auto change = [&] {
    setenv("HOME", folder_.c_str(), 1);
    setenv("GNUTERM", "a-window", 1);
  };
  ASSERT_EQ(RunTool({"plot", "-o", Path("b.svg")}, {.in_child = change}).err, "");
  EXPECT_EQ(ReadFile(Path("a.svg")), ReadFile(Path("b.svg")));
}

TEST_F(PlotTest, WithoutAWorkingGnuplotTheOldPictureStays) {
  const std::string old = Write("a.svg", "old");
  const auto with_path = [](const std::string& path) {
    return Setting{.in_child = [path] { setenv("PATH", path.c_str(), 1); }};
  };
  ExpectFailure(RunTool({"plot", "-o", old}, with_path(Path("nowhere"))),
                {"gnuplot: not found", "install the package gnuplot-nox"});
  const auto install = [&](const std::string& script) {
    chmod(Write("gnuplot", "#!/bin/sh\n" + script + "\n").c_str(), 0755);
  };
  install("echo '         line 7: no such terminal' >&2; exit 1");
  ExpectFailure(RunTool({"plot", "-o", old}, with_path(folder_)), {"gnuplot: line 7: no such terminal;"});
  install("exit 0");
  ExpectFailure(RunTool({"plot", "-o", old}, with_path(folder_)), {"gnuplot: it ended without a picture;"});
  install("kill -9 $$");
  ExpectFailure(RunTool({"plot", "-o", old}, with_path(folder_)), {"gnuplot: it ended without a picture;"});
  install("echo '<svg>'");
  ExpectFailure(RunTool({"plot", "-o", old}, with_path(folder_)), {"gnuplot: its SVG has no"});
  EXPECT_EQ(ReadFile(old), "old");
  EXPECT_EQ(Files(), (std::vector<std::string>{"a.svg", "gnuplot"}));
}

}  // namespace
}  // namespace gelu::cli
