// SPDX-License-Identifier: Apache-2.0
// The body of the C ABI: checks the arguments, looks a kernel up, calls it.
#include "gelu/gelu.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "gelu/control_word.h"
#include "gelu/family.h"
#include "gelu/targets.h"

namespace gelu {
namespace {

struct DtypeFacts {
  const char* name;
  size_t bytes, most;  // of an element, and elements in memory
};
constexpr DtypeFacts kDtypes[] = {
#define GELU_DTYPE(name, bytes, description) {#name, bytes, std::numeric_limits<ptrdiff_t>::max() / bytes},
    GELU_DTYPES(GELU_DTYPE)
#undef GELU_DTYPE
};

constexpr gelu_params kDefaultParams = {1.0, kNoClip};

bool IsLimit(double value) { return std::isgreater(value, 0.0); }  // quiet for NaN

bool IsProbability(double p) { return std::isgreaterequal(p, 0.0) && std::islessequal(p, 1.0); }

bool IsGate(const gelu_gate& gate) {
  return IsLimit(gate.gate_max) && IsLimit(gate.linear_max) && std::isfinite(gate.linear_offset);
}

// Enumerators may come from C with any value.
bool InRange(int value, int count) { return value >= 0 && value < count; }
const FormFacts* Find(gelu_form form) { return InRange(form, gelu_form_count_) ? &kForms[form] : nullptr; }
const DtypeFacts* Find(gelu_dtype dtype) { return InRange(dtype, gelu_dtype_count_) ? &kDtypes[dtype] : nullptr; }
const Facts* Find(gelu_function function) { return InRange(function, gelu_fn_count_) ? &kFamily[function] : nullptr; }

struct Bytes {
  const void* begin;
  size_t size;
};

// Do two arrays share a byte without being the same?
bool PartlyOverlap(const Bytes& a, const Bytes& b) {
  const auto x = reinterpret_cast<uintptr_t>(a.begin), y = reinterpret_cast<uintptr_t>(b.begin);
  if (x == y) return a.size != b.size;
  return x < y ? y - x < a.size : x - y < b.size;
}

gelu_status CheckArrays(const Call& call) {
  const FormFacts& form = kForms[call.form];
  if (call.in == nullptr || call.out == nullptr) return GELU_ERROR_NULL;
  Bytes arrays[kMaxArrays];
  const size_t count = form.inputs + form.outputs;
  for (size_t k = 0; k < count; ++k) {
    const bool is_input = k < form.inputs;
    const size_t o = k - form.inputs;
    const DtypeFacts& dtype = kDtypes[is_input ? call.in_type[k] : call.out_type[o]];
    if (call.n > dtype.most) return GELU_ERROR_SIZE;
    arrays[k] = {is_input ? call.in[k] : call.out[o], call.n * dtype.bytes};
    if (arrays[k].begin == nullptr) return GELU_ERROR_NULL;
  }
  for (size_t k = form.inputs; k < count; ++k) {
    for (size_t other = 0; other < k; ++other) {
      const bool may_be_same = other < form.inputs;
      if (PartlyOverlap(arrays[other], arrays[k])) return GELU_ERROR_OVERLAP;
      if (!may_be_same && arrays[other].begin == arrays[k].begin) return GELU_ERROR_OVERLAP;
    }
  }
  return GELU_OK;
}

// Under the default control word: a host that flushes subnormals would see a tiny clip as zero.
gelu_status Check(const Call& call) {
  const gelu_params& params = call.params;
  if (Find(call.function) == nullptr) return GELU_ERROR_FUNCTION;
  const FormFacts* const form = Find(call.form);
  if (form == nullptr) return GELU_ERROR_FORM;
  for (size_t k = 0; k < form->inputs; ++k) {
    if (Find(call.in_type[k]) == nullptr) return GELU_ERROR_DTYPE;
  }
  for (size_t o = 0; o < form->outputs; ++o) {
    if (Find(call.out_type[o]) == nullptr) return GELU_ERROR_DTYPE;
  }
  if (!std::isfinite(params.alpha)) return GELU_ERROR_ALPHA;
  if (!IsLimit(params.clip)) return GELU_ERROR_CLIP;
  if (params.gate != nullptr && !IsGate(*params.gate)) return GELU_ERROR_GATE;
  if (params.dropout != nullptr && !IsProbability(params.dropout->p)) return GELU_ERROR_DROPOUT;
  if (params.ceiling != nullptr && !std::isfinite(*params.ceiling)) return GELU_ERROR_CEILING;
  if (call.n == 0) return GELU_OK;
  const gelu_status arrays = CheckArrays(call);
  if (arrays != GELU_OK) return arrays;
  return CurrentKernels() != nullptr ? GELU_OK : GELU_ERROR_TARGET;
}

Call MakeCall(gelu_function function, gelu_form form, gelu_dtype dtype, const gelu_params* params,
              const void* const* in, void* const* out, size_t n) {
  Call call = {function, form, params != nullptr ? *params : kDefaultParams, n, in, out, {}, {}};
  for (gelu_dtype& type : call.in_type) type = dtype;
  for (gelu_dtype& type : call.out_type) type = dtype;
  return call;
}

gelu_status CheckAndApply(const Call& call) {
  const DefaultControlWord control_word;
  const gelu_status status = Check(call);
  if (status == GELU_OK && call.n != 0) CurrentKernels()->apply(call);
  return status;
}

// What f returns for the call with a type for every array.
template <class F>
gelu_status WithTypes(Call call, const gelu_dtype* in_types, const gelu_dtype* out_types, F f) {
  const FormFacts* const form = Find(call.form);
  if (form == nullptr) return GELU_ERROR_FORM;
  if (in_types == nullptr || out_types == nullptr) return GELU_ERROR_NULL;
  std::copy_n(in_types, form->inputs, call.in_type);
  std::copy_n(out_types, form->outputs, call.out_type);
  return f(call);
}

gelu_status ApplyOneInput(gelu_function function, gelu_form form, gelu_dtype dtype, double alpha, const void* x,
                          void* y, size_t n) {
  const gelu_params params = {alpha, kNoClip};
  return gelu_apply(function, form, dtype, &params, &x, &y, n);
}

}  // namespace
}  // namespace gelu

