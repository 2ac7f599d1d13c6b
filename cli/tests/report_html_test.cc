// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <stack>

#include "cli/tests/report_data.h"

namespace gelu::cli {
namespace {

std::string Html(const Report& report) {
  std::string html;
  WriteReportHtml(report, [&](std::string_view piece) { html += piece; });
  return html;
}

Report TwoTensors() {
  return MakeReport({Collect(MakeTensor("first", gelu_dtype_f32, {25, 8}), Sample(200)),
                     Collect(MakeTensor("second", gelu_dtype_bf16, {25, 8}), Sample(200))});
}

TEST(ReportHtml, IsOneSelfContainedPage) {
  const std::string html = Html(TwoTensors());
  EXPECT_EQ(html.find("<!doctype html>"), 0u);
  EXPECT_TRUE(html.ends_with("</html>\n"));
  for (const char* external : {"src=", "href=\"h", "url(", "@import", "<script", "<link"}) {
    EXPECT_EQ(html.find(external), std::string::npos) << external;
  }
  EXPECT_EQ(html.find("No pictures"), std::string::npos);
  EXPECT_NE(html.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_NE(html.find("@media print"), std::string::npos);
}

TEST(ReportHtml, ClosesWhatItOpens) {
  std::vector<Statistics> tensors = TwoTensors().tensors;
  tensors.push_back(Collect(MakeTensor("empty", gelu_dtype_f32, {0}), {}));
  tensors.push_back(Collect(MakeTensor("huge", gelu_dtype_f64, {2}), {1e308, -1e308}));
  const std::string html = Html(MakeReport(tensors));
  std::stack<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const bool closing = html[at + 1] == '/';
    const std::size_t start = at + 1 + closing;
    const std::string name = html.substr(start, html.find_first_of(" \n/>", start) - start);
    if (name == "meta" || name == "br" || name[0] == '!' || html[end - 1] == '/') continue;
    if (!closing) {
      open.push(name);
      continue;
    }
    ASSERT_FALSE(open.empty()) << name;
    ASSERT_EQ(open.top(), name) << html.substr(at > 200 ? at - 200 : 0, 220);
    open.pop();
  }
  EXPECT_TRUE(open.empty());
}

TEST(ReportHtml, EscapesNames) {
  const std::string name = "<script>alert(\"1\")</script>&amp;";
  Report report = MakeReport(
      {Collect(MakeTensor(name, gelu_dtype_f32, {2}), {1, 2}), Collect(MakeTensor(name, gelu_dtype_f32, {2}), {1, 2})});
  report.file = name;
  report.skipped = {{name, name}};
  const std::string html = Html(report);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;"), std::string::npos);
}

TEST(ReportHtml, LinksTheOverviewToTheSections) {
  const std::string html = Html(TwoTensors());
  for (const char* anchor : {"tensor-1", "tensor-2"}) {
    EXPECT_NE(html.find(std::string("href=\"#") + anchor + '"'), std::string::npos);
    EXPECT_NE(html.find(std::string("id=\"") + anchor + '"'), std::string::npos);
  }
}

TEST(ReportHtml, ShowsNoNumberThatIsNone) {
  std::vector<Statistics> tensors;
  tensors.push_back(Collect(MakeTensor("constant", gelu_dtype_f32, {3}), {-0.5, -0.5, -0.5}));
  tensors.push_back(Collect(MakeTensor("huge", gelu_dtype_f64, {2}), {1e308, -1e308}));
  tensors.push_back(Collect(MakeTensor("none", gelu_dtype_f64, {2}), {std::nan(""), std::nan("")}));
  const std::string html = Html(MakeReport(tensors));
  for (const char* number : {">nan<", ">-nan<", ">inf<", ">-inf<"}) EXPECT_EQ(html.find(number), std::string::npos);
}

}  // namespace
}  // namespace gelu::cli
