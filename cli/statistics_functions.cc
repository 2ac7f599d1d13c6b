// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "cli/statistics.h"
#include "gelu/family.h"

namespace gelu::cli {

bool Same(const gelu_activation& a, const gelu_activation& b) {
  return a.function == b.function && a.params.alpha == b.params.alpha && a.params.clip == b.params.clip;
}

std::string Label(const gelu_activation& activation) {
  std::string label = gelu_function_name(activation.function);
  if (activation.params.alpha != 1) label += fmt::format(" {}", activation.params.alpha);
  if (activation.params.clip != kNoClip) label += fmt::format(" clip {}", activation.params.clip);
  return label;
}

std::vector<Labelled> ReportedFunctions() {
  std::vector<Labelled> functions;
  const auto add = [&](const gelu_activation& activation) {
    const bool known = std::any_of(functions.begin(), functions.end(),
                                   [&](const Labelled& f) { return Same(f.activation, activation); });
    if (!known) functions.push_back({activation, Label(activation)});
  };
  for (std::size_t id = 0; id < gelu_function_count(); ++id) add({static_cast<gelu_function>(id), {1.0, kNoClip}});
  for (std::size_t i = 0; i < gelu_name_count(); ++i) {
    gelu_name entry;
    if (gelu_name_at(i, &entry) == GELU_OK && entry.activation.params.clip == kNoClip) add(entry.activation);
  }
  return functions;
}

}  // namespace gelu::cli
