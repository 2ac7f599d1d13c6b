// SPDX-License-Identifier: Apache-2.0
// Small tensors for the tests of the report.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/report.h"
#include "cli/statistics.h"
#include "cli/statistics_numbers.h"

namespace gelu::cli {

inline Tensor MakeTensor(std::string name, gelu_dtype dtype, std::vector<uint64_t> shape, bool fortran = false) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.dtype = dtype;
  tensor.fortran_order = fortran;
  tensor.shape = std::move(shape);
  tensor.count = 1;
  for (const uint64_t length : tensor.shape) tensor.count *= length;
  return tensor;
}

inline StatisticsOptions DefaultOptions() { return {ReportedFunctions().front(), 0}; }

// The values rounded to the tensor's type.
inline std::vector<double> Rounded(gelu_dtype dtype, const std::vector<double>& values) {
  std::vector<double> raw(values.size()), back(values.size());
  Narrow(dtype, values.data(), values.size(), raw.data());
  Widen(dtype, raw.data(), values.size(), back.data());
  return back;
}

// Collected in pieces of the given length; 0 means all at once.
inline Statistics Collect(const Tensor& tensor, const std::vector<double>& values, std::size_t piece = 0,
                          const StatisticsOptions& options = DefaultOptions()) {
  std::vector<double> raw(values.size());
  Narrow(tensor.dtype, values.data(), values.size(), raw.data());
  const auto* bytes = reinterpret_cast<const std::byte*>(raw.data());
  const std::size_t width = gelu_dtype_size(tensor.dtype);
  if (piece == 0) piece = values.size() + 1;
  Collector collector(tensor, options);
  for (std::size_t i = 0; i < values.size(); i += piece) {
    collector.Add(bytes + i * width, std::min(piece, values.size() - i));
  }
  return collector.Finish();
}

// Deterministic, roughly normal around -0.4, with a few far out; the same on every machine.
inline std::vector<double> Sample(std::size_t n) {
  std::vector<double> values;
  uint64_t state = 88172645463325252u;
  const auto uniform = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (std::size_t i = 0; i < n; ++i) {
    double sum = -6.4;
    for (int k = 0; k < 12; ++k) sum += uniform();
    values.push_back(i % 97 == 96 ? 4 * sum : 1.5 * sum);
  }
  return values;
}

inline Report MakeReport(std::vector<Statistics> tensors) {
  Report report;
  report.file = "sample.npy";
  report.options = DefaultOptions();
  report.tensors = std::move(tensors);
  // Timings differ from run to run.
  for (Statistics& s : report.tensors) {
    for (FunctionStatistics& f : s.functions) f.ns = 0;
  }
  return report;
}

}  // namespace gelu::cli
