// SPDX-License-Identifier: Apache-2.0
// How names are spelled: what counts as the same spelling, and how far apart two spellings are.
#pragma once
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <string_view>
#include <system_error>

namespace gelu {

inline constexpr std::size_t kNone = std::string_view::npos;

// A name without what its spellings differ in: case, spaces, '_', '-' and quotes. "::", ':' and '/' are '.', brackets
// are parentheses, and the operand of a call is left out: F.gelu(x, approximate='tanh').
class Key {
 public:
  static constexpr std::size_t kCapacity = 80;

  constexpr explicit Key(std::string_view text) {
    bool arguments = false;
    for (const char c : text) {
      if (c == '(' || c == '[') arguments = true;
      Add(c, arguments);
    }
  }
  constexpr std::string_view view() const { return {letters_.data(), size_}; }

 private:
  constexpr void Add(char c, bool arguments) {
    // A longer name stays too long whatever follows, and so is none of the registry's.
    if (size_ == kCapacity) return;
    if (c == ' ' || c == '\t' || c == '_' || c == '\'' || c == '"' || (c == '-' && !arguments)) return;
    if (c == ':' || c == '/') c = '.';
    if (c == '[') c = '(';
    if (c == ']') c = ')';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '.' && (size_ == 0 || view().ends_with('.'))) return;
    if (c == ',' || c == ')') {
      if (view().ends_with("(x")) --size_;
      if (view().ends_with('(')) {
        if (c == ')') --size_;
        return;
      }
    }
    letters_[size_++] = c;
  }

  std::array<char, kCapacity> letters_{};
  std::size_t size_ = 0;
};

// Whether a query spells this name; alpha changes where the name has a '*' and the query a number in its place.
// A keyword may be left out: GELU('tanh').
inline bool Spells(std::string_view query, std::string_view name, double* alpha) {
  if (query == name) return true;
  if (query.size() >= Key::kCapacity) return false;
  const std::size_t star = name.find('*');
  if (star != kNone) {
    const std::string_view before = name.substr(0, star);
    const std::string_view after = name.substr(star + 1);
    if (query.size() <= before.size() + after.size() || !query.starts_with(before) || !query.ends_with(after)) {
      return false;
    }
    const char* first = query.data() + before.size();
    const char* last = query.data() + query.size() - after.size();
    double number = 0;
    const auto [end, error] = std::from_chars(first, last, number);
    if (error == std::errc::invalid_argument || end != last) return false;
    *alpha = error == std::errc() ? number : std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  const std::size_t equals = name.find('=');
  if (equals == kNone) return false;
  const std::string_view head = name.substr(0, name.find('(') + 1);
  return query.starts_with(head) && query.substr(head.size()) == name.substr(equals + 1);
}

// The name itself, without module and arguments.
inline std::string_view Bare(std::string_view key) {
  key = key.substr(0, key.find('('));
  const std::size_t dot = key.rfind('.');
  return dot == kNone ? key : key.substr(dot + 1);
}

inline std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::array<std::size_t, Key::kCapacity + 1> row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replace, diagonal + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace gelu
