// SPDX-License-Identifier: Apache-2.0
// What would a model lose if its activation were swapped for another one of the family? In bf16, over [-8, 8].
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "gelu/gelu.hpp"

int main() {
  std::vector<gelu::bf16> x, y, z;
  for (double v = -8; v <= 8; v += 1.0 / 64) x.emplace_back(v);
  y.resize(x.size());
  z.resize(x.size());

  const auto [function, params] = gelu::resolve("gelu_new", "huggingface");
  gelu::forward(function, x, y, params);
  for (const char* other : {"gelu", "quick_gelu", "silu", "relu"}) {
    const auto [other_function, other_params] = gelu::resolve(other);
    gelu::forward(other_function, x, z, other_params);
    float worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(float{y[i]} - float{z[i]}));
    std::printf("gelu_new -> %-10s  changes a value by up to %.3g\n", other, worst);
  }
}
