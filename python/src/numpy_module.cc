// SPDX-License-Identifier: Apache-2.0
// gelu._numpy: a ufunc for every form of every function, each with alpha as another input and without it, and what the
// library says of itself.
#define GELU_PYTHON_IMPORTS_NUMPY
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "numpy_description.h"
#include "numpy_loops.h"
#include "numpy_types.h"

namespace gelu::python {
namespace {

template <gelu_dtype kDtype>
void Loop(char** data, const npy_intp* n, const npy_intp* strides, void* operation) {
  Evaluate(*static_cast<const Operation*>(operation), kDtype, data, strides, *n);
}

struct Type {
  char number;
  PyUFuncGenericFunction loop;
};
// From the narrowest, since NumPy takes the first one that an input fits: integers become what np.sin makes of them.
constexpr std::array<Type, 3> kTypes = {
    {{NPY_HALF, &Loop<gelu_dtype_f16>}, {NPY_FLOAT, &Loop<gelu_dtype_f32>}, {NPY_DOUBLE, &Loop<gelu_dtype_f64>}}};

// What a ufunc keeps pointers to, for as long as the process lives.
struct Ufunc {
  Operation operation;
  std::string name, doc;
  std::array<PyUFuncGenericFunction, kTypes.size()> loops;
  std::array<void*, kTypes.size()> data;
  std::vector<char> types;
};

// "gelu", "gelu_derivative", ...; the ufunc that takes alpha is "gelu_with_alpha".
std::string NameOf(const Operation& operation) {
  std::string name = gelu_function_name(operation.function);
  if (operation.form != gelu_form_forward) name += std::string("_") + gelu_form_name(operation.form);
  return operation.takes_alpha ? name + "_with_alpha" : name;
}

PyObject* MakeUfunc(const Operation& operation) {
  static std::deque<Ufunc> all;
  Ufunc& ufunc = all.emplace_back();
  ufunc.operation = operation;
  ufunc.name = NameOf(operation);
  ufunc.doc = std::string(kFormMeanings[operation.form]) + " with f(x) = " + gelu_function_formula(operation.function);
  ufunc.data.fill(&ufunc.operation);
  for (size_t k = 0; k < kTypes.size(); ++k) {
    ufunc.loops[k] = kTypes[k].loop;
    for (int i = 0; i < operation.operands(); ++i) {
      const bool is_alpha = operation.takes_alpha && i == operation.inputs();
      ufunc.types.push_back(is_alpha ? static_cast<char>(NPY_DOUBLE) : kTypes[k].number);
    }
  }
  return PyUFunc_FromFuncAndData(ufunc.loops.data(), ufunc.data.data(), ufunc.types.data(), kTypes.size(),
                                 operation.operands() - operation.outputs(), operation.outputs(), PyUFunc_None,
                                 ufunc.name.c_str(), ufunc.doc.c_str(), 0);
}

// Sets every ufunc as an attribute, by which pickle finds it, and lists the names in `ufuncs`.
bool AddUfuncs(PyObject* module) {
  for (size_t function = 0; function < gelu_function_count(); ++function) {
    for (int form = 0; form < gelu_form_count_; ++form) {
      for (const bool takes_alpha : {false, true}) {
        const Operation operation = {static_cast<gelu_function>(function), static_cast<gelu_form>(form), takes_alpha};
        PyObject* const ufunc = MakeUfunc(operation);
        if (ufunc == nullptr) return false;
        const int failed = PyModule_AddObjectRef(module, NameOf(operation).c_str(), ufunc);
        Py_DECREF(ufunc);
        if (failed != 0) return false;
      }
    }
  }
  return true;
}

// add_type(ufunc, dtype, values): values are those of the 256 codes of a format of 8 bits, or None.
PyObject* AddTypeMethod(PyObject*, PyObject* arguments) {
  PyObject *ufunc, *dtype, *values;
  if (!PyArg_ParseTuple(arguments, "OOO:add_type", &ufunc, &dtype, &values)) return nullptr;
  PyArray_Descr* type = nullptr;
  if (!PyArray_DescrConverter(dtype, &type)) return nullptr;
  bool added = false;
  if (values == Py_None) {
    added = AddType(ufunc, type, nullptr);
  } else if (PyObject* const array = PyArray_FROMANY(values, NPY_DOUBLE, 1, 1, NPY_ARRAY_CARRAY_RO)) {
    if (PyArray_SIZE(reinterpret_cast<PyArrayObject*>(array)) == 256) {
      added = AddType(ufunc, type, static_cast<const double*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array))));
    } else {
      PyErr_SetString(PyExc_ValueError, "gelu: add_type wants the values of 256 codes");
    }
    Py_DECREF(array);
  }
  Py_DECREF(reinterpret_cast<PyObject*>(type));
  if (!added) return nullptr;
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"add_type", AddTypeMethod, METH_VARARGS, nullptr}, {"forms", Forms, METH_NOARGS, nullptr},
    {"functions", Functions, METH_NOARGS, nullptr},     {"names", Names, METH_NOARGS, nullptr},
    {"resolve", Resolve, METH_VARARGS, nullptr},        {"set_target", SetTarget, METH_VARARGS, nullptr},
    {"targets", Targets, METH_NOARGS, nullptr},         {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "gelu._numpy", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace gelu::python

PyMODINIT_FUNC PyInit__numpy() {
  import_array();
  import_umath();
  PyObject* const module = PyModule_Create(&gelu::python::definition);
  if (module == nullptr) return nullptr;
  if (!gelu::python::AddUfuncs(module) || PyModule_AddStringConstant(module, "__version__", gelu_version()) != 0) {
    Py_DECREF(module);
    return nullptr;
  }
  return module;
}
