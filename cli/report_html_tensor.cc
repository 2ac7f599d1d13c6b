// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/picture_text.h"
#include "cli/report_html.h"
#include "cli/report_words.h"

namespace gelu::cli {
namespace {

constexpr const char* kNone = "\u2013";

std::string Cell(const std::string& text) { return fmt::format("<td>{}</td>", EscapeXml(text)); }
std::string At(const Difference& d) { return Cell(d.max() > 0 ? Short(d.at()) : kNone); }

std::string Tile(const char* name, const std::string& value, const std::string& meaning) {
  return fmt::format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, EscapeXml(value),
                     EscapeXml(meaning));
}

std::string Tiles(const Statistics& s) {
  const PrecisionStatistics& own = s.precision.front();
  const std::string type = gelu_dtype_name(own.dtype);
  std::string html = "<dl class=\"tiles\">\n";
  if (s.x.usable()) {
    html += Tile("mean", Number(s.x.mean()), "of the inputs");
    html += Tile("std", Number(s.x.deviation()), "their standard deviation");
  }
  html += Tile("min", Number(s.min), "smallest finite input");
  html += Tile("max", Number(s.max), "largest finite input");
  html += Tile("NaN", Count(s.nan), "not a number");
  html += Tile("infinite", Count(s.positive_inf + s.negative_inf),
               fmt::format("+inf {}, -inf {}", Count(s.positive_inf), Count(s.negative_inf)));
  html += Tile("deep tail", Share(s.tail, s.finite), fmt::format("of inputs below {}", kTailEdge));
  html += Tile("subnormal", Share(own.subnormals, s.finite),
               fmt::format("of results in {}; {} more round to zero", type, Share(own.flushed, s.finite)));
  if (s.units && s.units->dead) {
    html += Tile("dead units", Share(*s.units->dead, s.units->units),
                 fmt::format("{} of {} never rise above {}", Count(*s.units->dead), Count(s.units->units),
                             Short(s.options.dead_threshold)));
  }
  return html + "</dl>\n";
}

std::string FunctionTable(const Statistics& s) {
  const std::string reference = EscapeXml(s.options.reference.name);
  std::string html = fmt::format(
      "<h3>If another function were used</h3>\n<div class=\"scroll\"><table>\n<thead><tr><th>function</th>"
      "<th>largest change<br>of an output</th><th>at x =</th><th>rms "
      "change</th><th>time<br>ns/element</th></tr></thead>"
      "\n<tbody>\n");
  for (const FunctionStatistics& f : s.functions) {
    const bool first = &f == &s.functions.front();
    const std::string names = FamousNames(f.function);
    html += fmt::format("<tr{}><th>{}{}</th>{}{}{}{}</tr>\n", first ? " class=\"reference\"" : "",
                        EscapeXml(f.function.name), names.empty() ? "" : "<small>" + EscapeXml(names) + "</small>",
                        Cell(first ? "reference" : Short(f.change.max())), At(f.change),
                        Cell(first ? kNone : Short(f.change.rms())), Cell(fmt::format("{:.2f}", f.ns)));
  }
  return html + fmt::format(
                    "</tbody>\n</table></div>\n<p class=\"note\">Change: |f(x) \u2212 {}(x)| over these inputs, "
                    "both in f64. Time: the forward pass in {} over these elements in cache, one thread, the "
                    "median of several runs. Grey: other names of the same function.</p>\n",
                    reference, gelu_dtype_name(s.tensor.dtype));
}

std::string PrecisionTable(const Statistics& s) {
  std::string html = fmt::format(
      "<h3>If computed in fewer bits</h3>\n<div class=\"scroll\"><table>\n<thead><tr><th>{} in</th>"
      "<th>largest error</th><th>at x =</th><th>rms error</th><th>largest<br>relative error</th><th>become<br>infinite"
      "</th><th>become<br>subnormal</th><th>become<br>zero</th></tr></thead>\n<tbody>\n",
      EscapeXml(s.options.reference.name));
  for (const PrecisionStatistics& p : s.precision) {
    // f64 is what the others are measured against.
    const auto error = [&](double value) { return Cell(p.dtype == gelu_dtype_f64 ? kNone : Short(value)); };
    const bool own = &p == &s.precision.front();
    html += fmt::format("<tr{}><th>{}{}</th>{}{}{}{}{}{}{}</tr>\n", own ? " class=\"reference\"" : "",
                        gelu_dtype_name(p.dtype), own ? "<small>the type of this tensor</small>" : "",
                        error(p.error.max()), At(p.error), error(p.error.rms()), error(p.max_relative),
                        Cell(Count(p.overflows)), Cell(Count(p.subnormals)), Cell(Count(p.flushed)));
  }
  return html +
         "</tbody>\n</table></div>\n<p class=\"note\">The inputs rounded to the type and the function evaluated in it, "
         "against f64 on the inputs as they are. Relative error: over results that are normal numbers of the type. In "
         "the negative tail the rounding of the input decides: it moves the result by about x\u00b2 times its own "
         "relative size.</p>\n";
}

std::string GaussTable(const Statistics& s) {
  std::string html =
      "<h3>After the activation, against Gaussian theory</h3>\n<div "
      "class=\"scroll\"><table>\n<thead><tr><th>function</th>"
      "<th>mean</th><th>if Gaussian</th><th>std</th><th>if Gaussian</th><th>variance</th><th>if Gaussian</th></tr>"
      "</thead>\n<tbody>\n";
  for (const FunctionStatistics& f : s.functions) {
    html += fmt::format("<tr{}><th>{}</th>", &f == &s.functions.front() ? " class=\"reference\"" : "",
                        EscapeXml(f.function.name));
    const auto pair = [&](auto of) { html += Cell(Number(of(f.after))) + Cell(Number(of(*f.gauss))); };
    pair([](const Moments& m) { return m.mean(); });
    pair([](const Moments& m) { return m.deviation(); });
    pair([](const Moments& m) { return m.variance(); });
    html += "</tr>\n";
  }
  return html + fmt::format(
                    "</tbody>\n</table></div>\n<p class=\"note\">Measured on these inputs, beside the exact "
                    "moments of f(X) for X normal with mean {} and standard deviation {}, as theory of "
                    "initialisation assumes. Where they part, the inputs are not Gaussian.</p>\n",
                    Number(s.x.mean()), Number(s.x.deviation()));
}

}  // namespace

std::string TensorSection(const Statistics& s) {
  std::string html =
      fmt::format("<h2>{}</h2>\n<p class=\"meta\">{} \u00b7 {} \u00b7 {}</p>\n", EscapeXml(Printable(s.tensor.name)),
                  gelu_dtype_name(s.tensor.dtype), Shape(s.tensor), Counted(s.tensor.count, "element", "elements"));
  html += "<ul class=\"findings\">\n";
  for (const std::string& finding : Findings(s)) html += fmt::format("<li>{}</li>\n", EscapeXml(finding));
  html += "</ul>\n";
  if (s.finite == 0) return html;
  html += fmt::format(
      "<figure>{}<figcaption>Where the inputs lie, and how far the gate is open for them: 0 blocks, 1 "
      "lets through. Outside the picture: {} to the left, {} to the right. Shaded: the deep "
      "tail.</figcaption></figure>\n",
      GateSvg(s), EscapeXml(Share(s.below, s.finite)), EscapeXml(Share(s.above, s.finite)));
  html += Tiles(s) + FunctionTable(s) + PrecisionTable(s);
  const FunctionStatistics& reference = s.functions.front();
  if (reference.gauss && reference.after.usable()) html += GaussTable(s);
  return html;
}

}  // namespace gelu::cli
