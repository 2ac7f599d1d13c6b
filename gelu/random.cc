// SPDX-License-Identifier: Apache-2.0
// The gate as an event, and its mean's other face: a rectifier with noise.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "gelu/control_word.h"
#include "gelu/element.h"
#include "gelu/family.h"
#include "gelu/targets.h"

namespace gelu {
namespace {

constexpr size_t kBlock = 256;

// Calls block(begin, count, words) for all elements, the words being theirs.
template <class F>
void InBlocks(const gelu_dropout& random, size_t n, F block) {
  const DefaultControlWord control_word;
  uint32_t words[kBlock];
  for (size_t begin = 0; begin < n; begin += kBlock) {
    const size_t count = std::min(kBlock, n - begin);
    CurrentKernels()->random_words(random.seed, random.stream, random.first + begin, words, count);
    block(begin, count, words);
  }
}

// gate(alpha x) = f(x) / x. About zero f would lose bits: there another x stands for the same alpha x.
void FindGates(gelu_function function, double alpha, const double* x, double* gates, size_t n) {
  gelu_forward(function, gelu_dtype_f64, alpha, x, gates, n);
  for (size_t i = 0; i < n; ++i) {
    double number = x[i];
    if (std::fabs(number) < 0x1p-800) {
      number = number == 0 ? 0x1p-800 : number * 0x1p400;
      gelu_forward(function, gelu_dtype_f64, x[i] == 0 ? 0 : alpha * 0x1p-400, &number, &gates[i], 1);
    }
    gates[i] = gates[i] == number ? 1.0 : gates[i] / number;  // at infinity too
  }
}

}  // namespace
}  // namespace gelu

gelu_status gelu_stochastic(gelu_function function, gelu_dtype dtype, double alpha, const gelu_dropout* random,
                            const void* x, void* y, size_t n) {
  const gelu_params params{.alpha = alpha, .clip = gelu::kNoClip};
  const gelu_status status = gelu_check(function, gelu_form_forward, dtype, &params, &x, &y, n);
  if (status != GELU_OK || n == 0) return status;
  if (random == nullptr) return GELU_ERROR_NULL;
  const size_t size = gelu_dtype_size(dtype);
  gelu::InBlocks(*random, n, [&](size_t begin, size_t count, const uint32_t* words) {
    const char* const from = static_cast<const char*>(x) + begin * size;
    char* const to = static_cast<char*>(y) + begin * size;
    double number[gelu::kBlock], values[gelu::kBlock];
    for (size_t i = 0; i < count; ++i) number[i] = gelu::ToDouble(dtype, from + i * size);
    gelu::FindGates(function, alpha, number, values, count);
    for (size_t i = 0; i < count; ++i) {
      const size_t at = i * size;
      if (std::isnan(number[i])) {
        gelu_forward(function, dtype, alpha, from + at, to + at, 1);  // the canonical NaN
      } else if (words[i] * 0x1p-32 < values[i]) {
        std::memmove(to + at, from + at, size);
      } else {
        std::memset(to + at, 0, size);
      }
    }
  });
  return GELU_OK;
}

gelu_status gelu_noisy_relu(gelu_dtype dtype, const gelu_dropout* random, const void* x, void* y, size_t n) {
  const gelu_status status = gelu_check(gelu_fn_relu, gelu_form_forward, dtype, nullptr, &x, &y, n);
  if (status != GELU_OK || n == 0) return status;
  if (random == nullptr) return GELU_ERROR_NULL;
  const size_t size = gelu_dtype_size(dtype);
  gelu::InBlocks(*random, n, [&](size_t begin, size_t count, const uint32_t* words) {
    double noise[gelu::kBlock];
    gelu::CurrentKernels()->normal_variates(words, noise, count);
    const void* const in[] = {static_cast<const char*>(x) + begin * size, noise};
    void* const out = static_cast<char*>(y) + begin * size;
    const gelu_dtype types[] = {dtype, gelu_dtype_f64};
    gelu_apply_mixed(gelu_fn_relu, gelu_form_bias, types, &dtype, nullptr, in, &out, count);
  });
  return GELU_OK;
}
