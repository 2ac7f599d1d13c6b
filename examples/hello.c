/* SPDX-License-Identifier: Apache-2.0 */
/* gelu and its derivative where common implementations lose them: below -5.5 in f32. */
#include <stdio.h>

#include "gelu/gelu.h"

int main(void) {
  const float x[] = {-13.5f, -6.0f, -1.0f, 0.0f, 1.0f, 6.0f};
  enum { n = sizeof x / sizeof x[0] };
  float y[n], slope[n];

  gelu_status status = gelu_forward(gelu_fn_gelu, gelu_dtype_f32, 1.0, x, y, n);
  if (status == GELU_OK) status = gelu_derivative(gelu_fn_gelu, gelu_dtype_f32, 1.0, x, slope, n);
  if (status != GELU_OK) {
    fprintf(stderr, "%s\n", gelu_status_message(status));
    return 1;
  }

  printf("%8s %16s %16s\n", "x", "gelu(x)", "gelu'(x)");
  for (int i = 0; i < n; ++i) printf("%8g %16.9g %16.9g\n", (double)x[i], (double)y[i], (double)slope[i]);
  return 0;
}
