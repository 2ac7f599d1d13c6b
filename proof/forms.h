// SPDX-License-Identifier: Apache-2.0
// What each form computes, said apart from the library: every output is a derivative of f at the point times some of
// the other inputs. A new form is one line; forms that the library does not have are lines without use.
#pragma once
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "gelu/gelu.h"

namespace gelu::proof {

// Derivatives by x are known by their order, 0 for f itself; after them comes the derivative by alpha.
inline constexpr int kHighestOrder = 3;
inline constexpr int kAlphaDerivative = 4;
inline constexpr int kDerivatives = 5;

inline constexpr std::size_t kMostInputs = 3, kMostOutputs = 4;

struct Output {
  int derivative = 0;
  std::array<bool, kMostInputs> times{};  // the inputs that are factors
};

struct Meaning {
  std::string_view form;
  std::size_t inputs, outputs;
  bool biased;  // the point is input 0 + input 1, unrounded; otherwise it is input 0
  std::array<Output, kMostOutputs> output;
};

namespace forms {

constexpr Output Of(int derivative) { return {derivative, {}}; }
constexpr Output Times(std::size_t input, Output output) {
  output.times[input] = true;
  return output;
}

inline constexpr Meaning kMeanings[] = {
    {"forward", 1, 1, false, {Of(0)}},
    {"derivative", 1, 1, false, {Of(1)}},
    {"second_derivative", 1, 1, false, {Of(2)}},
    {"backward", 2, 1, false, {Times(1, Of(1))}},
    {"third_derivative", 1, 1, false, {Of(3)}},
    {"alpha_derivative", 1, 1, false, {Of(kAlphaDerivative)}},
    {"bias", 2, 1, true, {Of(0)}},
    {"bias_backward", 3, 1, true, {Times(2, Of(1))}},
    {"gated", 2, 1, false, {Times(1, Of(0))}},
    {"gated_backward", 3, 2, false, {Times(1, Times(2, Of(1))), Times(2, Of(0))}},
    {"double_backward", 3, 2, false, {Times(1, Times(2, Of(2))), Times(2, Of(1))}},
    {"alpha_backward", 2, 1, false, {Times(1, Of(kAlphaDerivative))}},
    {"value_and_derivative", 1, 2, false, {Of(0), Of(1)}},
    {"value_and_two_derivatives", 1, 3, false, {Of(0), Of(1), Of(2)}},
    {"value_and_three_derivatives", 1, 4, false, {Of(0), Of(1), Of(2), Of(3)}},
};

}  // namespace forms

inline const Meaning& MeaningOf(gelu_form form) {
  const std::string_view name = gelu_form_name(form);
  for (const Meaning& meaning : forms::kMeanings) {
    if (meaning.form != name) continue;
    if (meaning.inputs == gelu_form_inputs(form) && meaning.outputs == gelu_form_outputs(form)) return meaning;
    std::fprintf(stderr, "gelu: forms: %s has other numbers of arrays in gelu.h than in proof/forms.h\n", name.data());
    std::abort();
  }
  std::fprintf(stderr, "gelu: forms: no line for form %s; add one to kMeanings in proof/forms.h\n", name.data());
  std::abort();
}

inline std::span<const Output> OutputsOf(gelu_form form) {
  const Meaning& meaning = MeaningOf(form);
  return {meaning.output.data(), meaning.outputs};
}

// The factors of an output among the inputs of a form.
inline std::vector<double> FactorsOf(const Output& output, std::span<const double> inputs) {
  std::vector<double> factors;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (output.times[k]) factors.push_back(inputs[k]);
  }
  return factors;
}

}  // namespace gelu::proof
