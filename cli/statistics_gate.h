// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gelu/gelu.hpp"

namespace gelu::cli {

// How far the gate is open at x other than 0, from 0 to 1: f(x) = x * gate.
inline double Gate(const gelu_activation& activation, double x) {
  return value(static_cast<Function>(activation.function), x, {activation.params.alpha, activation.params.clip}) / x;
}

}  // namespace gelu::cli
