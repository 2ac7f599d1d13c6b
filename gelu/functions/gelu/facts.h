// SPDX-License-Identifier: Apache-2.0
GELU_FUNCTION(gelu, Gelu,
              .formula = "x * Phi(alpha x)",
              .names = {{
                  {"", "gelu"},
              }})
