// SPDX-License-Identifier: Apache-2.0
// Loops for the element types of ml_dtypes: bfloat16, and the 8-bit formats.
#ifndef GELU_PYTHON_NUMPY_TYPES_H_
#define GELU_PYTHON_NUMPY_TYPES_H_
#include "numpy_api.h"

namespace gelu::python {

// Adds loops for a type to a ufunc of this module; it must not have been called yet, since NumPy remembers which loop
// it has found. values are those of all codes of an 8-bit format, or null for bfloat16. False with a Python error set.
bool AddType(PyObject* ufunc, PyArray_Descr* type, const double* values);

}  // namespace gelu::python
#endif  // GELU_PYTHON_NUMPY_TYPES_H_
