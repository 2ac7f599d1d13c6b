// SPDX-License-Identifier: Apache-2.0
// The one loop: from arrays to arrays, block by block. Inputs become lanes; each output has its kernel, or goes the
// wide way, and so does what a kernel leaves undecided; results become elements.
#if defined(GELU_MAP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GELU_MAP_INL_H_
#undef GELU_MAP_INL_H_
#else
#define GELU_MAP_INL_H_
#endif
#include <cstring>
#include <limits>

#include "gelu/dtype-inl.h"
#include "gelu/kernels.h"
#include "gelu/operands-inl.h"
#include "gelu/scale-inl.h"
#include "gelu/wide-inl.h"

GELU_BEGIN

// What a function brings.
struct FunctionKernels {
  WideKernel wide[kOrders];
  const RowSet* sets;
  size_t set_count;
  const RowKernels<float>* exact_f32;  // null but for functions that need no rounding
  const RowKernels<double>* exact_f64;
};
const FunctionKernels& KernelsOf(gelu_function function);

template <class Alpha, class T>
inline constexpr RowKernels<T> kRowKernels = MakeRowKernels<Alpha, T>();

inline constexpr size_t kLargestElement = 8;  // bytes

template <class T>
class Mapper {
 public:
  explicit Mapper(const Call& call)
      : call_(call),
        facts_(kForms[call.form]),
        form_(facts_.body),
        function_(KernelsOf(call.function)),
        scale_(call.params) {
    for (size_t k = 0; k < facts_.inputs; ++k) in_type_[k] = &kDtypeKernels[call.in_type[k]];
    for (size_t o = 0; o < facts_.outputs; ++o) out_type_[o] = &kDtypeKernels[call.out_type[o]];
    gated_ = form_.gated && call.params.gate != nullptr;
    for (size_t o = 0; o < facts_.outputs; ++o) FindKernel(o);
  }

  void Run() const {
    const size_t rest = call_.n % Lanes(Tag<T>()), whole = call_.n - rest;
    bool in_place[kMaxOutputs];
    for (size_t o = 0; o < facts_.outputs; ++o) in_place[o] = IsInPlace(o);
    for (size_t begin = 0; begin < whole; begin += kBlock) {
      MapBlock(begin, whole - begin < kBlock ? whole - begin : kBlock, in_place);
    }
    if (rest != 0) MapRest(whole, rest);
  }

 private:
  struct Step {
    RowKernel<T> kernel;  // null: the wide way
    const Rows<T>* rows;
    size_t factors;  // of the kernel's shape
  };

  bool IsInPlace(size_t o) const {
    for (size_t k = 0; k < facts_.inputs; ++k) {
      if (call_.in[k] == call_.out[o]) return true;
    }
    return false;
  }

  void FindKernel(size_t o) {
    const FormOutput& output = form_.output[o];
    Step& step = step_[o];
    step = {nullptr, nullptr, output.factors};
    const gelu_params& params = call_.params;
    if constexpr (sizeof(T) == 8) {
      if (!IsLane(o)) return;  // to be rounded once
    }
    if (output.order >= kRowOrders || params.clip != std::numeric_limits<double>::infinity()) return;
    if (gated_) {
      if (!HasGate<T>(*params.gate, RowLane<T>::kHugePart)) return;
      gate_ = MakeGate<T>(*params.gate);
      if (output.factor[0] == 1) step.factors = 2;
    }
    if (!scale_.IsOne()) {
      if (!FindLaneScale(scale_, &lane_scale_)) return;
      step.factors = 2;
    }
    const RowShape shape = {output.order, step.factors, form_.adds};
    const RowKernels<T>* exact;
    if constexpr (sizeof(T) == 4)
      exact = function_.exact_f32;
    else
      exact = function_.exact_f64;
    if (exact != nullptr) {
      step.kernel = exact->Find(shape);
      return;
    }
    for (size_t s = 0; s < function_.set_count; ++s) {
      step.rows = function_.sets[s].template Find<T>(output.order);
      if (function_.sets[s].alpha != params.alpha || step.rows == nullptr) continue;
      step.kernel = kRowKernels<AlphaIsOne, T>.Find(shape);
      return;
    }
    if (function_.set_count == 0 || !HasRowAlpha(params.alpha)) return;
    step.rows = function_.sets[0].template Find<T>(output.order);
    step.kernel = kRowKernels<RowAlpha<T>, T>.Find(shape);
    alpha_ = MakeRowAlpha<T>(params.alpha);
  }

