// SPDX-License-Identifier: Apache-2.0
GELU_FUNCTION(silu, Silu,
              .formula = "x / (1 + exp(-alpha x))",
              .names = {{
                  {"", "silu"},
              }})
