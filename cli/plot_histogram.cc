// SPDX-License-Identifier: Apache-2.0
#include "cli/plot_histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "cli/failure.h"
#include "cli/statistics_numbers.h"
#include "cli/tensor.h"

namespace gelu::cli {
namespace {

constexpr size_t kBins = 160;
constexpr size_t kChunk = size_t{1} << 16;  // elements

const Tensor& Chosen(const TensorFile& file, const std::string& name) {
  if (!name.empty()) return file.Find(name);
  const std::vector<Tensor>& tensors = file.tensors();
  if (tensors.size() == 1) return tensors.front();
  file.RequireTensors();
  std::string names;
  for (size_t i = 0; i < std::min<size_t>(tensors.size(), 8); ++i) names += (i == 0 ? "" : ", ") + tensors[i].name;
  throw Failure(fmt::format("{}: holds {} tensors; choose one with --tensor: {}{}", file.path(), tensors.size(), names,
                            tensors.size() > 8 ? ", ..." : ""));
}

}  // namespace

Histogram HistogramOf(const std::string& path, const std::string& tensor_name, double low, double high) {
  const TensorFile file(path);
  const Tensor& tensor = Chosen(file, tensor_name);
  Histogram histogram{low, high, std::vector<uint64_t>(kBins), tensor.count, tensor.name};
  std::vector<std::byte> elements(kChunk * gelu_dtype_size(tensor.dtype));
  std::vector<double> x(kChunk);
  for (uint64_t first = 0; first < tensor.count; first += kChunk) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(kChunk, tensor.count - first));
    file.Read(tensor, first, n, elements.data());
    Widen(tensor.dtype, elements.data(), n, x.data());
    for (size_t i = 0; i < n; ++i) {
      if (!(x[i] >= low && x[i] <= high)) continue;  // NaN is in no range
      const double place = (x[i] - low) / (high - low) * static_cast<double>(kBins);
      ++histogram.counts[std::min(static_cast<size_t>(place), kBins - 1)];
    }
  }
  if (std::ranges::all_of(histogram.counts, [](uint64_t count) { return count == 0; })) {
    throw Failure(fmt::format("{}: no element of {} lies from {} to {}; give another --range or another tensor", path,
                              tensor.name, low, high));
  }
  return histogram;
}

}  // namespace gelu::cli