  void MapBlock(size_t begin, size_t n, const bool* in_place) const {
    const char* in[kMaxInputs];
    char* out[kMaxOutputs];
    alignas(64) char results[kMaxOutputs][kBlock * kLargestElement];  // inputs are read to the end before one is lost
    for (size_t k = 0; k < facts_.inputs; ++k) {
      in[k] = static_cast<const char*>(call_.in[k]) + begin * in_type_[k]->size;
    }
    for (size_t o = 0; o < facts_.outputs; ++o) {
      out[o] = in_place[o] ? results[o] : static_cast<char*>(call_.out[o]) + begin * out_type_[o]->size;
    }
    MapOutputs(begin, in, out, n);
    for (size_t o = 0; o < facts_.outputs; ++o) {
      const size_t size = out_type_[o]->size;
      if (in_place[o]) std::memcpy(static_cast<char*>(call_.out[o]) + begin * size, results[o], n * size);
    }
  }

  GELU_NOINLINE void MapRest(size_t begin, size_t n) const {
    constexpr size_t kBytes = kMaxLanes * kLargestElement;
    alignas(64) char padded[kMaxInputs][kBytes], results[kMaxOutputs][kBytes];
    const char* in[kMaxInputs];
    char* out[kMaxOutputs];
    for (size_t k = 0; k < facts_.inputs; ++k) {
      in_type_[k]->pad(static_cast<const char*>(call_.in[k]) + begin * in_type_[k]->size, padded[k], n);
      in[k] = padded[k];
    }
    for (size_t o = 0; o < facts_.outputs; ++o) out[o] = results[o];
    MapOutputs(begin, in, out, Lanes(Tag<T>()));
    for (size_t o = 0; o < facts_.outputs; ++o) {
      const size_t size = out_type_[o]->size;
      CopyFew<kBytes / 2>(static_cast<char*>(call_.out[o]) + begin * size, results[o], n * size);
    }
  }

  // A block from element `begin` on, whole vectors of it, in and out apart.
  void MapOutputs(size_t begin, const char* const* in, char* const* out, size_t n) const {
    alignas(64) T converted[kMaxInputs][kBlock];
    const T* lanes[kMaxInputs];
    for (size_t k = 0; k < facts_.inputs; ++k) lanes[k] = ToLanes(k, in[k], converted[k], n);
    for (size_t o = 0; o < facts_.outputs; ++o) {
      if (step_[o].kernel == nullptr) {
        MapWide(o, in, out[o], n);
      } else {
        MapByKernel(o, lanes, in, out[o], n);
      }
      if (call_.params.dropout != nullptr) DropResults(*call_.params.dropout, begin, out[o], out_type_[o]->size, n);
    }
  }

  const T* ToLanes(size_t k, const char* in, T* converted, size_t n) const {
    if constexpr (sizeof(T) == 4) {
      if (in_type_[k]->to_f32 == nullptr) return reinterpret_cast<const T*>(in);
      in_type_[k]->to_f32(in, converted, n);
    } else {
      if (in_type_[k]->to_f64 == nullptr) return reinterpret_cast<const T*>(in);
      in_type_[k]->to_f64(in, converted, n);
    }
    return converted;
  }