const char* gelu_status_message(gelu_status status) {
  switch (status) {
    case GELU_OK:
      return "no error";
    case GELU_ERROR_FUNCTION:
      return "no such function: pass a value of gelu_function, or look a name up with gelu_resolve";
    case GELU_ERROR_FORM:
      return "no such form: pass a value of gelu_form";
    case GELU_ERROR_DTYPE:
      return "no such element type: pass a value of gelu_dtype";
    case GELU_ERROR_ALPHA:
      return "alpha is NaN or infinite: pass a finite alpha (relu is the limit of alpha -> infinity)";
    case GELU_ERROR_CLIP:
      return "clip is NaN, zero or negative: pass a positive clip, or HUGE_VAL for none";
    case GELU_ERROR_NULL:
      return "a null pointer with n > 0: pass an array for every input and output of the form";
    case GELU_ERROR_SIZE:
      return "n elements do not fit into the address space: check n";
    case GELU_ERROR_OVERLAP:
      return "an output overlaps another array: pass the very same array (in place) or one apart";
    case GELU_ERROR_TARGET:
      return "no such target on this machine: gelu_target_name lists them; check GELU_TARGET in the environment";
    case GELU_ERROR_NAME:
      return "no activation is known by this name: gelu_name_at lists them";
    case GELU_ERROR_AMBIGUOUS:
      return "the name means different functions: name the framework, or the variant";
    case GELU_ERROR_GATE:
      return "a limit of gelu_gate is NaN, zero or negative, or its offset not finite: pass HUGE_VAL for no limit";
    case GELU_ERROR_DROPOUT:
      return "p of gelu_dropout is NaN or not in [0, 1]: pass the probability of a drop; arrays of strides take none";
    case GELU_ERROR_CEILING:
      return "ceiling is NaN or infinite: pass a finite number, or null for 1";
    case GELU_ERROR_SHAPE:
      return "more dimensions than GELU_MAX_RANK, or a null shape: join dimensions, or pass a length for each";
  }
  return "unknown status: it did not come from this library";
}

