// SPDX-License-Identifier: Apache-2.0
#include "bench/table.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

namespace gelu::bench {
namespace {

std::string Cell(const Reading& reading) {
  if (std::isnan(reading.ns)) return "-";
  std::string text = fmt::format("{:.{}f}", reading.ns, reading.ns < 10 ? 3 : 1);
  if (std::isnan(reading.error)) return text;
  if (std::isinf(reading.error)) return text + " (wrong)";
  return fmt::format("{} ({:.{}g})", text, reading.error, reading.error < 10 ? 3 : 2);
}

class Bench {
 public:
  Bench(const std::vector<std::string>& peers, const std::vector<bool>& computes, bool avx512)
      : peers_(peers), computes_(computes), avx512_(avx512) {}

  std::string Head() const {
    std::string names = "|  |", rule = "|---|";
    for (const std::string& peer : peers_) {
      names += " " + peer + " |";
      rule += "---|";
    }
    return names + " bar |\n" + rule + "---|\n";
  }

  std::string Line(const Row& row) const {
    std::string line = "| " + Name(row.c.kernel);
    if (row.c.source != Source::normal) line += ", " + Name(row.c.source);
    line += " |";
    for (const Reading& reading : row.readings) line += " " + Cell(reading) + " |";
    return line + " " + BarsOf(row) + " |\n";
  }

 private:
  // Time of the peer, or of the fastest that computes; NaN if it has no such kernel.
  double Time(const Row& row, const std::string& peer) const {
    double time = std::numeric_limits<double>::quiet_NaN();
    for (size_t i = 0; i < peers_.size(); ++i) {
      const bool counts = peer.empty() ? i != 0 && computes_[i] : peers_[i] == peer;
      if (counts) time = std::fmin(time, row.readings[i].ns);
    }
    return time;
  }

  std::string BarsOf(const Row& row) const {
    std::string text;
    for (const Bar& bar : Bars(row.c, avx512_)) {
      const double ratio = Time(row, bar.against) / row.readings[0].ns;
      if (!text.empty()) text += "; ";
      text += fmt::format("{}: ", bar.against.empty() ? "fastest" : bar.against);
      text += std::isnan(ratio) ? std::string("none")
                                : fmt::format("{:.2f}{} of {}", ratio, ratio < bar.ratio ? " missed" : "", bar.ratio);
    }
    return text.empty() ? "-" : text;
  }

  const std::vector<std::string>& peers_;
  const std::vector<bool>& computes_;
  bool avx512_;
};

std::string Heading(const Case& c) {
  const std::string unit = c.n <= kFew ? "ns of the call" : "ns per element";
  return fmt::format("Arrays of {}, {} thread{}, {} (largest error in ULP)", Size(c), c.threads,
                     c.threads > 1 ? "s" : "", unit);
}

}  // namespace

std::string Table(const std::vector<std::string>& peers, const std::vector<bool>& computes,
                  const std::vector<Row>& rows, bool avx512) {
  const Bench bench(peers, computes, avx512);
  std::vector<std::string> headings;  // in the order of their first rows
  std::map<std::string, std::string> tables;
  for (const Row& row : rows) {
    const std::string heading = Heading(row.c);
    if (tables[heading].empty()) headings.push_back(heading);
    tables[heading] += bench.Line(row);
  }
  std::string text;
  for (const std::string& heading : headings) text += heading + "\n\n" + bench.Head() + tables[heading] + "\n";
  return text;
}

}  // namespace gelu::bench
