// SPDX-License-Identifier: Apache-2.0
#include "proof/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "proof/format.h"

namespace gelu::proof {
namespace {

struct Column {
  const char* name;
  std::string Entry::*word;
};

constexpr Column kColumns[] = {
    {"function", &Entry::function},
    {"alpha", &Entry::alpha},
    {"form", &Entry::form},
    {"dtype", &Entry::dtype},
    {"inputs", &Entry::inputs},
    {"max_ulp", &Entry::max_ulp},
    {"worst_input", &Entry::worst_input},
    {"got", &Entry::got},
    {"want", &Entry::want},
    {"code_hash", &Entry::code_hash},
    {"date", &Entry::date},
    {"misrounded", &Entry::misrounded},
    {"targets", &Entry::targets},
    {"digest", &Entry::digest},
};

template <class Word>
std::string Line(const Word& word) {
  std::string line;
  for (const Column& column : kColumns) {
    if (!line.empty()) line += '\t';
    line += word(column);
  }
  return line + '\n';
}

std::string Header() {
  return Line([](const Column& column) { return column.name; });
}

gelu_dtype DtypeOf(const std::string& name) {
  int dtype = 0;
  while (dtype < gelu_dtype_count_ && name != gelu_dtype_name(static_cast<gelu_dtype>(dtype))) ++dtype;
  if (dtype == gelu_dtype_count_)
    throw std::runtime_error(fmt::format("gelu: ledger: no dtype {}; repair the file", name));
  return static_cast<gelu_dtype>(dtype);
}

// "-5.5" or "-5.5, 0.25": the words of an input as the shortest decimals that read back.
std::string Decimals(const Entry& entry) {
  const gelu_dtype dtype = DtypeOf(entry.dtype);
  std::string text;
  std::istringstream words(entry.worst_input);
  for (std::string word; std::getline(words, word, ',');) {
    const double value = ToDouble(dtype, std::stoull(word, nullptr, 16));
    if (!text.empty()) text += ", ";
    text += dtype == gelu_dtype_f64 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
  }
  return text;
}

// 1234567 as 1,234,567
std::string Grouped(std::string digits) {
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

}  // namespace

std::string AlphaText(double alpha) { return fmt::format("{}", alpha); }

bool Entry::IsOf(const Row& row) const {
  return function == gelu_function_name(row.function) && alpha == AlphaText(row.alpha) &&
         form == gelu_form_name(row.form) && dtype == gelu_dtype_name(row.dtype);
}

Ledger::Ledger(std::string path) : path_(std::move(path)) {
  std::ifstream file(path_);
  if (!file) {
    if (errno == ENOENT) return;
    throw std::runtime_error(fmt::format("gelu: {}: {}; is it readable?", path_, std::strerror(errno)));
  }
  std::string line;
  if (std::getline(file, line) && line + '\n' != Header()) {
    throw std::runtime_error(
        fmt::format("gelu: {}: the first line is not the header of a ledger; restore the file or "
                    "delete it",
                    path_));
  }
  for (int number = 2; std::getline(file, line); ++number) {
    Entry entry;
    std::istringstream words(line);
    bool complete = true;
    for (const Column& column : kColumns)
      complete = static_cast<bool>(std::getline(words, entry.*column.word, '\t')) && complete;
    if (!complete) {
      throw std::runtime_error(
          fmt::format("gelu: {}: line {} has too few columns; restore or delete that line", path_, number));
    }
    entries_.push_back(entry);
  }
}

const Entry* Ledger::Find(const Row& row) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.IsOf(row); });
  return found == entries_.end() ? nullptr : &*found;
}

void Ledger::Set(const Row& row, const Entry& entry) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& other) { return other.IsOf(row); });
  if (found == entries_.end()) {
    entries_.push_back(entry);
  } else {
    *found = entry;
  }
  std::string text = Header();
  for (const Entry& e : entries_) text += Line([&](const Column& column) { return e.*column.word; });
  WriteWhole(path_, text);
}

void WriteWhole(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  std::ofstream file(beside, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(beside, path, error);
  if (file && !error) return;
  const std::string why = error ? error.message() : std::strerror(errno);
  std::filesystem::remove(beside, error);
  throw std::runtime_error(fmt::format("gelu: {}: {}; is there room, and may it be written?", path, why));
}

std::string Table(const std::vector<Entry>& entries) {
  std::string text =
      "| function | alpha | form | dtype | inputs | max ULP | not correctly rounded | worst at | targets |\n"
      "|---|---|---|---|---:|---:|---:|---|---|\n";
  for (const Entry& e : entries) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | `{}` | {} |\n", e.function, e.alpha, e.form, e.dtype,
                        Grouped(e.inputs), e.max_ulp, Grouped(e.misrounded), Decimals(e), e.targets);
  }
  return text;
}

}  // namespace gelu::proof
