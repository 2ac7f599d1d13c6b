// SPDX-License-Identifier: Apache-2.0
// Panels one above the other on one x axis, and the gnuplot script that draws them.
#pragma once
#include <string>
#include <vector>

#include "cli/picture_simplify.h"

namespace gelu::cli {

struct Line {
  Points points;      // where a value is not finite the line has a gap
  std::string label;  // for the legend
  size_t style = 0;   // colour, dashes and width
};

struct Panel {
  std::string title;  // above it; may be empty
  std::string y_label;
  std::vector<Line> lines;
  double y_low = 0;
  double y_high = 0;
  bool logarithmic = false;
  bool filled = false;  // one area between the line and zero, which no legend needs to name
  int height = 0;       // in units; what a given height of the sheet leaves is shared out in proportion
};

// Lengths are in units: pixels of an SVG, 1/scale of the pixels of a PNG.
struct Sheet {
  std::string title;
  std::string x_label;
  double x_low = 0;
  double x_high = 0;
  std::vector<Panel> panels;
  bool legend = true;
  double width = 720;
  double height = 0;  // 0: what the panels ask for
  double scale = 1;
  double font_size = 12;
  std::string foreground = "black";  // a colour as gnuplot spells it
  std::string terminal;              // its name and its options but for font and size
};

// Removes the lines that have no point to draw.
void DropEmptyLines(Panel& panel);

// Sets the range of y to what the lines reach, with air around it.
void FitRange(Panel& panel);

// Throws Failure if the sheet is too small for what it shows.
std::string Script(const Sheet& sheet);

// The labels of all lines, in the order in which the script draws them.
std::vector<std::string> DrawnLabels(const Sheet& sheet);

}  // namespace gelu::cli
