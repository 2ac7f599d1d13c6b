// SPDX-License-Identifier: Apache-2.0
#include "cli/report_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace gelu::cli {
namespace {

// "4.7e-04" as people write it.
std::string Significant(double value, int digits) {
  const bool small = value != 0 && std::fabs(value) < 1e-3;
  std::string text = small ? fmt::format("{:.{}e}", value, digits - 1) : fmt::format("{:.{}g}", value + 0.0, digits);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  const std::size_t sign = e + 1;
  while (text.size() > sign + 2 && text[sign + 1] == '0') text.erase(sign + 1, 1);
  if (text[sign] == '+') text.erase(sign, 1);
  return text;
}

}  // namespace

std::string Number(double value) { return Significant(value, 4); }
std::string Short(double value) { return Significant(value, 3); }

std::string Count(uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string Counted(uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", Count(count), count == 1 ? one : many);
}

std::string Share(uint64_t part, uint64_t whole) {
  if (part == 0) return "0";
  if (part == whole) return "100%";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (percent < 0.01) return "<0.01%";
  if (percent > 99.9) return ">99.9%";
  return fmt::format("{:.{}f}%", percent, percent < 10 ? 2 : 1);
}

std::string Shape(const Tensor& tensor) {
  if (tensor.shape.empty()) return "scalar";
  return fmt::format("{}", fmt::join(tensor.shape, " x "));
}

std::string FamousNames(const Curve& curve) {
  std::vector<std::string> names;
  // The keys of configuration files first, then the names of classes and functions.
  for (const std::string framework : {"huggingface", "torch"}) {
    for (std::size_t i = 0; i < gelu_name_count() && names.size() < 3; ++i) {
      gelu_name entry;
      if (gelu_name_at(i, &entry) != GELU_OK || framework != entry.framework || entry.name == curve.name) continue;
      if (Same(entry.activation, curve.activation)) names.push_back(entry.name);
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace gelu::cli
