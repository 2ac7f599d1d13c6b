// SPDX-License-Identifier: Apache-2.0
// NumPy's C API, shared by the sources of the extension: numpy_module.cc imports it.
#ifndef GELU_PYTHON_NUMPY_API_H_
#define GELU_PYTHON_NUMPY_API_H_
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL gelu_python_array_api
#define PY_UFUNC_UNIQUE_SYMBOL gelu_python_ufunc_api
#ifndef GELU_PYTHON_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif
#include <numpy/arrayobject.h>
#include <numpy/dtype_api.h>
#include <numpy/ufuncobject.h>
#endif  // GELU_PYTHON_NUMPY_API_H_
