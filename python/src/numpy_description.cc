// SPDX-License-Identifier: Apache-2.0
#include "numpy_description.h"

#include <array>

namespace gelu::python {
namespace {

// The list of make(i) for i < count; an entry is owned by the list.
template <class Make>
PyObject* ListOf(size_t count, Make make) {
  PyObject* const list = PyList_New(static_cast<Py_ssize_t>(count));
  for (size_t i = 0; list != nullptr && i < count; ++i) {
    PyObject* const entry = make(i);
    if (entry == nullptr) {
      Py_DECREF(list);
      return nullptr;
    }
    PyList_SetItem(list, static_cast<Py_ssize_t>(i), entry);
  }
  return list;
}

}  // namespace

PyObject* Functions(PyObject*, PyObject*) {
  return ListOf(gelu_function_count(), [](size_t i) {
    const auto function = static_cast<gelu_function>(i);
    return Py_BuildValue("ss", gelu_function_name(function), gelu_function_formula(function));
  });
}

PyObject* Forms(PyObject*, PyObject*) {
  return ListOf(gelu_form_count_, [](size_t i) {
    const auto form = static_cast<gelu_form>(i);
    return Py_BuildValue("ssnn", gelu_form_name(form), kFormMeanings[i], gelu_form_inputs(form),
                         gelu_form_outputs(form));
  });
}

PyObject* Names(PyObject*, PyObject*) {
  return ListOf(gelu_name_count(), [](size_t i) {
    gelu_name name;
    gelu_name_at(i, &name);
    const gelu_activation& meant = name.activation;
    return Py_BuildValue("sssdd", name.framework, name.name, gelu_function_name(meant.function), meant.params.alpha,
                         meant.params.clip);
  });
}

PyObject* Resolve(PyObject*, PyObject* arguments) {
  const char *name, *framework;
  if (!PyArg_ParseTuple(arguments, "sz:resolve", &name, &framework)) return nullptr;
  gelu_activation activation;
  std::array<char, 2048> message;
  if (gelu_resolve(name, framework, &activation, message.data(), message.size()) != GELU_OK) {
    PyErr_SetString(PyExc_ValueError, message.data());
    return nullptr;
  }
  return Py_BuildValue("sdd", gelu_function_name(activation.function), activation.params.alpha, activation.params.clip);
}

PyObject* Targets(PyObject*, PyObject*) {
  PyObject* const list = PyList_New(0);
  for (size_t i = 0; list != nullptr && i < gelu_target_count(); ++i) {
    if (!gelu_target_available(i)) continue;
    PyObject* const name = PyUnicode_FromString(gelu_target_name(i));
    PyList_Append(list, name);
    Py_XDECREF(name);
  }
  return list;
}

PyObject* SetTarget(PyObject*, PyObject* arguments) {
  const char* name;
  if (!PyArg_ParseTuple(arguments, "z:set_target", &name)) return nullptr;
  const gelu_status status = gelu_set_target(name);
  if (status != GELU_OK) {
    PyErr_Format(PyExc_ValueError, "%s: %s", name, gelu_status_message(status));
    return nullptr;
  }
  Py_RETURN_NONE;
}

}  // namespace gelu::python
