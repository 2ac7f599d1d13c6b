// SPDX-License-Identifier: Apache-2.0
#include "cli/limits.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <bit>

#include "cli/failure.h"
#include "cli/form_inputs.h"
#include "cli/number.h"

namespace gelu::cli {
namespace {

constexpr gelu_gate kNoLimits = {HUGE_VAL, HUGE_VAL, 0};

struct Limit {
  const char* option;
  const char* help;
  std::optional<std::string> LimitOptions::*text;
  double gelu_gate::*value;
  const char* fault;
};
constexpr Limit kLimits[] = {
    {"--gate-max", "For form gated: the activated a is at most this", &LimitOptions::gate_max, &gelu_gate::gate_max,
     "not positive; give a positive limit, or inf for none"},
    {"--linear-max", "For form gated: b lies within this and its negative", &LimitOptions::linear_max,
     &gelu_gate::linear_max, "not positive; give a positive limit, or inf for none"},
    {"--linear-offset", "For form gated: added to the limited b", &LimitOptions::linear_offset,
     &gelu_gate::linear_offset, "not finite; give a finite offset, such as 1"},
};

bool HasLimits(gelu_form form) { return Reads(form, "a"); }
bool IsOfOneResult(gelu_form form) { return gelu_form_outputs(form) == 1; }

}  // namespace

void LimitOptions::AddTo(CLI::App& command) {
  for (const Limit& limit : kLimits)
    command.add_option(limit.option, this->*limit.text, limit.help)->type_name("FLOAT");
}

std::optional<gelu_gate> LimitOptions::Gate(gelu_form form) const {
  if (!gate_max && !linear_max && !linear_offset) return std::nullopt;
  gelu_gate gate = kNoLimits;
  for (const Limit& limit : kLimits) {
    const std::optional<std::string>& text = this->*limit.text;
    if (!text) continue;
    if (!HasLimits(form)) {
      throw Failure(fmt::format("{} {}: form {} has no limits; leave it out or add --form {}", limit.option,
                                Trimmed(*text), gelu_form_name(form),
                                AnyFormThat([](gelu_form other) { return HasLimits(other) && IsOfOneResult(other); })));
    }
    gate.*limit.value = std::bit_cast<double>(ParseNumber(*text, gelu_dtype_f64));
    gelu_gate alone = kNoLimits;
    alone.*limit.value = gate.*limit.value;
    const gelu_params params = {.alpha = 1, .clip = HUGE_VAL, .gate = &alone};
    if (gelu_check(gelu_function{}, form, gelu_dtype_f64, &params, nullptr, nullptr, 0) != GELU_OK) {
      throw Failure(fmt::format("{} {}: {}", limit.option, Trimmed(*text), limit.fault));
    }
  }
  return gate;
}

}  // namespace gelu::cli
