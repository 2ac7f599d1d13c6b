// SPDX-License-Identifier: Apache-2.0
GELU_FUNCTION(gelu_tanh, GeluTanh,
              .formula = "x * (1 + tanh(sqrt(2/pi) (alpha x + 0.044715 (alpha x)^3))) / 2",
              .names = {{
                  {"", "gelu_tanh"},
              }})
