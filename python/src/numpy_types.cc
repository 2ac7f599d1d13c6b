// SPDX-License-Identifier: Apache-2.0
#include "numpy_types.h"

#include <array>

#include "numpy_loops.h"
#include "small_float.h"

namespace gelu::python {
namespace {

int LoopOfBfloat16(PyArrayMethod_Context* context, char* const* data, const npy_intp* n, const npy_intp* strides,
                   NpyAuxData*) {
  return Evaluate(OperationOf(context->caller), gelu_dtype_bf16, data, strides, *n) ? 0 : -1;
}

// Types of 8 bits, by their place in `formats`; as many as ml_dtypes may come to have.
struct Format {
  int type_number;
  SmallFloat codec;
};
std::array<Format, 16> formats;
size_t format_count = 0;

const SmallFloat* CodecOf(int type_number) {
  for (size_t i = 0; i < format_count; ++i) {
    if (formats[i].type_number == type_number) return &formats[i].codec;
  }
  return nullptr;
}

// Evaluates in f64, in blocks: its error is far below the distance to the next boundary between two codes.
int LoopOf8Bits(PyArrayMethod_Context* context, char* const* data, const npy_intp* n, const npy_intp* strides,
                NpyAuxData*) {
  constexpr npy_intp kBlock = 256, kDouble = sizeof(double);
  const Operation& operation = OperationOf(context->caller);
  const SmallFloat& codec = *CodecOf(context->descriptors[0]->type_num);
  const int inputs = operation.inputs(), operands = operation.operands(), outputs = operation.outputs();
  std::array<std::array<double, kBlock>, kMostOperands> block;
  std::array<char*, kMostOperands> wide;
  std::array<npy_intp, kMostOperands> wide_strides;
  for (npy_intp start = 0; start < *n; start += kBlock) {
    const npy_intp count = std::min(kBlock, *n - start);
    for (int k = 0; k < operands; ++k) {
      wide[k] = reinterpret_cast<char*>(block[k].data());
      wide_strides[k] = kDouble;
      for (npy_intp i = 0; k < inputs && i < count; ++i) block[k][i] = codec.Decode(data[k][(start + i) * strides[k]]);
    }
    if (operation.takes_alpha) {
      wide[inputs] = data[inputs] + start * strides[inputs];
      wide_strides[inputs] = strides[inputs];
    }
    if (!Evaluate(operation, gelu_dtype_f64, wide.data(), wide_strides.data(), count)) return -1;
    for (int k = operands - outputs; k < operands; ++k) {
      for (npy_intp i = 0; i < count; ++i) data[k][(start + i) * strides[k]] = codec.Encode(block[k][i]);
    }
  }
  return 0;
}

// alpha is a double whatever it was given as: with a bfloat16 array a Python float would otherwise make a float32.
int AlphaIsDouble(PyObject* ufunc, PyArray_DTypeMeta* const types[], PyArray_DTypeMeta* const[],
                  PyArray_DTypeMeta* chosen[]) {
  const Operation& operation = OperationOf(ufunc);
  for (int i = 0; i < operation.operands(); ++i) {
    chosen[i] = i == operation.inputs() ? &PyArray_DoubleDType : types[0];
    Py_INCREF(reinterpret_cast<PyObject*>(chosen[i]));
  }
  return 0;
}

bool AddPromoter(PyObject* ufunc, const Operation& operation, PyArray_DTypeMeta* type) {
  PyObject* const types = PyTuple_New(operation.operands());
  if (types == nullptr) return false;
  for (int i = 0; i < operation.operands(); ++i) {
    PyObject* const item = i < operation.inputs() ? reinterpret_cast<PyObject*>(type) : Py_None;
    Py_INCREF(item);
    PyTuple_SetItem(types, i, item);
  }
  PyObject* const promoter = PyCapsule_New(reinterpret_cast<void*>(&AlphaIsDouble), "numpy._ufunc_promoter", nullptr);
  const bool added = promoter != nullptr && PyUFunc_AddPromoter(ufunc, types, promoter) == 0;
  Py_XDECREF(promoter);
  Py_DECREF(types);
  return added;
}

}  // namespace

bool AddType(PyObject* ufunc, PyArray_Descr* type, const double* values) {
  if (values != nullptr && CodecOf(type->type_num) == nullptr) {
    if (format_count == formats.size()) {
      PyErr_SetString(PyExc_RuntimeError, "gelu: too many 8-bit types");
      return false;
    }
    formats[format_count++] = {type->type_num, SmallFloat(values)};
  }
  const Operation& operation = OperationOf(ufunc);
  auto* const meta = reinterpret_cast<PyArray_DTypeMeta*>(Py_TYPE(reinterpret_cast<PyObject*>(type)));
  std::array<PyArray_DTypeMeta*, kMostOperands> types;
  types.fill(meta);
  if (operation.takes_alpha) types[operation.inputs()] = &PyArray_DoubleDType;
  std::array<PyType_Slot, 2> slots = {
      {{NPY_METH_strided_loop, reinterpret_cast<void*>(values == nullptr ? &LoopOfBfloat16 : &LoopOf8Bits)},
       {0, nullptr}}};
  PyArrayMethod_Spec spec = {};
  spec.name = "gelu";
  spec.nin = operation.operands() - operation.outputs();
  spec.nout = operation.outputs();
  spec.casting = NPY_NO_CASTING;
  spec.flags = NPY_METH_NO_FLOATINGPOINT_ERRORS;
  spec.dtypes = types.data();
  spec.slots = slots.data();
  if (PyUFunc_AddLoopFromSpec(ufunc, &spec) < 0) return false;
  return !operation.takes_alpha || AddPromoter(ufunc, operation, meta);
}

}  // namespace gelu::python
