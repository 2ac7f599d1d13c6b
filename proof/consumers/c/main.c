/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "gelu/gelu.h"

int main(void) {
  const float x[4] = {-1.0f, 0.0f, 1.0f, 10.0f};
  float y[4];
  gelu_activation activation;
  char message[512];
  size_t i;

  if (gelu_forward(gelu_fn_gelu, gelu_dtype_f32, 1.0, x, y, 4) != GELU_OK) return 1;
  for (i = 0; i < 4; ++i) printf("%g\t%.9g\n", (double)x[i], (double)y[i]);
  /* Phi(-1) = 0.158655253931, here to the nearest float; beyond 5.42 gelu(x) is x. */
  if (y[0] != -0.158655253931f || y[1] != 0.0f || y[3] != 10.0f) return 1;

  if (gelu_forward(gelu_fn_gelu, gelu_dtype_f32, 1.0, x, y + 5, 0) != GELU_OK) return 1;
  if (gelu_forward(gelu_fn_gelu, gelu_dtype_f32, 1.0, x, NULL, 4) != GELU_ERROR_NULL) return 1;
  if (gelu_resolve("gleu", NULL, &activation, message, sizeof message) != GELU_ERROR_NAME) return 1;
  return strlen(message) == 0;
}
