// SPDX-License-Identifier: Apache-2.0
#include "cli/picture_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace gelu::cli {
namespace {

std::string MathLetters(std::string formula, double alpha) {
  if (alpha == 1) {
    ReplaceAll(formula, "(alpha x)^", "x^");
    ReplaceAll(formula, "alpha ", "");
  } else {
    ReplaceAll(formula, "alpha", alpha < 0 ? fmt::format("({})", alpha) : fmt::format("{}", alpha));
  }
  static constexpr std::array<std::pair<const char*, const char*>, 7> kLetters{
      {{"sqrt", "√"}, {"Phi", "Φ"}, {"pi", "π"}, {"^2", "²"}, {"^3", "³"}, {"-", "−"}, {" * ", " "}}};
  for (const auto& [ascii, letter] : kLetters) ReplaceAll(formula, ascii, letter);
  return formula;
}

// Bytes of the character that starts at `at`; 0 if none does that a text may contain.
size_t CharacterLength(const std::string& text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(at) < 0x80) return byte(at) >= ' ' && byte(at) != 0x7f ? 1 : 0;
  const size_t length = static_cast<size_t>(std::countl_one(byte(at)));
  if (length < 2 || length > 4 || at + length > text.size()) return 0;
  uint32_t code = byte(at) & (0x7fU >> length);
  for (size_t i = at + 1; i < at + length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    code = code << 6 | (byte(i) & 0x3fU);
  }
  static constexpr std::array<uint32_t, 5> kFirst{0, 0, 0xa0, 0x800, 0x10000};  // of the codes of a length
  const bool valid =
      code >= kFirst[length] && code <= 0x10ffff && code >> 11 != 0x1b && code != 0xfffe && code != 0xffff;
  return valid ? length : 0;
}

}  // namespace

void ReplaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string EscapeXml(std::string text) {
  static constexpr std::array<std::pair<const char*, const char*>, 4> kEntities{
      {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}}};
  for (const auto& [character, entity] : kEntities) ReplaceAll(text, character, entity);
  return text;
}

std::string Printable(const std::string& name) {
  constexpr int kLongest = 40;
  std::string result;
  int characters = 0;
  for (size_t at = 0; at < name.size();) {
    if (++characters > kLongest) return result + "…";
    const size_t length = CharacterLength(name, at);
    result += length == 0 ? "?" : name.substr(at, length);
    at += std::max<size_t>(length, 1);
  }
  return result;
}

std::string PowerOfTen(int exponent) {
  static constexpr std::array kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = "10";
  for (const char c : fmt::format("{}", exponent)) result += c == '-' ? "⁻" : kDigits[static_cast<size_t>(c - '0')];
  return result;
}

std::string Scientific(double value, int digits) {
  std::string text = fmt::format("{:.{}e}", value, digits - 1);
  const size_t e = text.find('e');
  if (e == std::string::npos) return text;  // inf, nan
  const int exponent = std::stoi(text.substr(e + 1));
  text = exponent >= -2 && exponent <= 0 ? fmt::format("{:.{}f}", value, digits - 1 - exponent)
                                         : fmt::format("{} × {}", text.substr(0, e), PowerOfTen(exponent));
  ReplaceAll(text, "-", "−");
  return text;
}

std::string Caption(const std::string& name, const gelu_activation& activation) {
  const double alpha = activation.params.alpha, clip = activation.params.clip;
  std::string label =
      fmt::format("{}:  {}", Printable(name), MathLetters(gelu_function_formula(activation.function), alpha));
  if (std::isfinite(clip)) label += fmt::format(", within ±{}", clip);
  return label;
}

}  // namespace gelu::cli
