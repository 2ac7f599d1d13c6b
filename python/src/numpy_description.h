// SPDX-License-Identifier: Apache-2.0
// What the library says of itself, as Python objects: methods of gelu._numpy.
#ifndef GELU_PYTHON_NUMPY_DESCRIPTION_H_
#define GELU_PYTHON_NUMPY_DESCRIPTION_H_
#include "gelu/gelu.h"
#include "numpy_api.h"

namespace gelu::python {

inline constexpr const char* kFormMeanings[] = {
#define GELU_FORM(name, inputs, outputs, meaning) meaning,
    GELU_FORMS(GELU_FORM)
#undef GELU_FORM
};

PyObject* Functions(PyObject*, PyObject*);            // [(name, formula), ...]
PyObject* Forms(PyObject*, PyObject*);                // [(name, meaning, inputs, outputs), ...]
PyObject* Names(PyObject*, PyObject*);                // [(framework, name, function, alpha, clip), ...]
PyObject* Resolve(PyObject*, PyObject* arguments);    // resolve(name, framework or None) -> (function, alpha, clip)
PyObject* Targets(PyObject*, PyObject*);              // names, the best first, of those that this machine can run
PyObject* SetTarget(PyObject*, PyObject* arguments);  // set_target(name or None)

}  // namespace gelu::python
#endif  // GELU_PYTHON_NUMPY_DESCRIPTION_H_
