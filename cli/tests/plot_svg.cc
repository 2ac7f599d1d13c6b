// SPDX-License-Identifier: Apache-2.0
#include "cli/tests/plot_svg.h"

#include <cstdlib>
#include <regex>

#include "cli/picture_text.h"

namespace gelu::cli {
namespace {

bool HasOnlyEntities(const std::string& text) {
  static const std::regex entity("&(amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);");
  return std::regex_replace(text, entity, "").find('&') == std::string::npos && text.find("]]>") == std::string::npos;
}

}  // namespace

std::string XmlFault(const std::string& text) {
  static const std::regex tag("(/?)([a-zA-Z][\\w:.-]*)((\\s+[\\w:.-]+\\s*=\\s*(\"[^\"<]*\"|'[^'<]*'))*)\\s*(/?)");
  std::vector<std::string> open;
  bool ended = false;
  for (size_t at = 0; at < text.size();) {
    const size_t start = text.find('<', at);
    const std::string between = text.substr(at, start == std::string::npos ? start : start - at);
    if (!HasOnlyEntities(between)) return "a stray & or ]]> in " + between;
    if (open.empty() && between.find_first_not_of(" \n") != std::string::npos) return "text outside: " + between;
    if (start == std::string::npos) break;
    const size_t end = text.find('>', start);
    if (end == std::string::npos) return "an unfinished tag";
    const std::string inside = text.substr(start + 1, end - start - 1);
    std::smatch match;
    if (!std::regex_match(inside, match, tag)) return "no tag: <" + inside.substr(0, 80) + ">";
    if (!HasOnlyEntities(match.str(3))) return "a stray & in <" + inside + ">";
    if (ended) return "a second element";
    if (!match.str(1).empty()) {
      if (open.empty() || open.back() != match.str(2)) return "</" + match.str(2) + "> closes nothing";
      open.pop_back();
    } else if (match.str(6).empty()) {
      open.push_back(match.str(2));
    }
    ended = open.empty();
    at = end + 1;
  }
  if (!open.empty()) return "<" + open.back() + "> is left open";
  return ended ? "" : "no element";
}

std::vector<std::vector<std::pair<double, double>>> CurvesCalled(const std::string& svg, const std::string& caption) {
  static const std::regex point("[ML](-?[0-9.]+),(-?[0-9.]+)");
  const std::string head = "<g class=\"plot\"><title>" + EscapeXml(caption) + "</title>";
  std::vector<std::vector<std::pair<double, double>>> curves;
  for (size_t at = svg.find(head); at != std::string::npos; at = svg.find(head, at + 1)) {
    const std::string group = svg.substr(at, svg.find("<g class=\"plot\">", at + 1) - at);
    std::vector<std::pair<double, double>> points;
    const size_t path = group.find("<path");
    const std::string drawn = path == std::string::npos ? "" : group.substr(path, group.find("/>", path) - path);
    for (std::sregex_iterator it(drawn.begin(), drawn.end(), point), end; it != end; ++it) {
      points.emplace_back(std::strtod(it->str(1).c_str(), nullptr), std::strtod(it->str(2).c_str(), nullptr));
    }
    curves.push_back(points);
  }
  return curves;
}

}  // namespace gelu::cli
