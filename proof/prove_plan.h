// SPDX-License-Identifier: Apache-2.0
// What there is to prove: one row of the ledger for each function, alpha, form and element type.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "gelu/family.h"

namespace gelu::proof {

struct Row {
  gelu_function function;
  double alpha;
  gelu_form form;
  gelu_dtype dtype;

  bool operator==(const Row&) const = default;
};

// Every row for which the library states a bound: cheap ones first.
std::vector<Row> Plan();
// The same for other alphas; not in the ledger.
std::vector<Row> Plan(std::span<const double> alphas);

// 1, and every alpha with which some framework uses the function.
bool IsInUse(gelu_function function, double alpha);

// "silu 1.702 forward f32"
std::string NameOf(const Row& row);

// The hash of the code that evaluates this function, in hex: a proof holds as long as it stays the same.
std::string CodeHash(gelu_function function);

}  // namespace gelu::proof
