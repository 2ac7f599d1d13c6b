// SPDX-License-Identifier: Apache-2.0
// Arrays of any layout, by runs of contiguous ones: elements that do not lie side by side are gathered and scattered.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "gelu/layout.h"

namespace gelu {
namespace {

constexpr size_t kBlock = 256;   // elements gathered at a time
constexpr size_t kLongRun = 64;  // elements, from which a call of its own is worth it
constexpr size_t kLargest = 8;   // bytes of an element

template <class T>
void Copy(char* to, ptrdiff_t to_stride, const char* from, ptrdiff_t from_stride, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    std::memcpy(to, from, sizeof(T));
    to += to_stride * static_cast<ptrdiff_t>(sizeof(T));
    from += from_stride * static_cast<ptrdiff_t>(sizeof(T));
  }
}
void Copy(size_t size, char* to, ptrdiff_t to_stride, const char* from, ptrdiff_t from_stride, size_t n) {
  if (size == 2) return Copy<uint16_t>(to, to_stride, from, from_stride, n);
  if (size == 4) return Copy<uint32_t>(to, to_stride, from, from_stride, n);
  Copy<uint64_t>(to, to_stride, from, from_stride, n);
}

struct Call {
  gelu_function function;
  gelu_form form;
  gelu_dtype dtype;
  const gelu_params* params;
};

// The elements along one dimension from the given places on.
void ApplyRun(const Call& call, const Layout& layout, const Layout::Dimension& run, const char* const* places) {
  const auto contiguous = [&](size_t a) { return run.stride[a] == 1 || run.length == 1; };
  bool all = true;
  for (size_t a = 0; a < layout.arrays; ++a) all = all && contiguous(a);
  const size_t block = all ? run.length : kBlock;
  alignas(64) char buffer[kMaxArrays][kBlock * kLargest];
  for (size_t begin = 0; begin < run.length; begin += block) {
    const size_t n = std::min(block, run.length - begin);
    char* place[kMaxArrays];
    const void* in[kMaxArrays];
    void* out[kMaxArrays];
    for (size_t a = 0; a < layout.arrays; ++a) {
      const ptrdiff_t offset = static_cast<ptrdiff_t>(begin * layout.size) * run.stride[a];
      place[a] = const_cast<char*>(places[a]) + offset;  // written to only where the caller gave it as an output
      char* const here = contiguous(a) ? place[a] : buffer[a];
      if (a >= layout.inputs) {
        out[a - layout.inputs] = here;
        continue;
      }
      in[a] = here;
      if (!contiguous(a)) Copy(layout.size, buffer[a], 1, place[a], run.stride[a], n);
    }
    gelu_apply(call.function, call.form, call.dtype, call.params, in, out, n);
    for (size_t a = layout.inputs; a < layout.arrays; ++a) {
      if (!contiguous(a)) Copy(layout.size, place[a], run.stride[a], buffer[a], 1, n);
    }
  }
}

// Moves to the front the dimension to run along: the last, in which arrays are the most likely to be contiguous, if it
// is long, else the longest.
void ChooseRun(Layout& layout) {
  size_t chosen = layout.rank - 1;
  if (layout.at[chosen].length < kLongRun) {
    for (size_t k = 0; k < layout.rank; ++k) {
      if (layout.at[k].length > layout.at[chosen].length) chosen = k;
    }
  }
  std::swap(layout.at[0], layout.at[chosen]);
}

void ApplyAll(const Call& call, Layout& layout) {
  if (layout.rank == 0) layout.at[layout.rank++] = {1, {}};
  ChooseRun(layout);
  size_t index[GELU_MAX_RANK] = {};
  for (;;) {
    ApplyRun(call, layout, layout.at[0], layout.data);
    size_t k = 1;
    for (; k < layout.rank; ++k) {
      const Layout::Dimension& d = layout.at[k];
      const bool ends = ++index[k] == d.length;
      const ptrdiff_t steps = ends ? -static_cast<ptrdiff_t>(d.length - 1) : 1;
      for (size_t a = 0; a < layout.arrays; ++a) {
        layout.data[a] += d.stride[a] * steps * static_cast<ptrdiff_t>(layout.size);
      }
      if (!ends) break;
      index[k] = 0;
    }
    if (k == layout.rank) return;
  }
}

// The strides of array a, null meaning C order; where those are too large, so is the array, which Normalise tells.
void SetStrides(Layout& layout, size_t a, const ptrdiff_t* strides) {
  ptrdiff_t c_order = 1;
  for (size_t k = layout.rank; k-- > 0;) {
    layout.at[k].stride[a] = strides != nullptr ? strides[k] : c_order;
    if (__builtin_mul_overflow(c_order, layout.at[k].length, &c_order)) c_order = PTRDIFF_MAX;
  }
}

}  // namespace
}  // namespace gelu

gelu_status gelu_apply_strided(gelu_function function, gelu_form form, gelu_dtype dtype, const gelu_params* params,
                               size_t rank, const size_t* shape, const void* const* in,
                               const ptrdiff_t* const* in_strides, void* const* out,
                               const ptrdiff_t* const* out_strides) {
  const gelu_status call = gelu_check(function, form, dtype, params, nullptr, nullptr, 0);
  if (call != GELU_OK) return call;
  if (rank > GELU_MAX_RANK || (rank > 0 && shape == nullptr)) return GELU_ERROR_SHAPE;
  if (std::find(shape, shape + rank, size_t{0}) != shape + rank) return GELU_OK;
  if (params != nullptr && params->dropout != nullptr) return GELU_ERROR_DROPOUT;  // runs would start at `first` again
  if (in == nullptr || out == nullptr) return GELU_ERROR_NULL;

  gelu::Layout layout;
  layout.size = gelu_dtype_size(dtype);
  layout.inputs = gelu_form_inputs(form);
  layout.arrays = layout.inputs + gelu_form_outputs(form);
  layout.rank = rank;
  for (size_t k = 0; k < rank; ++k) layout.at[k].length = shape[k];
  for (size_t a = 0; a < layout.arrays; ++a) {
    const bool is_input = a < layout.inputs;
    const size_t i = is_input ? a : a - layout.inputs;
    layout.data[a] = static_cast<const char*>(is_input ? in[i] : out[i]);
    if (layout.data[a] == nullptr) return GELU_ERROR_NULL;
    const ptrdiff_t* const* const strides = is_input ? in_strides : out_strides;
    gelu::SetStrides(layout, a, strides != nullptr ? strides[i] : nullptr);
  }
  const gelu_status status = gelu::Normalise(layout);
  if (status != GELU_OK) return status;
  if (gelu_target() == nullptr) return GELU_ERROR_TARGET;
  gelu::ApplyAll({function, form, dtype, params}, layout);
  return GELU_OK;
}
