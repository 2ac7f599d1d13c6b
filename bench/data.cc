// SPDX-License-Identifier: Apache-2.0
#include "bench/data.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>

#include "cli/tensor.h"
#include "gelu/gelu.hpp"
#include "proof/format.h"

namespace gelu::bench {
namespace {

// Values repeat from here on: far beyond the caches, and quick to make.
constexpr size_t kPeriod = size_t{1} << 21;

std::vector<double> Real(size_t n) {
  const cli::TensorFile file(GELU_BENCH_SAMPLE);
  std::vector<double> values;
  for (const cli::Tensor& tensor : file.tensors()) {
    proof::Array elements(tensor.dtype, tensor.count);
    file.Read(tensor, 0, tensor.count, elements.data());
    for (size_t i = 0; i < elements.size() && values.size() < n; ++i) {
      values.push_back(proof::ToDouble(tensor.dtype, elements[i]));
    }
  }
  for (size_t i = 0; values.size() < n; ++i) values.push_back(values[i]);
  return values;
}

std::vector<double> Values(Source source, size_t n, unsigned seed) {
  if (source == Source::real) return Real(n);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> wide(-30, 30), tail(-14.3, -5.5);
  std::vector<double> values(n);
  for (double& value : values) {
    value = source == Source::normal ? normal(random) : source == Source::wide ? wide(random) : tail(random);
  }
  return values;
}

uint64_t BitsOf(gelu_dtype dtype, double value) {
  switch (dtype) {
    case gelu_dtype_f64:
      return std::bit_cast<uint64_t>(value);
    case gelu_dtype_f32:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case gelu_dtype_f16:
      return f16(value).bits();
    default:
      return bf16(value).bits();
  }
}

void* Allocate(size_t bytes) {
  void* memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* Fill(Source source, gelu_dtype dtype, size_t n, unsigned seed) {
  const size_t size = gelu_dtype_size(dtype), period = std::min(n, kPeriod);
  auto* bytes = static_cast<unsigned char*>(Allocate(n * size));
  const std::vector<double> values = Values(source, period, seed);
  for (size_t i = 0; i < period; ++i) {
    const uint64_t bits = BitsOf(dtype, values[i]);
    std::memcpy(bytes + i * size, &bits, size);
  }
  for (size_t i = period; i < n; i += period) std::memcpy(bytes + i * size, bytes, std::min(period, n - i) * size);
  return bytes;
}

}  // namespace

std::string Name(Source source) {
  switch (source) {
    case Source::normal:
      return "N(0,1)";
    case Source::real:
      return "pre-activations";
    case Source::wide:
      return "+-30";
    default:
      return "tail";
  }
}

void Data::Free::operator()(void* memory) const { std::free(memory); }

Arrays Data::Get(const Kernel& kernel, Source source, size_t n) {
  Storage& storage = storage_[{source, kernel.dtype, n}];
  Arrays arrays{{}, {}, n};
  constexpr unsigned kSeeds[kMaxInputs] = {1, 2, 4};
  for (size_t k = 0; k < gelu_form_inputs(kernel.form); ++k) {
    Memory& in = storage.in[k];
    if (!in) in.reset(Fill(k == 0 ? source : Source::normal, kernel.dtype, n, kSeeds[k]));
    arrays.in[k] = in.get();
  }
  for (size_t k = 0; k < gelu_form_outputs(kernel.form); ++k) {
    Memory& out = storage.out[k];
    if (!out) out.reset(Fill(Source::normal, kernel.dtype, n, 3));  // so that no page is new when it is measured
    arrays.out[k] = out.get();
  }
  return arrays;
}

}  // namespace gelu::bench
