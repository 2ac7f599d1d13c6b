// SPDX-License-Identifier: Apache-2.0
// What each form computes, as data: every output is a derivative of f at a point, times some of the inputs.
#pragma once
#include <cstddef>

#include "gelu/gelu.h"

namespace gelu {

inline constexpr size_t kMaxInputs = 3, kMaxOutputs = 4, kMaxArrays = kMaxInputs + kMaxOutputs;  // of any form

// Orders of a derivative: f, f', f'', f''', and df/dalpha. Rows exist for the first three.
inline constexpr int kAlphaOrder = 4, kOrders = 5, kRowOrders = 3;

struct FormOutput {
  int order;
  size_t factors = 0;     // how many inputs multiply it,
  size_t factor[2] = {};  // and which
};

struct FormBody {
  FormOutput output[kMaxOutputs];
  bool adds = false;   // the point is the sum of the first two inputs, not the first
  bool gated = false;  // gelu_gate has a say
};

constexpr FormBody BodyOf(gelu_form form) {
  switch (form) {
    case gelu_form_derivative:
      return {{{1}}};
    case gelu_form_second_derivative:
      return {{{2}}};
    case gelu_form_backward:
      return {{{1, 1, {1}}}};
    case gelu_form_third_derivative:
      return {{{3}}};
    case gelu_form_alpha_derivative:
      return {{{kAlphaOrder}}};
    case gelu_form_alpha_backward:
      return {{{kAlphaOrder, 1, {1}}}};
    case gelu_form_value_and_three_derivatives:
      return {{{0}, {1}, {2}, {3}}};
    case gelu_form_bias:
      return {{{0}}, true};
    case gelu_form_bias_backward:
      return {{{1, 1, {2}}}, true};
    case gelu_form_gated:
      return {{{0, 1, {1}}}, false, true};
    case gelu_form_gated_backward:
      return {{{1, 2, {1, 2}}, {0, 1, {2}}}, false, true};
    case gelu_form_double_backward:
      return {{{2, 2, {1, 2}}, {1, 1, {2}}}};
    case gelu_form_value_and_derivative:
      return {{{0}, {1}}};
    case gelu_form_value_and_two_derivatives:
      return {{{0}, {1}, {2}}};
    case gelu_form_forward:
    case gelu_form_count_:
      break;
  }
  return {{{0}}};
}

struct FormFacts {
  const char* name;
  size_t inputs, outputs;
  FormBody body;
};
inline constexpr FormFacts kForms[] = {
#define GELU_FORM(name, inputs, outputs, meaning) {#name, inputs, outputs, BodyOf(gelu_form_##name)},
    GELU_FORMS(GELU_FORM)
#undef GELU_FORM
};

}  // namespace gelu
