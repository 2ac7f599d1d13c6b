// SPDX-License-Identifier: Apache-2.0
#include "cli/report_html.h"

#include <fmt/format.h>

#include "cli/picture_text.h"
#include "cli/report_words.h"

namespace gelu::cli {
namespace {

std::string Head(const Report& report) {
  const std::string file = EscapeXml(Printable(report.file));
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{} \u2013 gelu report</title>\n<style>{}</style>\n</head>\n<body>\n<header>\n"
      "<p class=\"kicker\">gelu report</p>\n<h1>{}</h1>\n",
      file, kReportStyle, file);
  html += fmt::format(
      "<p class=\"meta\">{} of inputs to an activation. Everything is compared with <b>{}</b>, computed in f64.</p>\n",
      Counted(report.tensors.size(), "tensor", "tensors"),
      EscapeXml(Caption(report.options.reference.name, report.options.reference.activation)));
  for (const SkippedTensor& skipped : report.skipped) {
    html += fmt::format("<p class=\"meta warn\">Left out: {}, of type {}, which is not evaluated.</p>\n",
                        EscapeXml(Printable(skipped.name)), EscapeXml(Printable(skipped.dtype)));
  }
  return html + "</header>\n";
}

std::string Overview(const Report& report) {
  std::string html = "<ul class=\"findings\">\n";
  for (const std::string& finding : Findings(report.tensors)) html += fmt::format("<li>{}</li>\n", EscapeXml(finding));
  html +=
      "</ul>\n<div class=\"scroll\"><table>\n<thead><tr><th>tensor</th><th>elements</th><th>from -6 to 6</th>"
      "<th>mean</th><th>std</th><th>min</th><th>max</th>";
  html += fmt::format("<th>below {}</th><th>dead units</th></tr></thead>\n<tbody>\n", kTailEdge);
  for (std::size_t i = 0; i < report.tensors.size(); ++i) {
    const Statistics& s = report.tensors[i];
    html += fmt::format("<tr><th><a href=\"#{}\">{}</a></th><td>{}</td>", TensorAnchor(i),
                        EscapeXml(Printable(s.tensor.name)), Count(s.tensor.count));
    if (s.finite == 0) {
      html += "<td colspan=\"7\">no finite number</td></tr>\n";
      continue;
    }
    const bool usable = s.x.usable();
    html += fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        SparkSvg(s), usable ? Short(s.x.mean()) : "\u2013", usable ? Short(s.x.deviation()) : "\u2013",
                        Short(s.min), Short(s.max), EscapeXml(Share(s.tail, s.finite)),
                        s.units && s.units->dead ? EscapeXml(Share(*s.units->dead, s.units->units)) : "\u2013");
  }
  return html + "</tbody>\n</table></div>\n";
}

}  // namespace

std::string TensorAnchor(std::size_t index) { return fmt::format("tensor-{}", index + 1); }

PagePictures WriteReportHtml(const Report& report, const std::function<void(std::string_view)>& write) {
  write(Head(report));
  if (report.tensors.size() > 1) write(Overview(report));
  PagePictures outcome;
  for (std::size_t i = 0; i < report.tensors.size(); ++i) {
    const Statistics& s = report.tensors[i];
    write(fmt::format("<section class=\"tensor{}\" id=\"{}\">\n", report.tensors.size() == 1 ? " only" : "",
                      TensorAnchor(i)));
    write(TensorSection(s));
    const std::string pictures = s.finite > 0 && outcome.problem.empty() ? Pictures(s, outcome.problem) : "";
    if (!pictures.empty()) {
      outcome.any = true;
      write(
          fmt::format("<details{}><summary>The functions, their derivatives and differences over these inputs"
                      "</summary>\n<div class=\"pictures\">\n{}</div></details>\n",
                      i == 0 ? " open" : "", pictures));
    }
    write("</section>\n");
  }
  if (!outcome.problem.empty()) {
    write(fmt::format("<p class=\"warn\">No pictures: {}</p>\n", EscapeXml(outcome.problem)));
  }
  write(
      fmt::format("<footer>Made by <code>gelu report</code>, gelu {}, on the instruction set {}. Standard deviations "
                  "are of the population (divided by n). All statistics are of the finite elements.</footer>\n"
                  "</body>\n</html>\n",
                  gelu_version(), EscapeXml(gelu_target())));
  return outcome;
}

}  // namespace gelu::cli
