/* SPDX-License-Identifier: Apache-2.0
 * The first door is C: this file is compiled as C11 and calls what a C program would. */
#include <math.h>
#include <string.h>

#include "gelu/gelu.h"

const char* gelu_check_from_c(void);

/* What is wrong, or null. */
const char* gelu_check_from_c(void) {
  const float x[3] = {-1.0f, 0.0f, 2.0f}, dy[3] = {2.0f, 2.0f, 2.0f};
  float y[3], dx[3];
  const void* in[2];
  void* out[1];
  gelu_params params = {.alpha = 1.0, .clip = HUGE_VAL};
  if (gelu_forward(gelu_fn_gelu, gelu_dtype_f32, 1.0, x, y, 3) != GELU_OK) return "gelu_forward failed";
  if (!(y[0] < -0.158f && y[0] > -0.159f) || y[1] != 0.0f) return "gelu_forward is wrong";
  if (gelu_backward(gelu_fn_relu, gelu_dtype_f32, 1.0, x, dy, dx, 3) != GELU_OK) return "gelu_backward failed";
  if (dx[0] != 0.0f || dx[1] != 1.0f || dx[2] != 2.0f) return "gelu_backward is wrong";
  in[0] = x;
  in[1] = dy;
  out[0] = dx;
  if (gelu_apply(gelu_fn_silu, gelu_form_backward, gelu_dtype_f32, &params, in, out, 3) != GELU_OK) {
    return "gelu_apply failed";
  }
  if (dx[1] != 1.0f) return "gelu_apply is wrong";
  if (strcmp(gelu_function_name(gelu_fn_gelu_tanh), "gelu_tanh") != 0) return "the name is wrong";
  return NULL;
}
