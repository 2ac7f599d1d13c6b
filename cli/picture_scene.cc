// SPDX-License-Identifier: Apache-2.0
#include "cli/picture_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/failure.h"
#include "cli/form_inputs.h"
#include "cli/picture_curve.h"
#include "cli/picture_text.h"

namespace gelu::cli {
namespace {

constexpr const char* kFamilyKind = "family";
constexpr const char* kErrorKind = "error";
constexpr int kSamples = 2880;  // four for a unit of the common width

// The request with every default filled in.
struct Scene {
  gelu_form form;
  gelu_dtype dtype;
  bool error;
  std::vector<Curve> curves;
  double low;
  double high;
  std::vector<double> x;
};

bool IsCurve(gelu_form form) { return gelu_form_inputs(form) == 1 && gelu_form_outputs(form) == 1; }

struct Words {
  std::string symbol;
  std::string name;  // before "f(x) = ..."
};

Words WordsOf(gelu_form form) {
  switch (form) {
    case gelu_form_forward:
      return {"f(x)", ""};
    case gelu_form_derivative:
      return {"f′(x)", "First derivative of "};
    case gelu_form_second_derivative:
      return {"f″(x)", "Second derivative of "};
    default:
      return {gelu_form_name(form), fmt::format("{} of ", gelu_form_name(form))};
  }
}

gelu_form FormOf(const PictureRequest& request) {
  const std::vector<std::string> kinds = PictureKinds();
  if (std::find(kinds.begin(), kinds.end(), request.kind) == kinds.end()) {
    throw Failure(fmt::format("{}: no such picture; choose one of {}", request.kind, fmt::join(kinds, ", ")));
  }
  if (request.form != gelu_form_forward && request.kind != kFamilyKind && request.kind != kErrorKind) {
    throw Failure(fmt::format("{}: is a form itself and cannot be drawn of form {}; give one of the two", request.kind,
                              gelu_form_name(request.form)));
  }
  if (!IsCurve(request.form)) {
    throw Failure(fmt::format("{}: reads {} and gives {}, and a curve is one result of x alone; choose {}",
                              gelu_form_name(request.form), fmt::join(InputsOf(request.form), ", "),
                              fmt::join(OutputsOf(request.form), ", "), AnyFormThat(IsCurve)));
  }
  for (int form = 0; form < gelu_form_count_; ++form) {
    if (request.kind == gelu_form_name(static_cast<gelu_form>(form))) return static_cast<gelu_form>(form);
  }
  return request.form;
}

Scene MakeScene(PictureRequest request) {
  SetDefaultRange(request);
  Scene scene{
      FormOf(request), request.dtype, request.kind == kErrorKind, request.curves, request.low, request.high, {}};
  if (scene.curves.empty()) {
    scene.curves = scene.error ? ApproximationCurves() : FamilyCurves();
    // What the reference itself loses to the dtype belongs beside what the others differ by.
    if (scene.error && scene.dtype != gelu_dtype_f64) scene.curves.insert(scene.curves.begin(), FamilyCurves().front());
  }
  const double width = scene.high - scene.low;
  if (!(width > 1e-6 * std::max(std::abs(scene.low), std::abs(scene.high))) || !std::isfinite(width)) {
    throw Failure(fmt::format(
        "{}:{}: no range that can be drawn; give two finite numbers, the lower one first and the other well above",
        scene.low, scene.high));
  }
  scene.x = Grid(scene.low, scene.high, kSamples);
  // Whatever jumps or bends in this family does so at zero: both sides of it are shown.
  for (const double x : {-1e-9, 0.0, 1e-9}) {
    if (scene.low < x && x < scene.high) scene.x.push_back(x);
  }
  std::sort(scene.x.begin(), scene.x.end());
  scene.x.erase(std::unique(scene.x.begin(), scene.x.end()), scene.x.end());
  return scene;
}

Line MakeLine(const Scene& scene, const std::vector<double>& y, const Curve& curve) {
  Line line{{}, Caption(curve.name, curve.activation), curve.style};
  for (size_t i = 0; i < scene.x.size(); ++i) line.points.emplace_back(scene.x[i], y[i]);
  return line;
}

Panel FamilyPanel(const Scene& scene) {
  Panel panel;
  panel.y_label = WordsOf(scene.form).symbol;
  panel.height = 300;
  for (const Curve& curve : scene.curves) {
    panel.lines.push_back(MakeLine(scene, Evaluate(curve.activation, scene.form, scene.dtype, scene.x), curve));
  }
  FitRange(panel);
  return panel;
}

std::string InDtype(const Scene& scene, const char* in) {
  return scene.dtype == gelu_dtype_f64 ? "" : std::string(in) + gelu_dtype_name(scene.dtype);
}

Panel DifferencePanel(const Scene& scene, const Curve& curve, const std::vector<double>& difference) {
  size_t largest = 0;
  for (size_t i = 1; i < difference.size(); ++i) {
    // The differences of a gate form are even: of two that are equal but for rounding, name the first.
    if (std::abs(difference[i]) > std::abs(difference[largest]) * (1 + 1e-9)) largest = i;
  }
  Panel panel;
  const double distance = std::abs(scene.x[largest]);  // from zero, as exact as the grid
  const std::string place = distance < 1000 ? fmt::format("{:.2f}", distance) : Scientific(distance, 3);
  panel.title = fmt::format("{}{} − {}, largest: {} at x = {}{}", Printable(curve.name), InDtype(scene, " in "),
                            gelu_function_name(Reference().function), Scientific(difference[largest], 3),
                            scene.x[largest] < 0 && place != "0.00" ? "−" : "", place);
  panel.y_label = "difference";
  panel.height = 90;
  panel.lines.push_back(MakeLine(scene, difference, curve));
  FitRange(panel);
  return panel;
}

// One panel for each curve, since the differences are decades apart, and one of relative differences for all.
std::vector<Panel> ErrorPanels(const Scene& scene) {
  const std::vector<double> reference = Evaluate(Reference(), scene.form, gelu_dtype_f64, Round(scene.dtype, scene.x));
  std::vector<Panel> panels;
  Panel relative;
  relative.title = fmt::format("|f − {0}| / |{0}|", gelu_function_name(Reference().function));
  relative.y_label = "relative";
  relative.logarithmic = true;
  relative.y_low = 1e-6;
  relative.y_high = 10;
  relative.height = 150;
  for (const Curve& curve : scene.curves) {
    std::vector<double> difference = Evaluate(curve.activation, scene.form, scene.dtype, scene.x);
    std::vector<double> ratio;
    for (size_t i = 0; i < difference.size(); ++i) {
      difference[i] -= reference[i];
      ratio.push_back(std::abs(difference[i] / reference[i]));
      if (std::isfinite(ratio[i])) relative.y_high = std::max(relative.y_high, 2 * ratio[i]);
    }
    panels.push_back(DifferencePanel(scene, curve, difference));
    relative.lines.push_back(MakeLine(scene, ratio, curve));
  }
  // Derivatives have roots, where a relative difference says nothing.
  if (scene.form == gelu_form_forward) panels.push_back(relative);
  return panels;
}

std::string Share(double part, double whole) {
  const std::string percent = fmt::format("{:.1f}", 100 * part / whole);
  return part < whole && percent == "100.0" ? "over 99.9" : percent;
}

Panel HistogramPanel(const Histogram& histogram, const Scene& scene) {
  const uint64_t counted = std::accumulate(histogram.counts.begin(), histogram.counts.end(), uint64_t{0});
  const uint64_t total = histogram.total == 0 ? counted : histogram.total;
  if (counted == 0 || !(histogram.low < histogram.high)) {
    throw Failure(fmt::format("{}: no element lies in the range of its histogram; give another range or tensor",
                              Printable(histogram.name)));
  }
  const double width = (histogram.high - histogram.low) / static_cast<double>(histogram.counts.size());
  Line line;
  double shown = 0;
  for (size_t i = 0; i < histogram.counts.size(); ++i) {
    const double left = std::max(histogram.low + width * static_cast<double>(i), scene.low);
    const double right = std::min(histogram.low + width * static_cast<double>(i + 1), scene.high);
    if (left >= right) continue;
    const auto count = static_cast<double>(histogram.counts[i]);
    shown += count * ((right - left) / width);
    line.points.emplace_back(left, count / (static_cast<double>(total) * width));
    line.points.emplace_back(right, count / (static_cast<double>(total) * width));
  }
  Panel panel;
  panel.title = fmt::format("{}{} elements, {} % shown", histogram.name.empty() ? "" : Printable(histogram.name) + ": ",
                            total, Share(shown, static_cast<double>(total)));
  panel.y_label = "density";
  panel.filled = true;
  panel.height = 80;
  line.label = panel.title;
  panel.lines.push_back(line);
  FitRange(panel);
  return panel;
}

std::string Title(const Scene& scene) {
  std::string title = scene.curves.size() == 1 ? Caption(scene.curves[0].name, scene.curves[0].activation)
                                               : std::string("f(x) = x gate(αx)");
  title = WordsOf(scene.form).name + title;
  if (scene.error) title = fmt::format("{}: difference from {}", title, gelu_function_name(Reference().function));
  return title + InDtype(scene, ", in ");
}

}  // namespace

std::vector<std::string> PictureKinds() {
  std::vector<std::string> kinds{kFamilyKind};
  for (int form = 0; form < gelu_form_count_; ++form) {
    const auto id = static_cast<gelu_form>(form);
    if (id != gelu_form_forward && IsCurve(id)) kinds.push_back(gelu_form_name(id));
  }
  kinds.push_back(kErrorKind);
  return kinds;
}

void SetDefaultRange(PictureRequest& request) {
  if (request.low != request.high) return;
  const bool values = FormOf(request) == gelu_form_forward && request.kind != kErrorKind;
  request.low = values ? -4 : -6;
  request.high = values ? 3 : 6;
}

Sheet MakeSheet(const PictureRequest& request) {
  const Scene scene = MakeScene(request);
  Sheet sheet;
  sheet.title = Title(scene);
  sheet.x_label = request.histogram == nullptr ? "x" : "x, before the activation";
  sheet.x_low = scene.low;
  sheet.x_high = scene.high;
  sheet.legend = scene.curves.size() > 1;
  sheet.panels = scene.error ? ErrorPanels(scene) : std::vector<Panel>{FamilyPanel(scene)};
  for (Panel& panel : sheet.panels) DropEmptyLines(panel);
  std::erase_if(sheet.panels, [](const Panel& panel) { return panel.lines.empty(); });
  if (sheet.panels.empty()) {
    throw Failure(fmt::format("{}:{}: no finite value in {}; give another range", scene.low, scene.high,
                              gelu_dtype_name(scene.dtype)));
  }
  if (request.histogram != nullptr) sheet.panels.push_back(HistogramPanel(*request.histogram, scene));
  return sheet;
}

}  // namespace gelu::cli
