// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/picture_text.h"
#include "cli/report.h"
#include "cli/report_words.h"
#include "cli/statistics_gate.h"

namespace gelu::cli {
namespace {

constexpr std::size_t kColumns = 48;  // of the histogram
constexpr std::size_t kRows = 3;
constexpr std::size_t kWidth = 100;

// Eighths of a character cell.
constexpr std::array<const char*, 9> kBlocks = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                                "\u2585", "\u2586", "\u2587", "\u2588"};

// Cells of ASCII in columns as wide as they need; the first column to the left, the others to the right.
std::string Table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    text += fmt::format("  {:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
    text += '\n';
  }
  return text;
}

// A sentence over as many lines as it needs, under a bullet.
std::string Wrapped(const std::string& sentence) {
  std::string text = "  -";
  std::size_t column = 3;
  for (std::size_t start = 0; start < sentence.size();) {
    const std::size_t end = std::min(sentence.find(' ', start), sentence.size());
    if (column + 1 + end - start > kWidth) {
      text += "\n   ";
      column = 3;
    }
    text += ' ' + sentence.substr(start, end - start);
    column += 1 + end - start;
    start = end + 1;
  }
  return text + '\n';
}

// levels in eighths of a cell, drawn as bars `rows` cells high; the label stands at their foot.
std::string Bars(const std::vector<std::size_t>& levels, std::size_t rows, const char* label) {
  std::string text;
  for (std::size_t row = rows; row-- > 0;) {
    std::string line = fmt::format("  {:<9}", row == 0 ? label : "");
    for (const std::size_t level : levels)
      line += kBlocks[std::clamp<std::size_t>(level, 8 * row, 8 * row + 8) - 8 * row];
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

std::string HistogramText(const Statistics& s) {
  std::vector<uint64_t> counts(kColumns, 0);
  for (std::size_t i = 0; i < s.histogram.counts.size(); ++i) {
    counts[i * kColumns / s.histogram.counts.size()] += s.histogram.counts[i];
  }
  const uint64_t largest = *std::max_element(counts.begin(), counts.end());
  std::vector<std::size_t> bars, gate;
  for (std::size_t i = 0; i < kColumns; ++i) {
    // A bar that is not empty shows, however small it is.
    const double height =
        largest == 0 ? 0 : 8.0 * kRows * static_cast<double>(counts[i]) / static_cast<double>(largest);
    bars.push_back(std::max<std::size_t>(static_cast<std::size_t>(std::lround(height)), counts[i] > 0));
    const double x = -kGateEdge + (static_cast<double>(i) + 0.5) * 2 * kGateEdge / kColumns;
    gate.push_back(static_cast<std::size_t>(std::lround(8 * Gate(s.options.reference.activation, x))));
  }
  std::string text = Bars(bars, kRows, "inputs");
  text += Bars(gate, 1, "gate");
  text += fmt::format("           {:<{}g}0{:>{}g}\n", -kGateEdge, kColumns / 2, kGateEdge, kColumns / 2 - 1);
  return text + fmt::format("           tallest bar {} of the elements; {} lie left of {:g}, {} right of {:g}\n",
                            Share(largest, s.finite), Share(s.below, s.finite), -kGateEdge, Share(s.above, s.finite),
                            kGateEdge);
}

std::string FunctionTable(const Statistics& s) {
  std::vector<std::vector<std::string>> rows = {
      {"function", "max change", "at x", "rms change", "mean", "(Gauss)", "std", "(Gauss)", "ns/element"}};
  for (const FunctionStatistics& f : s.functions) {
    const bool reference = &f == &s.functions.front();
    const auto change = [&](const std::string& text) { return reference ? "-" : text; };
    rows.push_back({f.function.name, change(Short(f.change.max())), f.change.max() == 0 ? "-" : Number(f.change.at()),
                    change(Short(f.change.rms())), f.after.usable() ? Number(f.after.mean()) : "-",
                    f.gauss ? Number(f.gauss->mean()) : "-", f.after.usable() ? Number(f.after.deviation()) : "-",
                    f.gauss ? Number(f.gauss->deviation()) : "-", f.ns > 0 ? fmt::format("{:.2f}", f.ns) : "-"});
  }
  return Table(rows);
}

std::string PrecisionTable(const Statistics& s) {
  std::vector<std::vector<std::string>> rows = {{s.options.reference.name + " in", "max error", "at x", "rms error",
                                                 "max relative", "overflow", "subnormal", "to zero"}};
  for (const PrecisionStatistics& p : s.precision) {
    // f64 is what the others are measured against.
    const auto error = [&](double value) { return p.dtype == gelu_dtype_f64 ? "-" : Short(value); };
    rows.push_back({gelu_dtype_name(p.dtype), error(p.error.max()), p.error.max() == 0 ? "-" : Number(p.error.at()),
                    error(p.error.rms()), error(p.max_relative), Count(p.overflows), Count(p.subnormals),
                    Count(p.flushed)});
  }
  return Table(rows);
}

std::string TensorText(const Statistics& s) {
  std::string text = fmt::format("\n{}  {}  {}  {}\n", Printable(s.tensor.name), gelu_dtype_name(s.tensor.dtype),
                                 Shape(s.tensor), Counted(s.tensor.count, "element", "elements"));
  if (s.finite > 0) {
    if (s.x.usable()) text += fmt::format("  mean {}  std {}", Number(s.x.mean()), Number(s.x.deviation()));
    text += fmt::format("  min {}  max {}  NaN {}  inf {}\n", Number(s.min), Number(s.max), Count(s.nan),
                        Count(s.positive_inf + s.negative_inf));
    const PrecisionStatistics& own = s.precision.front();
    text += fmt::format("  below {} {}  subnormal {} output {}", kTailEdge, Share(s.tail, s.finite),
                        gelu_dtype_name(own.dtype), Share(own.subnormals, s.finite));
    if (s.units && s.units->dead) {
      text += fmt::format("  dead units {} of {}", Count(*s.units->dead), Count(s.units->units));
    }
    text += "\n\n" + HistogramText(s) + '\n' + FunctionTable(s) + '\n' + PrecisionTable(s) + '\n';
  }
  for (const std::string& finding : Findings(s)) text += Wrapped(finding);
  return text;
}

}  // namespace

std::string ReportText(const Report& report) {
  std::string text =
      fmt::format("{}: {}\n", Printable(report.file), Counted(report.tensors.size(), "tensor", "tensors"));
  for (const SkippedTensor& skipped : report.skipped) {
    text += fmt::format("left out: {} of type {}, which is not evaluated\n", Printable(skipped.name),
                        Printable(skipped.dtype));
  }
  for (const Statistics& s : report.tensors) text += TensorText(s);
  return text;
}

}  // namespace gelu::cli
