// SPDX-License-Identifier: Apache-2.0
#include "proof/prove_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "proof/oracle.h"
#include "proof/prove_hash.h"

namespace gelu::proof {
namespace {

constexpr double kAlphas[] = {1.0, 1.702};  // of family.h: those for which a bound is stated
constexpr gelu_dtype kOrder[] = {gelu_dtype_f16, gelu_dtype_bf16, gelu_dtype_f64, gelu_dtype_f32};
static_assert(std::size(kOrder) == gelu_dtype_count_);

bool HasAlpha(gelu_function function) {
  const auto at = [&](double alpha) {
    return Evaluation(function, ParamsOf(alpha), 1.0).Rounded(gelu_form_forward, gelu_dtype_f64);
  };
  return at(1.0) != at(2.0);
}

}  // namespace

bool IsInUse(gelu_function function, double alpha) {
  if (alpha == 1.0) return true;
  for (std::size_t i = 0; i < gelu_name_count(); ++i) {
    gelu_name name;
    gelu_name_at(i, &name);
    if (name.activation.function == function && name.activation.params.alpha == alpha) return true;
  }
  return false;
}

std::vector<Row> Plan() { return Plan(kAlphas); }

std::vector<Row> Plan(std::span<const double> alphas) {
  std::vector<Row> rows;
  for (const gelu_dtype dtype : kOrder) {
    for (int f = 0; f < gelu_fn_count_; ++f) {
      const auto function = static_cast<gelu_function>(f);
      for (const double alpha : alphas) {
        if (alpha != 1.0 && !HasAlpha(function)) continue;
        for (int form = 0; form < gelu_form_count_; ++form) {
          rows.push_back({function, alpha, static_cast<gelu_form>(form), dtype});
        }
      }
    }
  }
  return rows;
}

std::string NameOf(const Row& row) {
  return fmt::format("{} {} {} {}", gelu_function_name(row.function), row.alpha, gelu_form_name(row.form),
                     gelu_dtype_name(row.dtype));
}

std::string CodeHash(gelu_function function) {
  const std::string_view name = gelu_function_name(function);
  const auto* hash = std::find_if(std::begin(kCodeHashes), std::end(kCodeHashes),
                                  [&](const FunctionHash& entry) { return entry.function == name; });
  return std::string(hash->hash);  // made from the same folders as the list of functions
}

}  // namespace gelu::proof
