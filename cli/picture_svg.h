// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace gelu::cli {

// Gnuplot's SVG as one element that can stand in HTML any number of times: without prologue, without ids and the
// definitions that they name, black replaced by currentColor. The title, and one for each plot in the order in which
// they are drawn, go to whoever hovers or cannot see.
std::string InlineSvg(const std::string& gnuplot_svg, const std::string& title,
                      const std::vector<std::string>& plot_titles);

// The same on a coloured ground.
std::string OnGround(const std::string& inline_svg, const std::string& ground, const std::string& foreground);

}  // namespace gelu::cli
