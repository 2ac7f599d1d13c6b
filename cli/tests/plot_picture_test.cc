// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "cli/failure.h"
#include "cli/picture.h"
#include "cli/picture_curve.h"
#include "cli/picture_simplify.h"
#include "cli/picture_text.h"
#include "cli/tests/plot_svg.h"

namespace gelu::cli {
namespace {

PictureRequest Request(const std::string& kind) {
  PictureRequest request;
  request.kind = kind;
  return request;
}

TEST(PictureTest, EveryKindIsWellFormedAndShowsEveryFunction) {
  for (const std::string& kind : PictureKinds()) {
    const std::string svg = RenderSvg(Request(kind));
    EXPECT_EQ(XmlFault(svg), "") << kind;
    for (const Curve& curve : kind == "error" ? ApproximationCurves() : FamilyCurves()) {
      const auto drawn = CurvesCalled(svg, Caption(curve.name, curve.activation));
      EXPECT_EQ(drawn.size(), kind == "error" ? 2u : 1u) << kind << " " << curve.name;
      for (const auto& points : drawn) EXPECT_GE(points.size(), 2u) << kind << " " << curve.name;
    }
  }
}

TEST(PictureTest, TheFamilyIsComplete) {
  std::set<gelu_function> functions;
  std::set<double> alphas;
  for (const Curve& curve : FamilyCurves()) {
    functions.insert(curve.activation.function);
    alphas.insert(curve.activation.params.alpha);
  }
  EXPECT_EQ(functions.size(), gelu_function_count());
  EXPECT_TRUE(alphas.contains(1.702));
  const std::vector<Curve> approximations = ApproximationCurves();
  EXPECT_EQ(approximations.size(), gelu_function_count() - 1);
  EXPECT_TRUE(std::ranges::any_of(approximations, [](const Curve& c) { return c.activation.params.alpha == 1.702; }));
}

// Several pictures stand in one page, on a ground of any colour.
TEST(PictureTest, AnSvgFitsIntoHtml) {
  const std::string svg = RenderSvg(Request("error"));
  EXPECT_TRUE(svg.starts_with("<svg "));
  for (const char* absent : {" id=", "href", "url(", "black", "<rect", "<?xml", "rgb(0,0,0)", "rgb(  0,   0,   0)"}) {
    EXPECT_EQ(svg.find(absent), std::string::npos) << absent;
  }
  PictureRequest dark = Request("error");
  dark.dark = true;
  EXPECT_EQ(XmlFault(RenderSvg(dark)), "");
  EXPECT_NE(RenderSvg(dark).find("<rect width=\"100%\" height=\"100%\""), std::string::npos);
}

// The height of a polyline at x.
double HeightAt(const Points& points, double x) {
  const auto next = std::ranges::find_if(points, [&](const auto& point) { return point.first >= x; });
  if (next == points.begin() || next == points.end()) return next == points.end() ? NAN : next->second;
  const auto [x0, y0] = *std::prev(next);
  return y0 + (next->second - y0) * (x - x0) / (next->first - x0);
}

// Neither do the lines between the points leave the function by what one could see.
TEST(PictureTest, LinesFollowTheirFunctions) {
  PictureRequest request = Request("second_derivative");
  request.low = -3;
  request.high = 3;
  const std::string svg = RenderSvg(request);
  for (const Curve& curve : FamilyCurves()) {
    const Points points = CurvesCalled(svg, Caption(curve.name, curve.activation)).at(0);
    const std::vector<double> x = Grid(-3, 3, 600);
    const std::vector<double> y = Evaluate(curve.activation, gelu_form_second_derivative, request.dtype, x);
    const size_t middle = 300;
    if (y[middle] == 0) continue;  // a straight line
    const double left = points.front().first, right = points.back().first;
    const double floor = points.front().second;
    const double scale = (HeightAt(points, (left + right) / 2) - floor) / (y[middle] - y[0]);
    for (size_t i = 1; i + 1 < x.size(); ++i) {
      const double drawn = HeightAt(points, left + (right - left) * (x[i] + 3) / 6);
      EXPECT_NEAR(drawn, floor + scale * (y[i] - y[0]), 0.15) << curve.name << " at " << x[i];
    }
  }
}

// The first curve's ends say which pixel is which value; then every point of every curve has to lie on its function.
TEST(PictureTest, CurvesLieWhereTheirValuesAre) {
  for (const gelu_dtype dtype : {gelu_dtype_f64, gelu_dtype_bf16}) {
    PictureRequest request = Request("family");
    request.dtype = dtype;
    request.low = -3;
    request.high = 3;
    const std::string svg = RenderSvg(request);
    const std::vector<Curve> family = FamilyCurves();
    const auto first = CurvesCalled(svg, Caption(family[0].name, family[0].activation)).at(0);
    const auto [left, bottom] = first.front();
    const auto [right, top] = first.back();
    const auto ends = Evaluate(family[0].activation, request.form, dtype, {-3, 3});
    for (const Curve& curve : family) {
      const auto points = CurvesCalled(svg, Caption(curve.name, curve.activation)).at(0);
      for (const auto& [pixel_x, pixel_y] : points) {
        const double x = -3 + 6 * (pixel_x - left) / (right - left);
        const double y = ends[0] + (ends[1] - ends[0]) * (pixel_y - bottom) / (top - bottom);
        // A point may stand at either side of a step that is narrower than a pixel.
        const double slack = 0.1 * 6 / (right - left);
        const auto near = Evaluate(curve.activation, request.form, dtype, {x - slack, x, x + slack});
        const double pixel = (ends[1] - ends[0]) / (bottom - top);
        EXPECT_GE(y, *std::ranges::min_element(near) - 0.2 * pixel) << curve.name << " at " << x;
        EXPECT_LE(y, *std::ranges::max_element(near) + 0.2 * pixel) << curve.name << " at " << x;
      }
    }
  }
}

TEST(PictureTest, AHistogramIsDrawnBelow) {
  const Histogram histogram{-2, 2, {1, 0, 5, 2}, 10, "h.0"};
  PictureRequest request = Request("derivative");
  request.histogram = &histogram;
  const std::string svg = RenderSvg(request);
  EXPECT_EQ(XmlFault(svg), "");
  EXPECT_NE(svg.find("<polygon"), std::string::npos);
  EXPECT_NE(svg.find("h.0: 10 elements, 80.0 % shown"), std::string::npos);

  Histogram nearly{-2, 2, {999999}, 1000000, ""};
  request.histogram = &nearly;
  EXPECT_NE(RenderSvg(request).find(">1000000 elements, over 99.9 % shown"), std::string::npos);
  nearly.counts = {0, 0};
  EXPECT_THROW(RenderSvg(request), Failure);
}

TEST(PictureTest, NamesFromFilesCannotDoHarm) {
  const auto drawn = [](const std::string& name) {
    const Histogram histogram{-2, 2, {1}, 1, name};
    PictureRequest request = Request("family");
    request.histogram = &histogram;
    std::string svg = RenderSvg(request);
    EXPECT_EQ(XmlFault(svg), "") << name;
    return svg;
  };
  EXPECT_NE(drawn("a'b\n`touch x` ]]> <&> \"q\"").find("<text>a'b?`touch x` ]]&gt; &lt;&amp;> "), std::string::npos);
  EXPECT_NE(drawn("\xff\xc0\x80\xed\xa0\x80 $x ^_{}@ %g \\").find("<text>?????? $x ^_{}@ %g \\: "), std::string::npos);
  EXPECT_EQ(Printable(std::string(100, 'a')), std::string(40, 'a') + "…");
  EXPECT_EQ(Printable("Φ\x7f\xc2\x85"), "Φ???");
}

TEST(PictureTest, Captions) {
  gelu_activation activation;
  ASSERT_EQ(gelu_resolve("quick_gelu", nullptr, &activation, nullptr, 0), GELU_OK);
  EXPECT_EQ(Caption("q", activation), "q:  x / (1 + exp(−1.702 x))");
  activation.params = {-2, 10};
  EXPECT_EQ(Caption("q", activation), "q:  x / (1 + exp(−(−2) x)), within ±10");
  ASSERT_EQ(gelu_resolve("gelu_new", nullptr, &activation, nullptr, 0), GELU_OK);
  EXPECT_EQ(Caption("gelu_new", activation), "gelu_new:  x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2");
  EXPECT_EQ(Scientific(-0.000473, 3), "−4.73 × 10⁻⁴");
  EXPECT_EQ(Scientific(0.0203, 3), "0.0203");
}

TEST(PictureTest, PointsThatNobodyWouldMissAreLeftOut) {
  Points points;
  for (int i = 0; i <= 1000; ++i) points.emplace_back(0.01 * i, std::sin(0.01 * i));
  const Points kept = Simplify(points, 1e-3);
  EXPECT_LT(kept.size(), 150u);
  EXPECT_EQ(kept.front(), points.front());
  EXPECT_EQ(kept.back(), points.back());
  size_t next = 1;
  for (const auto& [x, y] : points) {
    while (kept[next].first < x) ++next;
    const auto [x0, y0] = kept[next - 1];
    const auto [x1, y1] = kept[next];
    EXPECT_NEAR(y0 + (y1 - y0) * (x - x0) / (x1 - x0), y, 1e-3);
  }
}

TEST(PictureTest, RequestsThatCannotBeDrawn) {
  const auto refuse = [](const PictureRequest& request, const std::string& words) {
    try {
      RenderSvg(request);
      ADD_FAILURE() << words;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit_code, kExitUsage);
      EXPECT_NE(std::string(failure.what()).find(words), std::string::npos) << failure.what();
    }
  };
  PictureRequest request = Request("family");
  request.low = HUGE_VAL;
  refuse(request, "no range");
  request.low = 1;
  request.high = 1 + 1e-12;
  refuse(request, "no range");
  request.low = 1e6;  // nothing but infinities
  request.high = 2e6;
  request.dtype = gelu_dtype_f16;
  refuse(request, "no finite value");
  request = Request("error");
  request.height = 200;
  refuse(request, "too small for this picture; give at least");
}

}  // namespace
}  // namespace gelu::cli
