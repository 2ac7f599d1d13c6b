// SPDX-License-Identifier: Apache-2.0
#include "numpy_loops.h"

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstring>

namespace gelu::python {
namespace {

// ufunc loops run without the GIL.
void SetError(gelu_status status) {
  const PyGILState_STATE state = PyGILState_Ensure();
  PyErr_SetString(status == GELU_ERROR_TARGET ? PyExc_RuntimeError : PyExc_ValueError, gelu_status_message(status));
  PyGILState_Release(state);
}

double AlphaAt(const char* alpha) {
  double value;
  std::memcpy(&value, alpha, sizeof value);
  return value;
}

// How many of the n values of alpha are equal to the first, bit for bit.
npy_intp RunOf(const char* alpha, npy_intp stride, npy_intp n) {
  if (stride == 0) return n;
  npy_intp run = 1;
  while (run < n && std::memcmp(alpha, alpha + run * stride, sizeof(double)) == 0) ++run;
  return run;
}

// One call of the library: a single alpha.
gelu_status Call(const Operation& operation, gelu_dtype dtype, const gelu_params* params, char* const* in,
                 char* const* out, const npy_intp* in_strides, const npy_intp* out_strides, npy_intp n) {
  const auto size = static_cast<npy_intp>(gelu_dtype_size(dtype));
  const auto dense = [size](npy_intp stride) { return stride == size; };
  const auto count = static_cast<size_t>(n);
  const auto* const* inputs = reinterpret_cast<const void* const*>(in);
  auto* const* outputs = reinterpret_cast<void* const*>(out);
  if (n == 1 || (std::all_of(in_strides, in_strides + operation.inputs(), dense) &&
                 std::all_of(out_strides, out_strides + operation.outputs(), dense))) {
    return gelu_apply(operation.function, operation.form, dtype, params, inputs, outputs, count);
  }
  std::array<ptrdiff_t, kMostOperands> strides;
  std::array<const ptrdiff_t*, kMostOperands> each;
  for (int i = 0; i < operation.inputs() + operation.outputs(); ++i) {
    strides[i] = (i < operation.inputs() ? in_strides[i] : out_strides[i - operation.inputs()]) / size;
    each[i] = &strides[i];
  }
  return gelu_apply_strided(operation.function, operation.form, dtype, params, 1, &count, inputs, each.data(), outputs,
                            each.data() + operation.inputs());
}

}  // namespace

bool Evaluate(const Operation& operation, gelu_dtype dtype, char* const* data, const npy_intp* strides, npy_intp n) {
  const int inputs = operation.inputs(), operands = operation.operands(), first_output = operands - operation.outputs();
  std::array<char*, kMostOperands> at;
  std::copy(data, data + operands, at.begin());
  gelu_status status = GELU_OK;
  while (n > 0 && status == GELU_OK) {
    gelu_params params{1, HUGE_VAL};
    npy_intp run = n;
    if (operation.takes_alpha) {
      params.alpha = AlphaAt(at[inputs]);
      run = RunOf(at[inputs], strides[inputs], n);
    }
    status = Call(operation, dtype, &params, at.data(), at.data() + first_output, strides, strides + first_output, run);
    for (int i = 0; i < operands; ++i) at[i] += run * strides[i];
    n -= run;
  }
  // Results too small for their type are rounded as any others; np.errstate(under='raise') is not to trip over them.
  if (std::fetestexcept(FE_UNDERFLOW)) std::feclearexcept(FE_UNDERFLOW);
  if (status != GELU_OK) SetError(status);
  return status == GELU_OK;
}

}  // namespace gelu::python
