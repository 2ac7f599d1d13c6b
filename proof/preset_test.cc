// SPDX-License-Identifier: Apache-2.0
// Gated units by name: the values that users of other implementations expect.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gelu/gelu.h"

namespace gelu::proof {
namespace {

double Gated(const char* preset, double a, double b) {
  gelu_activation activation;
  gelu_gate gate;
  EXPECT_EQ(gelu_preset(preset, &activation, &gate), GELU_OK) << preset;
  const void* in[] = {&a, &b};
  double y = std::nan("");
  void* out[] = {&y};
  EXPECT_EQ(gelu_apply(activation.function, gelu_form_gated, gelu_dtype_f64, &activation.params, in, out, 1), GELU_OK);
  return y;
}

double Phi(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST(Presets, HaveTheValuesOfTheirNames) {
  const auto expect = [](const char* name, double a, double b, double want) {
    EXPECT_NEAR(Gated(name, a, b), want, 1e-11 * std::abs(want)) << name << " " << a << " " << b;
  };
  expect("geglu", 0.5, 3.0, 0.5 * Phi(0.5) * 3.0);
  expect("geglu_tanh", 1.0, 2.0, 1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * 1.044715));
  expect("geglu_quick", 1.0, 2.0, 2.0 / (1.0 + std::exp(-1.702)));
  expect("swiglu", 1.0, 2.0, 2.0 / (1.0 + std::exp(-1.0)));
  expect("reglu", 3.0, -2.0, -6.0);
  expect("swiglu_oai", 1.0, 1.0, 1.69159153187);
  expect("swiglu_oai", 10.0, -10.0, -41.9997187698);
  expect("swiglu_oai", -10.0, 2.0, -1.21738838846e-6);
  EXPECT_NEAR(Gated("swiglu_clamped", -20.0, 9.0), -2.885615065e-7, 1e-15);
}

TEST(Presets, AreListedAndSpelledAsOneLikes) {
  for (std::size_t i = 0; i < gelu_preset_count(); ++i) {
    gelu_activation activation;
    gelu_gate gate;
    EXPECT_EQ(gelu_preset(gelu_preset_name(i), &activation, &gate), GELU_OK);
    EXPECT_EQ(activation.params.gate, &gate);
  }
  EXPECT_EQ(gelu_preset_name(gelu_preset_count()), nullptr);
  EXPECT_EQ(Gated("SwiGLU-OAI", 1.0, 1.0), Gated("swiglu_oai", 1.0, 1.0));
}

TEST(Presets, OthersAreRefused) {
  gelu_activation activation;
  gelu_gate gate;
  for (const char* name : {"", "gelu", "swiglu2"}) EXPECT_EQ(gelu_preset(name, &activation, &gate), GELU_ERROR_NAME);
  EXPECT_EQ(gelu_preset(nullptr, &activation, &gate), GELU_ERROR_NULL);
  EXPECT_EQ(gelu_preset("geglu", nullptr, &gate), GELU_ERROR_NULL);
  EXPECT_EQ(gelu_preset("geglu", &activation, nullptr), GELU_ERROR_NULL);
}

}  // namespace
}  // namespace gelu::proof
