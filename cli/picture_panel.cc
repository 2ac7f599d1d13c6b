// SPDX-License-Identifier: Apache-2.0
#include "cli/picture_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cli/failure.h"
#include "cli/picture_text.h"

namespace gelu::cli {
namespace {

// Units.
constexpr int kLeft = 92, kRight = 20, kTitle = 38, kLegendRow = 18, kLegendEnd = 6, kXAxis = 50, kGap = 18,
              kPanelTitle = 18, kSmallest = 30;

// The colours of Okabe and Ito that stand out from white and from black, and from each other for every kind of colour
// vision; line 0 has the foreground's. Dashes tell the lines apart in black and white.
constexpr std::array kColours{"#D55E00", "#0072B2", "#CC79A7", "#009E73", "#E69F00", "#56B4E9"};
constexpr std::array kDashes{"(8,4)", "(12,3,2,3)", "(2,2.5)", "(14,5)", "(6,2,2,2,2,2)"};

std::string Quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += c;
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + "'";
}

std::string LineStyle(size_t style, const std::string& foreground) {
  if (style == 0) return fmt::format("lc rgb '{}' lw 2.5 dt 1", foreground);
  return fmt::format("lc rgb '{}' lw 2 dt {}", kColours[(style - 1) % kColours.size()],
                     kDashes[(style - 1) % kDashes.size()]);
}

std::vector<const Line*> Legend(const Sheet& sheet) {
  std::vector<const Line*> legend;
  if (!sheet.legend) return legend;
  for (const Panel& panel : sheet.panels) {
    if (panel.filled) continue;
    for (const Line& line : panel.lines) {
      const auto same = [&](const Line* other) { return other->style == line.style && other->label == line.label; };
      if (std::none_of(legend.begin(), legend.end(), same)) legend.push_back(&line);
    }
  }
  return legend;
}

// Where things lie, in units from the upper edge.
struct Layout {
  double height;
  std::vector<std::pair<double, double>> panels;  // top and bottom of each
};

Layout Arrange(const Sheet& sheet) {
  const int rows = static_cast<int>(Legend(sheet).size());
  const int head = kTitle + kLegendRow * rows + (rows > 0 ? kLegendEnd : 0);
  int frame = head + kXAxis;
  int asked = 0, smallest = std::numeric_limits<int>::max();
  for (const Panel& panel : sheet.panels) {
    frame += kGap + (panel.title.empty() ? 0 : kPanelTitle);
    asked += panel.height;
    smallest = std::min(smallest, panel.height);
  }
  Layout layout{sheet.height == 0 ? frame + asked : sheet.height, {}};
  const double stretch = (layout.height - frame) / asked;
  const int least_height = frame + asked * kSmallest / smallest + 1;
  const int least_width = 4 * (kLeft + kRight);
  if (layout.height < least_height || sheet.width < least_width) {
    throw Failure(fmt::format("{:.0f}x{:.0f}: too small for this picture; give at least {:.0f}x{:.0f}",
                              sheet.width * sheet.scale, layout.height * sheet.scale, least_width * sheet.scale,
                              least_height * sheet.scale));
  }
  double top = head;
  for (const Panel& panel : sheet.panels) {
    top += kGap + (panel.title.empty() ? 0 : kPanelTitle);
    layout.panels.emplace_back(top, top + panel.height * stretch);
    top = layout.panels.back().second;
  }
  return layout;
}

// A step of 1, 2 or 5 times a power of ten, for at most `ticks` of them.
double TickStep(double range, double ticks) {
  const double rough = range / ticks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= rough) return step * power;
  }
  return 10 * power;
}

// Powers of ten, evenly spaced, at most `ticks` of them.
std::string LogTics(const Panel& panel, double ticks) {
  const int first = static_cast<int>(std::ceil(std::log10(panel.y_low)));
  const int last = static_cast<int>(std::floor(std::log10(panel.y_high)));
  const int step = std::max(1, static_cast<int>(std::ceil((last - first) / ticks)));
  std::string tics;
  for (int power = first; power <= last; power += step) {
    tics += fmt::format("{}'{}' 1e{}", tics.empty() ? "(" : ", ", PowerOfTen(power), power);
  }
  return tics + ")";
}

// A named block of data with the points that a panel of this height needs.
std::string Data(const std::string& name, const Panel& panel, const Line& line, double height) {
  const auto on_paper = [&](double y) { return panel.logarithmic ? std::log10(y) : y; };
  const double tolerance = 0.03 * (on_paper(panel.y_high) - on_paper(panel.y_low)) / height;
  std::string block = fmt::format("${} << EOD\n", name);
  Points piece;
  const auto flush = [&] {
    for (const auto& [x, y] : panel.filled ? piece : Simplify(piece, tolerance)) {
      block += fmt::format("{:.12g} {:.12g}\n", x, panel.logarithmic ? std::pow(10, y) : y);
    }
    if (!piece.empty()) block += "\n";
    piece.clear();
  };
  for (const auto& [x, y] : line.points) {
    if (const double value = on_paper(y); std::isfinite(value)) {
      piece.emplace_back(x, value);
    } else {
      flush();
    }
  }
  flush();
  return block + "EOD\n";
}