  void MapByKernel(size_t o, const T* const* lanes, const char* const* in, char* out, size_t n) const {
    const FormOutput& output = form_.output[o];
    const Step& step = step_[o];
    Undecided left;
    Sums<T> point, factor;
    RowTask<T> task = {step.rows, alpha_, lanes[0], nullptr, nullptr, nullptr};
    if (form_.adds) {
      SumPoints(lanes[0], lanes[1], point, n, left);
      task.x = point.hi;
      task.x_low = point.lo;
    } else if (gated_) {
      LimitPoints(gate_, lanes[0], point.hi, n);
      task.x = point.hi;
    }
    const bool scales = !scale_.IsOne();
    if (output.factors == 2 || scales || (gated_ && output.factors != 0)) {
      MultiplyFactors(output, gated_ ? &gate_ : nullptr, scales ? &lane_scale_ : nullptr, lanes, factor, n, left);
      task.factor = factor.hi;
      task.factor_low = factor.lo;
    } else if (output.factors == 1) {
      task.factor = lanes[output.factor[0]];
    }
    alignas(64) T result[kBlock];
    T* const y = IsLane(o) ? reinterpret_cast<T*>(out) : result;
    step.kernel(task, y, n, left);
    const DtypeKernels& type = *out_type_[o];
    if constexpr (sizeof(T) == 4) {
      if (!IsLane(o)) (output.factors == 0 ? type.from_f32 : type.from_product)(y, out, n, left);
    }
    if (left.count() != 0) Decide(left, o, in, out);
  }

  bool IsLane(size_t o) const { return out_type_[o]->size == sizeof(T); }

  void MapWide(size_t o, const char* const* in, char* out, size_t n) const {
    for (size_t begin = 0; begin < n; begin += kWideBlock) {
      const size_t count = n - begin < kWideBlock ? n - begin : kWideBlock;
      const char* from[kMaxInputs];
      for (size_t k = 0; k < facts_.inputs; ++k) from[k] = in[k] + begin * in_type_[k]->size;
      MapWideBlock(o, from, out + begin * out_type_[o]->size, count);
    }
  }

  GELU_NOINLINE void MapWideBlock(size_t o, const char* const* in, char* out, size_t n) const {
    WideInput inputs[kMaxInputs];
    WideResult result;
    for (size_t k = 0; k < facts_.inputs; ++k) {
      if (in_type_[k]->to_f64 != nullptr) {
        in_type_[k]->to_f64(in[k], inputs[k].x, n);
      } else {
        std::memcpy(inputs[k].x, in[k], n * sizeof(double));
      }
    }
    WideOutput(function_.wide, form_, form_.output[o], scale_, inputs, result, n, call_.params);
    out_type_[o]->from_result(result, out, n);
  }

  GELU_NOINLINE void Decide(const Undecided& left, size_t o, const char* const* in, char* out) const {
    alignas(64) char gathered[kMaxInputs][kWideBlock * kLargestElement], results[kWideBlock * kLargestElement];
    const char* from[kMaxInputs];
    for (size_t k = 0; k < facts_.inputs; ++k) from[k] = gathered[k];
    const size_t lanes = Lanes(Tag<double>()), size = out_type_[o]->size;
    for (size_t begin = 0; begin < left.count(); begin += kWideBlock) {
      const size_t count = left.count() - begin < kWideBlock ? left.count() - begin : kWideBlock;
      const size_t whole = (count + lanes - 1) / lanes * lanes;
      for (size_t i = 0; i < whole; ++i) {
        const size_t at = left[begin + (i < count ? i : 0)];
        for (size_t k = 0; k < facts_.inputs; ++k) {
          const size_t bytes = in_type_[k]->size;
          std::memcpy(gathered[k] + i * bytes, in[k] + at * bytes, bytes);
        }
      }
      MapWideBlock(o, from, results, whole);
      for (size_t i = 0; i < count; ++i) std::memcpy(out + left[begin + i] * size, results + i * size, size);
    }
  }

  const Call& call_;
  const FormFacts& facts_;
  const FormBody& form_;
  const FunctionKernels& function_;
  const DtypeKernels* in_type_[kMaxInputs];
  const DtypeKernels* out_type_[kMaxOutputs];
  bool gated_;
  Gate<T> gate_;
  const ResultScale scale_;
  LaneScale<T> lane_scale_;
  Step step_[kMaxOutputs];
  RowAlpha<T> alpha_;
};

inline void Apply(const Call& call) {
  bool has_f64 = false;
  for (size_t k = 0; k < kForms[call.form].inputs; ++k) has_f64 = has_f64 || call.in_type[k] == gelu_dtype_f64;
  for (size_t o = 0; o < kForms[call.form].outputs; ++o) has_f64 = has_f64 || call.out_type[o] == gelu_dtype_f64;
  if (has_f64) return Mapper<double>(call).Run();
  Mapper<float>(call).Run();
}

GELU_END
#endif  // toggled guard
