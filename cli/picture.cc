// SPDX-License-Identifier: Apache-2.0
#include "cli/picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/gnuplot.h"
#include "cli/picture_panel.h"
#include "cli/picture_scene.h"
#include "cli/picture_svg.h"

namespace gelu::cli {
namespace {

constexpr const char* kDarkGround = "#1c1c1e";
constexpr const char* kDarkText = "#ececec";
constexpr double kDefaultWidth = 720;

}  // namespace

std::string RenderSvg(const PictureRequest& request) {
  Sheet sheet = MakeSheet(request);
  if (request.width != 0) sheet.width = request.width;
  sheet.height = request.height;
  sheet.terminal = "svg";
  const std::string svg = InlineSvg(RunGnuplot(Script(sheet)), sheet.title, DrawnLabels(sheet));
  return request.dark ? OnGround(svg, kDarkGround, kDarkText) : svg;
}

// A PNG cannot be enlarged: by default it has two pixels for one of the SVG, and a larger one shows the same, finer.
std::string RenderPng(const PictureRequest& request) {
  Sheet sheet = MakeSheet(request);
  sheet.scale = request.width == 0 ? 2 : std::max(1.0, request.width / kDefaultWidth);
  sheet.width = request.width == 0 ? kDefaultWidth : request.width / sheet.scale;
  sheet.height = request.height / sheet.scale;
  sheet.font_size = 9;  // points, of which 3 make 4 units
  if (request.dark) sheet.foreground = kDarkText;
  sheet.terminal = fmt::format("pngcairo fontscale {0} linewidth {0} dashlength 1.5 background rgb '{1}'", sheet.scale,
                               request.dark ? kDarkGround : "white");
  return RunGnuplot(Script(sheet));
}

}  // namespace gelu::cli
