// SPDX-License-Identifier: Apache-2.0
// What forms read and give, by the letters of their meaning: "a, b -> y = f(a) * b" reads a and b, and gives y.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "gelu/gelu.h"

namespace gelu::cli {

std::vector<std::string> InputsOf(gelu_form form);  // in the order of the arrays
std::vector<std::string> OutputsOf(gelu_form form);
bool Reads(gelu_form form, const std::string& input);

// The letters that some form reads beside its first input.
std::vector<std::string> FurtherInputs();

// The forms that fit, as "backward, bias or gated".
std::string AnyFormThat(const std::function<bool(gelu_form)>& fits);

}  // namespace gelu::cli
