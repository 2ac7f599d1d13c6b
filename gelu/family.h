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

// The bound that the library states, in ULP of the output format (proof/ulp.h), for alpha = 1 and 1.702. The proof
// checks every row of the ledger against it.
constexpr double MaxUlp(gelu_form form, gelu_dtype dtype) {
  const bool wide = dtype == gelu_dtype_f64 || dtype == gelu_dtype_f32;
  if (form == gelu_form_backward) return wide ? 1.0 : 0.51;
  return wide ? 1.0 : 0.5;
}

}  // namespace gelu
