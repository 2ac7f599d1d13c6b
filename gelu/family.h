// SPDX-License-Identifier: Apache-2.0
// What is known about each function besides its mathematics: plain data, read by names, tests, command line and docs.
#pragma once
#include <array>
#include <cstddef>
#include <limits>

#include "gelu/gelu.h"

namespace gelu {

inline constexpr double kNoClip = std::numeric_limits<double>::infinity();

// A spelling used by an ecosystem, and what it means there. A '*' stands for alpha, given by the user. Two entries of
// one framework with the same spelling and different meanings make that spelling ambiguous there.
struct Name {
  const char* framework;  // "" for this library
  const char* name;
  double alpha = 1.0;
  double clip = kNoClip;
};

struct Facts {
  const char* name;
  const char* formula;
  std::array<Name, 96> names{};  // up to the first without a name
};

inline constexpr Facts kFamily[] = {
#define GELU_FUNCTION(id, Card, ...) {.name = #id, __VA_ARGS__},
#include "gelu/family.def"
};

inline constexpr int kFormInputs[] = {
#define GELU_FORM(name, inputs, outputs, meaning) inputs,
    GELU_FORMS(GELU_FORM)
#undef GELU_FORM
};

// The bound that the library states, in ULP of the output format (proof/ulp.h), for alpha = 1 and 1.702. The proof
// checks every row of the ledger against it. Results of one input are correctly rounded in 16 bits; others all but.
constexpr double MaxUlp(gelu_form form, gelu_dtype dtype) {
  if (dtype == gelu_dtype_f64 || dtype == gelu_dtype_f32) return 1.0;
  return kFormInputs[form] > 1 ? 0.51 : 0.5;
}

}  // namespace gelu
