// SPDX-License-Identifier: Apache-2.0
GELU_FUNCTION(relu, Relu,
              .formula = "max(x, 0)",
              .names = {{
                  {"", "relu"},
              }})
