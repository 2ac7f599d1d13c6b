// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/failure.h"
#include "cli/picture.h"
#include "cli/picture_text.h"
#include "cli/report_html.h"
#include "cli/report_words.h"
#include "cli/statistics_gate.h"

namespace gelu::cli {
namespace {

constexpr double kWidth = 952, kLeft = 8, kRight = 44, kTop = 32, kHeight = 210;

double XPixel(double x) { return kLeft + (x + kGateEdge) / (2 * kGateEdge) * (kWidth - kLeft - kRight); }
double YPixel(double share) { return kTop + kHeight * (1 - share); }

// One path of all bars, from base upwards.
std::string BarPath(const std::vector<uint64_t>& counts, double left, double width, double base, double height) {
  const double largest = static_cast<double>(std::max<uint64_t>(1, *std::max_element(counts.begin(), counts.end())));
  const double step = width / static_cast<double>(counts.size());
  std::string path;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    // A bar that is not empty shows, however small it is.
    const double h = std::max(0.75, height * static_cast<double>(counts[i]) / largest);
    path += fmt::format("M{:.2f} {:.2f}h{:.2f}v{:.2f}h-{:.2f}z", left + static_cast<double>(i) * step, base - h,
                        0.88 * step, h, 0.88 * step);
  }
  return path;
}

std::string GatePath(const gelu_activation& activation) {
  std::string path;
  constexpr int kSteps = 240;
  for (int i = 0; i < kSteps; ++i) {
    const double x = kGateEdge * (2 * (i + 0.5) / kSteps - 1);  // never 0
    path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", XPixel(x), YPixel(Gate(activation, x)));
  }
  return path;
}

}  // namespace

std::string GateSvg(const Statistics& s) {
  const std::vector<uint64_t>& counts = s.histogram.counts;
  const uint64_t largest = *std::max_element(counts.begin(), counts.end());
  const double base = kTop + kHeight;
  std::string svg = fmt::format(
      "<svg class=\"hero\" viewBox=\"0 0 {:g} {:g}\" width=\"{:g}\" role=\"img\" aria-label=\"Histogram of the inputs "
      "with the gate "
      "of {} over it\">",
      kWidth, base + 54, kWidth, EscapeXml(s.options.reference.name));
  svg += fmt::format("<rect class=\"tail\" x=\"{:.1f}\" y=\"{:g}\" width=\"{:.1f}\" height=\"{:g}\"/>",
                     XPixel(-kGateEdge), kTop, XPixel(kTailEdge) - XPixel(-kGateEdge), kHeight);
  svg += fmt::format("<path class=\"bars\" d=\"{}\"/>", BarPath(counts, kLeft, kWidth - kLeft - kRight, base, kHeight));
  for (int x = -static_cast<int>(kGateEdge); x <= kGateEdge; ++x) {
    svg += fmt::format(
        "<path class=\"axis\" d=\"M{0:.1f} {1:g}v5\"/><text x=\"{0:.1f}\" y=\"{2:g}\" "
        "text-anchor=\"middle\">{3}</text>",
        XPixel(x), base, base + 24, x);
  }
  svg += fmt::format("<path class=\"axis\" d=\"M{:g} {:g}h{:g}M{:.1f} {:g}v{:g}\"/>", kLeft, base,
                     kWidth - kLeft - kRight, XPixel(0), kTop, kHeight);
  svg += fmt::format("<path class=\"gate\" d=\"{}\"/>", GatePath(s.options.reference.activation));
  for (const double gate : {0.0, 0.5, 1.0}) {
    svg += fmt::format("<text class=\"gatelabel\" x=\"{:g}\" y=\"{:g}\">{:g}</text>", kWidth - kRight + 8,
                       YPixel(gate) + 4, gate);
  }
  svg += fmt::format("<text class=\"gatelabel\" x=\"{:g}\" y=\"20\" text-anchor=\"end\">gate of {}, f(x)/x</text>",
                     kWidth - kRight, EscapeXml(s.options.reference.name));
  svg += fmt::format("<text x=\"{:g}\" y=\"20\">tallest bar: {} of the inputs</text>", kLeft,
                     EscapeXml(Share(largest, s.finite)));
  svg += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">input x</text></svg>", XPixel(0), base + 48);
  return svg;
}

std::string SparkSvg(const Statistics& s) {
  return fmt::format(
      "<svg class=\"spark\" viewBox=\"0 0 96 22\" aria-hidden=\"true\"><path class=\"bars\" d=\"{}\"/>"
      "<path class=\"axis\" d=\"M0 21.5h96M48 0v22\"/></svg>",
      BarPath(s.histogram.counts, 0, 96, 21, 20));
}

std::string Pictures(const Statistics& s, std::string& problem) {
  Histogram histogram = s.histogram;
  histogram.name.clear();  // the section is named after the tensor
  std::string html;
  for (const std::string& kind : PictureKinds()) {
    PictureRequest request;
    request.kind = kind;
    request.histogram = &histogram;
    request.low = -kGateEdge;
    request.high = kGateEdge;
    request.width = 560;
    request.height = 540;
    try {
      html += "<figure>" + RenderSvg(request) + "</figure>\n";
    } catch (const Failure& failure) {
      problem = failure.what();
      return "";
    }
  }
  return html;
}

}  // namespace gelu::cli
