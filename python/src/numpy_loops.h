// SPDX-License-Identifier: Apache-2.0
// What a ufunc's inner loop calls: one form of one function, on NumPy's operands.
#ifndef GELU_PYTHON_NUMPY_LOOPS_H_
#define GELU_PYTHON_NUMPY_LOOPS_H_
#include "gelu/gelu.h"
#include "numpy_api.h"

namespace gelu::python {

// The operands of a ufunc are the form's inputs, alpha in f64 if it takes one, and the form's outputs.
struct Operation {
  gelu_function function;
  gelu_form form;
  bool takes_alpha;

  int inputs() const { return static_cast<int>(gelu_form_inputs(form)); }
  int outputs() const { return static_cast<int>(gelu_form_outputs(form)); }
  int operands() const { return inputs() + (takes_alpha ? 1 : 0) + outputs(); }
};

inline constexpr int kMostOperands = 8;

// Evaluates n elements; all operands but alpha are of the given type. Strides are in bytes and multiples of the
// element's size. False with a Python error set, and the GIL is not needed.
bool Evaluate(const Operation& operation, gelu_dtype dtype, char* const* data, const npy_intp* strides, npy_intp n);

// The operation of a ufunc of this module.
inline const Operation& OperationOf(const PyObject* ufunc) {
  return *static_cast<const Operation*>(reinterpret_cast<const PyUFuncObject*>(ufunc)->data[0]);
}

}  // namespace gelu::python
#endif  // GELU_PYTHON_NUMPY_LOOPS_H_
