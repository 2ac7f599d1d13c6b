// SPDX-License-Identifier: Apache-2.0
// Gated units by name.
#include <iterator>

#include "gelu/family.h"
#include "gelu/spelling.h"

namespace gelu {
namespace {

struct Preset {
  const char* name;
  gelu_function function;
  double alpha = 1.0;
  gelu_gate gate = {kNoClip, kNoClip, 0.0};
};
constexpr Preset kPresets[] = {
    {"geglu", gelu_fn_gelu},
    {"geglu_tanh", gelu_fn_gelu_tanh},
    {"geglu_quick", gelu_fn_silu, 1.702},
    {"swiglu", gelu_fn_silu},
    {"reglu", gelu_fn_relu},
    {"swiglu_oai", gelu_fn_silu, 1.702, {7.0, 7.0, 1.0}},
    {"swiglu_clamped", gelu_fn_silu, 1.0, {7.0, 7.0, 0.0}},
};

}  // namespace
}  // namespace gelu

size_t gelu_preset_count(void) { return std::size(gelu::kPresets); }

const char* gelu_preset_name(size_t index) {
  return index < std::size(gelu::kPresets) ? gelu::kPresets[index].name : nullptr;
}

gelu_status gelu_preset(const char* name, gelu_activation* activation, gelu_gate* gate) {
  if (name == nullptr || activation == nullptr || gate == nullptr) return GELU_ERROR_NULL;
  const gelu::Key wanted(name);
  for (const gelu::Preset& preset : gelu::kPresets) {
    if (gelu::Key(preset.name).view() != wanted.view()) continue;
    *gate = preset.gate;
    *activation = {preset.function, {.alpha = preset.alpha, .clip = gelu::kNoClip, .gate = gate}};
    return GELU_OK;
  }
  return GELU_ERROR_NAME;
}
