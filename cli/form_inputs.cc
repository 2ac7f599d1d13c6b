// SPDX-License-Identifier: Apache-2.0
#include "cli/form_inputs.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace gelu::cli {
namespace {

constexpr std::string_view kArrow = "->";

std::string_view MeaningOf(gelu_form form) {
  static constexpr std::string_view kMeanings[] = {
#define GELU_FORM(name, inputs, outputs, meaning) meaning,
      GELU_FORMS(GELU_FORM)
#undef GELU_FORM
  };
  return kMeanings[form];
}

// The word at the start of each of the parts between commas.
std::vector<std::string> FirstWords(std::string_view text) {
  const auto in_word = [](unsigned char c) { return std::isalnum(c) != 0; };
  std::vector<std::string> words;
  for (const char* at = text.begin(); at != text.end();) {
    const char* const begin = std::find_if(at, text.end(), in_word);
    words.emplace_back(begin, std::find_if_not(begin, text.end(), in_word));
    at = std::find(begin, text.end(), ',');
  }
  return words;
}

}  // namespace

std::vector<std::string> InputsOf(gelu_form form) {
  const std::string_view meaning = MeaningOf(form);
  return FirstWords(meaning.substr(0, meaning.find(kArrow)));
}

std::vector<std::string> OutputsOf(gelu_form form) {
  const std::string_view meaning = MeaningOf(form);
  return FirstWords(meaning.substr(meaning.find(kArrow) + kArrow.size()));
}

bool Reads(gelu_form form, const std::string& input) {
  const std::vector<std::string> inputs = InputsOf(form);
  return std::ranges::find(inputs, input) != inputs.end();
}

std::vector<std::string> FurtherInputs() {
  std::vector<std::string> further;
  for (int form = 0; form < gelu_form_count_; ++form) {
    const std::vector<std::string> inputs = InputsOf(static_cast<gelu_form>(form));
    for (size_t i = 1; i < inputs.size(); ++i) {
      if (std::ranges::find(further, inputs[i]) == further.end()) further.push_back(inputs[i]);
    }
  }
  return further;
}

std::string AnyFormThat(const std::function<bool(gelu_form)>& fits) {
  std::vector<std::string> names;
  for (int id = 0; id < gelu_form_count_; ++id) {
    const auto form = static_cast<gelu_form>(id);
    if (fits(form)) names.emplace_back(gelu_form_name(form));
  }
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return list;
}

}  // namespace gelu::cli
