// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/report_words.h"
#include "cli/tests/report_data.h"

namespace gelu::cli {
namespace {

// In f16, where results are correctly rounded and so never change.
TEST(ReportText, OfASmallTensor) {
  const Statistics s = Collect(MakeTensor("layer.0", gelu_dtype_f16, {250, 8}), Sample(2000));
  EXPECT_EQ(ReportText(MakeReport({s})), R"(sample.npy: 1 tensor

layer.0  f16  250 x 8  2,000 elements
  mean -0.6136  std 1.582  min -11.38  max 5.168  NaN 0  inf 0
  below -5.5 0.25%  subnormal f16 output 1.05%  dead units 0 of 8

                            ▅▂█▆▅▆▅▂▂
                        ▂▅▅▇█████████▇▆▄▃▁
  inputs      ▁▁▁▂▂▂▃▄▅████████████████████▅▃▂▂▁▁▁  ▁  ▁
  gate                       ▁▁▂▂▃▄▄▅▆▆▇▇██████████████████
           -6                      0                      6
           tallest bar 6.90% of the elements; 0.25% lie left of -6, 0 right of 6

  function    max change    at x  rms change    mean  (Gauss)     std  (Gauss)  ns/element
  gelu                 -       -           -  0.2723   0.2778  0.6956   0.7206           -
  gelu_tanh      4.73e-4  -2.699     1.96e-4  0.2723   0.2778  0.6956   0.7206           -
  silu             0.193  -1.968       0.127  0.1651   0.1727  0.6805   0.7071           -
  quick_gelu      0.0203  -2.271      0.0102  0.2681   0.2736  0.6933   0.7184           -
  relu              0.17  -0.752       0.111  0.3672   0.3714   0.689    0.713           -

  gelu in  max error   at x  rms error  max relative  overflow  subnormal  to zero
  f16        9.53e-4  2.938    1.45e-4       4.79e-4         0         21        5
  bf16        0.0149   2.07    0.00189         0.143         0          0        0

  - With gelu_tanh in place of gelu an output changes by at most 4.73e-4 (rms 1.96e-4); with
    quick_gelu by 0.0203; with relu by 0.17; with silu by 0.193.
  - Results are off in f16 by up to 9.53e-4 (rms 1.45e-4), in bf16 by up to 0.0149 (rms 0.00189).
    The change to gelu_tanh is less than the rounding of bf16, but more than the rounding of f16, in
    rms.
  - 0.25% of the inputs lie below -5.5, where the textbook formula 0.5x(1 + erf(x/√2)) in f32
    loses more than half of gelu; 21 results are subnormal in f16 and 5 round to zero.
  - After gelu the mean is 0.272 and the deviation 0.696; normally distributed inputs would give
    0.278 and 0.721.
  - None of the 8 units on the last axis stays at or below 0.
)");
}

std::vector<Statistics> Oddities() {
  const double nan = std::nan("");
  return {Collect(MakeTensor("empty", gelu_dtype_f32, {4, 0}), {}),
          Collect(MakeTensor("no numbers", gelu_dtype_f16, {3}), {nan, nan, HUGE_VAL}),
          Collect(MakeTensor("scalar", gelu_dtype_f64, {}), {-0.25}),
          Collect(MakeTensor("constant", gelu_dtype_bf16, {5, 7}), std::vector<double>(35, 1.5)),
          Collect(MakeTensor("zeros", gelu_dtype_f32, {2, 2}), {0, 0, 0, -0.0}),
          Collect(MakeTensor("huge", gelu_dtype_f64, {3}), {1e308, -1e308, 1.7e308}),
          Collect(MakeTensor("tiny", gelu_dtype_f64, {3}), {5e-324, -5e-324, 1e-310})};
}

TEST(ReportText, OfOddTensorsNamesNoNanButTheCount) {
  for (const Statistics& s : Oddities()) {
    const std::string text = ReportText(MakeReport({s}));
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    // "inf" stands for the count of infinite elements, and nothing else.
    for (std::size_t at = text.find("inf"); at != std::string::npos; at = text.find("inf", at + 1)) {
      EXPECT_TRUE(text.compare(at, 5, "inf 0") == 0 || text.compare(at, 8, "infinite") == 0) << text;
    }
  }
}

TEST(ReportText, SaysWhyThereIsNothingToMeasure) {
  const auto odd = Oddities();
  EXPECT_NE(ReportText(MakeReport({odd[0]})).find("Empty: a length in the shape is 0"), std::string::npos);
  EXPECT_NE(ReportText(MakeReport({odd[1]})).find("Of 3 elements, 2 NaN and 1 infinite are left out"),
            std::string::npos);
}

TEST(ReportText, StaysWithin100Columns) {
  std::vector<Statistics> tensors = Oddities();
  tensors.push_back(Collect(MakeTensor("t", gelu_dtype_f16, {100, 100}), Sample(10000)));
  std::istringstream lines(ReportText(MakeReport(tensors)));
  for (std::string line; std::getline(lines, line);) {
    const auto columns = std::count_if(line.begin(), line.end(), [](unsigned char c) { return c >> 6 != 2; });
    EXPECT_LE(columns, 100) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
}

TEST(ReportText, ShowsNamesWithoutTheirControlCharacters) {
  const Statistics s = Collect(MakeTensor("a\x1b[31mb", gelu_dtype_f32, {1}), {1});
  EXPECT_EQ(ReportText(MakeReport({s})).find('\x1b'), std::string::npos);
}

TEST(ReportWords, Numbers) {
  EXPECT_EQ(Number(0), "0");
  EXPECT_EQ(Number(-0.0), "0");
  EXPECT_EQ(Number(-0.123456), "-0.1235");
  EXPECT_EQ(Number(4.7324e-4), "4.732e-4");
  EXPECT_EQ(Number(1e-310), "1.000e-310");
  EXPECT_EQ(Number(123456789), "1.235e8");
  EXPECT_EQ(Short(0.00123456), "0.00123");
  EXPECT_EQ(Short(-4.7324e-4), "-4.73e-4");
  EXPECT_EQ(Count(999), "999");
  EXPECT_EQ(Count(1000), "1,000");
  EXPECT_EQ(Count(18446744073709551615u), "18,446,744,073,709,551,615");
  EXPECT_EQ(Counted(1, "unit", "units"), "1 unit");
  EXPECT_EQ(Counted(1536, "unit", "units"), "1,536 units");
  EXPECT_EQ(Share(0, 10), "0");
  EXPECT_EQ(Share(1, 1000000), "<0.01%");
  EXPECT_EQ(Share(1, 300), "0.33%");
  EXPECT_EQ(Share(1, 3), "33.3%");
  EXPECT_EQ(Share(999999, 1000000), ">99.9%");
  EXPECT_EQ(Share(10, 10), "100%");
}

TEST(ReportJson, HoldsTheSameNumbers) {
  const Statistics s = Collect(MakeTensor("t", gelu_dtype_f32, {250, 8}), Sample(2000));
  const nlohmann::json json = nlohmann::json::parse(ReportJson(MakeReport({s})).dump());
  const nlohmann::json& t = json["tensors"][0];
  EXPECT_EQ(t["name"], "t");
  EXPECT_EQ(t["moments"]["mean"], s.x.mean());
  EXPECT_EQ(t["moments"]["std"], s.x.deviation());
  EXPECT_EQ(t["tail"]["count"], s.tail);
  EXPECT_EQ(t["units"]["dead"], *s.units->dead);
  EXPECT_EQ(t["histogram"]["counts"].size(), kBins);
  ASSERT_EQ(t["functions"].size(), s.functions.size());
  for (std::size_t i = 0; i < s.functions.size(); ++i) {
    EXPECT_EQ(t["functions"][i]["name"], s.functions[i].function.name);
    EXPECT_EQ(t["functions"][i]["change"]["max"], s.functions[i].change.max());
    EXPECT_EQ(t["functions"][i]["gauss"]["mean"], s.functions[i].gauss->mean());
  }
  ASSERT_EQ(t["precision"].size(), s.precision.size());
  EXPECT_EQ(t["precision"][1]["error"]["rms"], s.precision[1].error.rms());
}

TEST(ReportJson, IsValidForOddTensors) {
  const nlohmann::json json = nlohmann::json::parse(ReportJson(MakeReport(Oddities())).dump());
  EXPECT_EQ(json["tensors"].size(), Oddities().size());
  EXPECT_FALSE(json["tensors"][0].contains("moments"));
  EXPECT_TRUE(json["tensors"][5]["moments"].is_null());
}

}  // namespace
}  // namespace gelu::cli
