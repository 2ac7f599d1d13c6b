// SPDX-License-Identifier: Apache-2.0
#include "cli/picture_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "cli/failure.h"
#include "cli/picture_text.h"

namespace gelu::cli {
namespace {

// What stands between two marks; Failure if this is not what the gnuplot at hand writes.
std::string_view Between(std::string_view text, std::string_view begin, std::string_view end) {
  const size_t from = text.find(begin);
  const size_t to = from == text.npos ? text.npos : text.find(end, from + begin.size());
  if (to == text.npos) {
    throw Failure(
        fmt::format("gnuplot: its SVG has no {}; install gnuplot 5.4 or 6.0, which are known to work", begin));
  }
  return text.substr(from + begin.size(), to - from - begin.size());
}

// Gnuplot opens a group for every change of pen, most of them empty, and numbers its plots by id.
std::string WithoutNoise(std::string_view body, const std::vector<std::string>& plot_titles) {
  std::string result;
  auto plot_title = plot_titles.begin();
  std::string group;  // an opening that nothing followed yet
  while (!body.empty()) {
    const size_t length = std::min(body.find('\n'), body.size() - 1) + 1;
    std::string line(body.substr(0, length));
    body.remove_prefix(length);
    if (line == "\n") continue;
    if (line.starts_with("<g fill=")) {
      result += std::exchange(group, line);
      continue;
    }
    if (line == "</g>\n" && !group.empty()) {
      group.clear();
      continue;
    }
    if (line.find("<g id=\"gnuplot_plot_") != std::string::npos && plot_title != plot_titles.end()) {
      line = fmt::format("<g class=\"plot\"><title>{}</title>\n", EscapeXml(*plot_title++));
    }
    result += std::exchange(group, "") + line;
  }
  return result;
}

}  // namespace

std::string InlineSvg(const std::string& gnuplot_svg, const std::string& title,
                      const std::vector<std::string>& plot_titles) {
  const std::string_view svg = gnuplot_svg;
  std::string body = WithoutNoise(Between(svg, "</defs>", "</svg>"), plot_titles);
  static constexpr std::array<std::pair<const char*, const char*>, 7> kInherit{{{" color=\"black\"", ""},
                                                                                {"\"black\"", "\"currentColor\""},
                                                                                {"'black'", "'currentColor'"},
                                                                                {"rgb(  0,   0,   0)", "currentColor"},
                                                                                {"rgb(0,0,0)", "currentColor"},
                                                                                {"]]>", "]]&gt;"},
                                                                                {"  '/>", "'/>"}}};
  for (const auto& [from, to] : kInherit) ReplaceAll(body, from, to);
  const std::string escaped = EscapeXml(title);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"{}\" "
      "style=\"max-width:100%;height:auto\" role=\"img\" "
      "aria-label=\"{}\">\n<title>{}</title>\n<g>\n{}</svg>\n",
      Between(svg, " width=\"", "\""), Between(svg, " height=\"", "\""), Between(svg, " viewBox=\"", "\""), escaped,
      escaped, body);
}

std::string OnGround(const std::string& inline_svg, const std::string& ground, const std::string& foreground) {
  std::string result = inline_svg;
  const size_t drawing = result.find("<g>");
  result.replace(
      drawing, 3,
      fmt::format("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n<g color=\"{}\">", ground, foreground));
  return result;
}

}  // namespace gelu::cli
