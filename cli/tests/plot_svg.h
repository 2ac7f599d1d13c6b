// SPDX-License-Identifier: Apache-2.0
// What tests read from an SVG.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace gelu::cli {

// The first thing that makes a text no well-formed XML element; empty if it is one.
std::string XmlFault(const std::string& text);

// The points in pixels of the curves drawn under this caption, one list for each panel in which there is one.
std::vector<std::vector<std::pair<double, double>>> CurvesCalled(const std::string& svg, const std::string& caption);

}  // namespace gelu::cli