gelu_status gelu_check(gelu_function function, gelu_form form, gelu_dtype dtype, const gelu_params* params,
                       const void* const* in, void* const* out, size_t n) {
  const gelu::DefaultControlWord control_word;
  return gelu::Check(gelu::MakeCall(function, form, dtype, params, in, out, n));
}

gelu_status gelu_apply(gelu_function function, gelu_form form, gelu_dtype dtype, const gelu_params* params,
                       const void* const* in, void* const* out, size_t n) {
  return gelu::CheckAndApply(gelu::MakeCall(function, form, dtype, params, in, out, n));
}

gelu_status gelu_check_mixed(gelu_function function, gelu_form form, const gelu_dtype* in_types,
                             const gelu_dtype* out_types, const gelu_params* params, const void* const* in,
                             void* const* out, size_t n) {
  const auto check = [](const gelu::Call& call) {
    const gelu::DefaultControlWord control_word;
    return gelu::Check(call);
  };
  return gelu::WithTypes(gelu::MakeCall(function, form, gelu_dtype_f64, params, in, out, n), in_types, out_types,
                         check);
}

gelu_status gelu_apply_mixed(gelu_function function, gelu_form form, const gelu_dtype* in_types,
                             const gelu_dtype* out_types, const gelu_params* params, const void* const* in,
                             void* const* out, size_t n) {
  return gelu::WithTypes(gelu::MakeCall(function, form, gelu_dtype_f64, params, in, out, n), in_types, out_types,
                         gelu::CheckAndApply);
}

gelu_status gelu_forward(gelu_function function, gelu_dtype dtype, double alpha, const void* x, void* y, size_t n) {
  return gelu::ApplyOneInput(function, gelu_form_forward, dtype, alpha, x, y, n);
}

gelu_status gelu_derivative(gelu_function function, gelu_dtype dtype, double alpha, const void* x, void* y, size_t n) {
  return gelu::ApplyOneInput(function, gelu_form_derivative, dtype, alpha, x, y, n);
}

gelu_status gelu_second_derivative(gelu_function function, gelu_dtype dtype, double alpha, const void* x, void* y,
                                   size_t n) {
  return gelu::ApplyOneInput(function, gelu_form_second_derivative, dtype, alpha, x, y, n);
}

gelu_status gelu_backward(gelu_function function, gelu_dtype dtype, double alpha, const void* x, const void* dy,
                          void* dx, size_t n) {
  const gelu_params params = {alpha, gelu::kNoClip};
  const void* const in[] = {x, dy};
  return gelu_apply(function, gelu_form_backward, dtype, &params, in, &dx, n);
}

const char* gelu_version(void) { return GELU_VERSION; }

size_t gelu_function_count(void) { return gelu_fn_count_; }

const char* gelu_function_name(gelu_function function) {
  const gelu::Facts* const facts = gelu::Find(function);
  return facts != nullptr ? facts->name : nullptr;
}

const char* gelu_function_formula(gelu_function function) {
  const gelu::Facts* const facts = gelu::Find(function);
  return facts != nullptr ? facts->formula : nullptr;
}

const char* gelu_form_name(gelu_form form) {
  const gelu::FormFacts* const facts = gelu::Find(form);
  return facts != nullptr ? facts->name : nullptr;
}

size_t gelu_form_inputs(gelu_form form) {
  const gelu::FormFacts* const facts = gelu::Find(form);
  return facts != nullptr ? facts->inputs : 0;
}

size_t gelu_form_outputs(gelu_form form) {
  const gelu::FormFacts* const facts = gelu::Find(form);
  return facts != nullptr ? facts->outputs : 0;
}

const char* gelu_dtype_name(gelu_dtype dtype) {
  const gelu::DtypeFacts* const facts = gelu::Find(dtype);
  return facts != nullptr ? facts->name : nullptr;
}

size_t gelu_dtype_size(gelu_dtype dtype) {
  const gelu::DtypeFacts* const facts = gelu::Find(dtype);
  return facts != nullptr ? facts->bytes : 0;
}
