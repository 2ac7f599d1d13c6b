// SPDX-License-Identifier: Apache-2.0
// The tests walk over everything the library holds: functions, forms, element types and targets. None is named.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gelu/gelu.h"
#include "proof/format.h"
#include "proof/forms.h"
#include "proof/oracle.h"

namespace gelu::proof {

inline std::vector<gelu_function> Functions() {
  std::vector<gelu_function> all;
  for (std::size_t i = 0; i < gelu_function_count(); ++i) all.push_back(static_cast<gelu_function>(i));
  return all;
}

inline std::vector<gelu_form> Forms(std::size_t inputs = 0) {  // 0: with any number of inputs
  std::vector<gelu_form> all;
  for (int i = 0; i < gelu_form_count_; ++i) {
    const auto form = static_cast<gelu_form>(i);
    if (inputs == 0 || gelu_form_inputs(form) == inputs) all.push_back(form);
  }
  return all;
}

inline std::vector<gelu_dtype> Dtypes(std::size_t bytes = 0) {  // 0: of any size
  std::vector<gelu_dtype> all;
  for (int i = 0; i < gelu_dtype_count_; ++i) {
    const auto dtype = static_cast<gelu_dtype>(i);
    if (bytes == 0 || gelu_dtype_size(dtype) == bytes) all.push_back(dtype);
  }
  return all;
}

// The targets that this machine runs, the one-lane code last.
inline std::vector<const char*> Targets() {
  std::vector<const char*> all;
  for (std::size_t i = 0; i < gelu_target_count(); ++i) {
    if (gelu_target_available(i)) all.push_back(gelu_target_name(i));
  }
  return all;
}

// Forces a target for a scope.
class ScopedTarget {
 public:
  explicit ScopedTarget(const char* name) { EXPECT_EQ(gelu_set_target(name), GELU_OK) << name; }
  ~ScopedTarget() { gelu_set_target(nullptr); }
  ScopedTarget(const ScopedTarget&) = delete;
  ScopedTarget& operator=(const ScopedTarget&) = delete;
};

using Arrays = std::vector<Array>;

// Every output of a form. It may be given more inputs than it reads.
inline Arrays Apply(gelu_function function, gelu_form form, const gelu_params& params, gelu_dtype dtype,
                    const Arrays& inputs) {
  Arrays outputs(gelu_form_outputs(form), Array(dtype, inputs.front().size()));
  std::vector<const void*> in;
  std::vector<void*> out;
  for (const Array& input : inputs) in.push_back(input.data());
  for (Array& output : outputs) out.push_back(output.data());
  EXPECT_GE(in.size(), gelu_form_inputs(form));
  EXPECT_EQ(gelu_apply(function, form, dtype, &params, in.data(), out.data(), inputs.front().size()), GELU_OK);
  return outputs;
}

// The only output, or the first, of a form of one input or two.
inline Array Apply(gelu_function function, gelu_form form, const gelu_params& params, gelu_dtype dtype, const Array& x,
                   const Array& dy) {
  return Apply(function, form, params, dtype, Arrays{x, dy}).front();
}

// Element i of every array, as numbers.
inline std::vector<double> Numbers(gelu_dtype dtype, const Arrays& arrays, std::size_t i) {
  std::vector<double> numbers;
  for (const Array& array : arrays) numbers.push_back(ToDouble(dtype, array[i]));
  return numbers;
}

struct What {
  gelu_function function;
  gelu_dtype dtype;
  double alpha = 1.0;
};

inline std::string NameOf(const What& what) {
  return std::string(gelu_function_name(what.function)) + "_" + gelu_dtype_name(what.dtype);
}

inline std::string Text(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

inline std::string Hex(std::uint64_t bits) {
  char text[24];
  std::snprintf(text, sizeof(text), "%#llx", static_cast<unsigned long long>(bits));
  return text;
}

// Element i of the inputs of a form, for messages.
inline std::string HexOf(gelu_form form, const Arrays& inputs, std::size_t i) {
  std::string text;
  for (std::size_t k = 0; k < gelu_form_inputs(form); ++k) text += (k == 0 ? "" : ", ") + Hex(inputs[k][i]);
  return text;
}

inline void PrintTo(const What& what, std::ostream* out) { *out << NameOf(what); }

inline std::string Describe(const What& what, gelu_form form, const char* target = nullptr) {
  return NameOf(what) + " " + gelu_form_name(form) + " alpha " + Text(what.alpha) +
         (target ? std::string(" ") + target : "");
}

// The same of one output.
inline std::string Describe(const What& what, gelu_form form, std::size_t output) {
  return Describe(what, form) + (gelu_form_outputs(form) > 1 ? " output " + std::to_string(output) : "");
}

inline std::vector<What> Everything(std::size_t bytes = 0) {
  std::vector<What> all;
  for (const gelu_function function : Functions()) {
    for (const gelu_dtype dtype : Dtypes(bytes)) all.push_back({function, dtype});
  }
  return all;
}

inline std::string TestName(const testing::TestParamInfo<What>& info) { return NameOf(info.param); }

// Calls work(i) for every i below n on all cores, in chunks.
inline void ParallelFor(std::size_t n, const std::function<void(std::size_t)>& work) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < cores; ++t) {
    threads.emplace_back([&] {
      constexpr std::size_t kChunk = 256;
      for (std::size_t begin = next.fetch_add(kChunk); begin < n; begin = next.fetch_add(kChunk)) {
        for (std::size_t i = begin; i < std::min(n, begin + kChunk); ++i) work(i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Counts failures and describes the first few.
class Failures {
 public:
  explicit Failures(std::string what) : what_(std::move(what)) {}
  ~Failures() { EXPECT_EQ(count_, 0U) << what_ << text_; }
  Failures(const Failures&) = delete;
  Failures& operator=(const Failures&) = delete;

  void Add(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (++count_ <= 5) text_ += "\n  " + text;
  }

 private:
  std::string what_, text_;
  std::mutex mutex_;
  std::size_t count_ = 0;
};

}  // namespace gelu::proof
