// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <vector>

#include "gelu/gelu.hpp"

int main() {
  const std::vector<gelu::bf16> x{gelu::bf16(-13.5), gelu::bf16(-1.0), gelu::bf16(2.0)};
  std::vector<gelu::bf16> y(x.size());
  for (const gelu::Function function : gelu::functions) {
    gelu::forward(function, x, y);
    std::cout << gelu::name(function);
    for (const gelu::bf16 value : y) std::cout << '\t' << float{value};
    std::cout << '\n';
  }
  gelu::forward(gelu::Function::gelu, x, y);
  if (y[0].bits() != 0x8001) return 1;  // -1.06e-40 is the least subnormal, not zero
  try {
    gelu::forward(gelu::Function::gelu, x, std::vector<gelu::bf16>(1));
  } catch (const std::invalid_argument& error) {
    std::cout << error.what() << '\n';
    return 0;
  }
  return 1;
}