std::string Head(const Sheet& sheet, double height) {
  const auto x = [&](double units) { return units / sheet.width; };
  const auto y = [&](double units) { return 1 - units / height; };
  const std::string text = fmt::format("tc rgb '{}'", sheet.foreground);
  std::string script = fmt::format(
      "set encoding utf8\nset minussign\nset terminal {} noenhanced font 'sans-serif,{:.4g}' size {:.0f},{:.0f}\nset "
      "multiplot\nunset key\n"
      "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\nset xrange [{:.17g}:{:.17g}]\n"
      "set border 3 lw 0.8 lc rgb '{}'\nset tics nomirror out scale 0.4 {}\n"
      "set grid lt 1 lw 0.5 dt 1 lc rgb '#A0808080'\nset xzeroaxis lt 1 lw 0.8 dt 1 lc rgb '#808080'\n"
      "set yzeroaxis lt 1 lw 0.8 dt 1 lc rgb '#808080'\nset style fill transparent solid 0.5 noborder\n"
      "set xtics {:.9g}\nset label 1 {} at screen {:.6f},{:.6f} left font ',{:.4g}' {}\n"
      "set label 4 {} at screen {:.6f},{:.6f} center {}\n",
      sheet.terminal, sheet.font_size, sheet.width * sheet.scale, height * sheet.scale, x(kLeft),
      x(sheet.width - kRight), sheet.x_low, sheet.x_high, sheet.foreground, text,
      TickStep(sheet.x_high - sheet.x_low, sheet.width / 60.0), Quoted(sheet.title), x(kLeft), y(22),
      1.25 * sheet.font_size, text, Quoted(sheet.x_label), x((kLeft + sheet.width - kRight) / 2), y(height - 12), text);
  int id = 10;
  double row = kTitle + kLegendRow / 2.0;
  for (const Line* line : Legend(sheet)) {
    script += fmt::format(
        "set arrow {0} from screen {1:.6f},{2:.6f} to screen {3:.6f},{2:.6f} nohead {4}\n"
        "set label {0} {5} at screen {6:.6f},{2:.6f} left {7}\n",
        id++, x(kLeft), y(row), x(kLeft + 46), LineStyle(line->style, sheet.foreground), Quoted(line->label),
        x(kLeft + 56), text);
    row += kLegendRow;
  }
  return script;
}

std::string PanelScript(const Sheet& sheet, size_t index, double top, double bottom, double height) {
  const Panel& panel = sheet.panels[index];
  const bool last = index + 1 == sheet.panels.size();
  std::string data, plot;
  for (size_t i = 0; i < panel.lines.size(); ++i) {
    const std::string name = fmt::format("d{}_{}", index, i);
    data += Data(name, panel, panel.lines[i], bottom - top);
    plot += fmt::format("{}${} with {}", i == 0 ? "plot " : ", ", name,
                        panel.filled ? "filledcurves y1=0 fc rgb '#808080'"
                                     : "lines " + LineStyle(panel.lines[i].style, sheet.foreground));
  }
  const double room = bottom - top;
  const double ticks = std::max(room / 26, std::min(room / 20, 4.5));  // a low panel needs some, too
  const std::string tics =
      panel.logarithmic ? LogTics(panel, ticks) : fmt::format("{:.9g}", TickStep(panel.y_high - panel.y_low, ticks));
  return fmt::format(
      "{}set tmargin at screen {:.6f}\nset bmargin at screen {:.6f}\n{} logscale y\nset yrange [{:.9g}:{:.9g}]\n"
      "set ytics {}\nset format x '{}'\nset format y '%g'\n"
      "set label 2 {} at screen {:.6f}, graph 0.5 center rotate tc rgb '{}'\n"
      "set label 3 {} at graph 0,1 left offset character 0,0.8 tc rgb '{}'\n{}\n",
      data, 1 - top / height, 1 - bottom / height, panel.logarithmic ? "set" : "unset", panel.y_low, panel.y_high, tics,
      last ? "%g" : "", Quoted(panel.y_label), 12.0 / sheet.width, sheet.foreground, Quoted(panel.title),
      sheet.foreground, plot);
}

}  // namespace

void DropEmptyLines(Panel& panel) {
  const auto drawn = [&](const std::pair<double, double>& point) {
    return std::isfinite(point.second) && (point.second > 0 || !panel.logarithmic);
  };
  std::erase_if(panel.lines, [&](const Line& line) { return std::ranges::none_of(line.points, drawn); });
}

void FitRange(Panel& panel) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  double low = panel.filled ? 0 : kInf;
  double high = -low;
  for (const Line& line : panel.lines) {
    for (const auto& [x, y] : line.points) {
      if (!std::isfinite(y)) continue;
      low = std::min(low, y);
      high = std::max(high, y);
    }
  }
  if (!(low < high)) {  // nothing, or one constant
    const double middle = low == high ? low : 0;
    low = panel.filled ? 0 : middle - 1;
    high = middle + 1;
  }
  panel.y_low = panel.filled ? 0 : low - 0.05 * (high - low);
  panel.y_high = high + 0.05 * (high - low);
}

std::string Script(const Sheet& sheet) {
  const Layout layout = Arrange(sheet);
  std::string script = Head(sheet, layout.height);
  for (size_t i = 0; i < sheet.panels.size(); ++i) {
    const auto [top, bottom] = layout.panels[i];
    script += PanelScript(sheet, i, top, bottom, layout.height);
    if (i == 0) script += "unset label\nunset arrow\n";
  }
  return script + "unset multiplot\n";
}

std::vector<std::string> DrawnLabels(const Sheet& sheet) {
  std::vector<std::string> labels;
  for (const Panel& panel : sheet.panels) {
    for (const Line& line : panel.lines) labels.push_back(line.label);
  }
  return labels;
}

}  // namespace gelu::cli
