// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <optional>
#include <string>

#include "gelu/gelu.h"

namespace CLI {
class App;
}

namespace gelu::cli {

// The limits of gated units: [--gate-max M] [--linear-max M] [--linear-offset C].
struct LimitOptions {
  std::optional<std::string> gate_max, linear_max, linear_offset;

  void AddTo(CLI::App& command);
  // Nothing if no limit is given. Throws Failure on one that the library refuses, and where the form has none.
  std::optional<gelu_gate> Gate(gelu_form form) const;
};

}  // namespace gelu::cli
