// SPDX-License-Identifier: Apache-2.0
#include "cli/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cli/statistics_numbers.h"
#include "cli/statistics_theory.h"
#include "cli/statistics_timing.h"

namespace gelu::cli {
namespace {

constexpr std::size_t kSample = std::size_t{1} << 16;

void Forward(const gelu_activation& activation, gelu_dtype dtype, const void* x, void* y, std::size_t n) {
  detail::Check(gelu_apply(activation.function, gelu_form_forward, dtype, &activation.params, &x, &y, n));
}

}  // namespace

Collector::Collector(Tensor tensor, StatisticsOptions options) {
  result_.tensor = std::move(tensor);
  result_.options = std::move(options);
  result_.histogram.low = -kGateEdge;
  result_.histogram.high = kGateEdge;
  result_.histogram.counts.assign(kBins, 0);
  result_.histogram.name = result_.tensor.name;

  std::vector<Curve> functions = ReportedFunctions();
  const Curve& reference = result_.options.reference;
  std::erase_if(functions, [&](const Curve& f) { return Same(f.activation, reference.activation); });
  functions.insert(functions.begin(), reference);
  for (Curve& function : functions) result_.functions.emplace_back().function = std::move(function);

  result_.precision.emplace_back().dtype = result_.tensor.dtype;
  for (int id = 0; id < gelu_dtype_count_; ++id) {
    const auto dtype = static_cast<gelu_dtype>(id);
    if (gelu_dtype_size(dtype) == 2 && dtype != result_.tensor.dtype) result_.precision.emplace_back().dtype = dtype;
  }

  if (!result_.tensor.shape.empty() && result_.tensor.count > 0) {
    const uint64_t units = result_.tensor.shape.back();
    result_.units = UnitStatistics{.units = units, .samples = result_.tensor.count / units, .dead = std::nullopt};
    if (units <= kMaxUnits) unit_max_.assign(units, std::nan(""));
  }
}

void Collector::Add(const void* elements, std::size_t n) {
  const std::size_t bytes = gelu_dtype_size(result_.tensor.dtype);
  const auto* from = static_cast<const std::byte*>(elements);
  const std::size_t sampled = std::min(n, kSample - std::min(kSample, sample_.size() / bytes));
  sample_.insert(sample_.end(), from, from + sampled * bytes);

  std::array<double, kBlock> x;
  for (std::size_t start = 0; start < n; start += kBlock) {
    const std::size_t count = std::min(kBlock, n - start);
    Widen(result_.tensor.dtype, from + start * bytes, count, x.data());
    AddUnits(x.data(), count);
    std::size_t finite = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double value = x[i];
      if (std::isfinite(value)) {
        x[finite++] = value;
      } else {
        ++(std::isnan(value) ? result_.nan : value > 0 ? result_.positive_inf : result_.negative_inf);
      }
    }
    AddFinite(x.data(), finite);
  }
}

void Collector::AddUnits(const double* x, std::size_t n) {
  const uint64_t first = std::exchange(seen_, seen_ + n);
  if (unit_max_.empty()) return;
  // The last axis runs fastest in C order and slowest in Fortran order.
  const uint64_t units = result_.units->units;
  const uint64_t stay = result_.tensor.fortran_order ? result_.units->samples : 1;
  uint64_t unit = first / stay % units;
  uint64_t left = stay - first % stay;
  for (std::size_t i = 0; i < n; ++i) {
    unit_max_[unit] = std::fmax(unit_max_[unit], x[i]);
    if (--left == 0) {
      left = stay;
      if (++unit == units) unit = 0;
    }
  }
}

void Collector::AddFinite(const double* x, std::size_t n) {
  if (n == 0) return;
  const auto [low, high] = std::minmax_element(x, x + n);
  result_.min = result_.finite == 0 ? *low : std::min(result_.min, *low);
  result_.max = result_.finite == 0 ? *high : std::max(result_.max, *high);
  result_.finite += n;
  result_.x.Add(x, n);

  for (std::size_t i = 0; i < n; ++i) {
    result_.tail += x[i] < kTailEdge;
    result_.below += x[i] < -kGateEdge;
    result_.above += x[i] > kGateEdge;
    if (std::fabs(x[i]) > kGateEdge) continue;
    const auto bin = static_cast<std::size_t>((x[i] + kGateEdge) * (kBins / (2 * kGateEdge)));
    ++result_.histogram.counts[std::min(bin, kBins - 1)];
  }

  std::array<double, kBlock> exact, y;
  for (FunctionStatistics& row : result_.functions) {
    const bool first = &row == &result_.functions.front();
    double* out = first ? exact.data() : y.data();
    Forward(row.function.activation, gelu_dtype_f64, x, out, n);
    row.after.Add(out, n);
    row.change.Add(x, out, exact.data(), n);
  }
  for (PrecisionStatistics& row : result_.precision) AddPrecision(row, x, exact.data(), n);
}

void Collector::AddPrecision(PrecisionStatistics& row, const double* x, const double* exact, std::size_t n) {
  std::array<double, kBlock> narrow, y;  // narrow holds elements of row.dtype
  Narrow(row.dtype, x, n, narrow.data());
  Forward(result_.options.reference.activation, row.dtype, narrow.data(), narrow.data(), n);
  Widen(row.dtype, narrow.data(), n, y.data());

  const double smallest = SmallestNormal(row.dtype);
  std::array<double, kBlock> at, right;  // those that did not overflow, as then y
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isinf(y[i])) {
      ++row.overflows;
      continue;
    }
    const double result = y[i], size = std::fabs(result);
    at[kept] = x[i];
    right[kept] = exact[i];
    y[kept++] = result;
    row.flushed += size == 0 && exact[i] != 0;
    row.subnormals += size > 0 && size < smallest;
    if (size < smallest) continue;
    const double relative = std::fabs(result - exact[i]) / std::fabs(exact[i]);
    if (relative > row.max_relative) {
      row.max_relative = relative;
      row.relative_at = x[i];
    }
  }
  row.error.Add(at.data(), y.data(), right.data(), kept);
}

Statistics Collector::Finish() {
  result_.histogram.total = result_.finite;
  if (!unit_max_.empty()) {
    const double threshold = result_.options.dead_threshold;
    result_.units->dead = std::count_if(unit_max_.begin(), unit_max_.end(), [&](double m) { return m <= threshold; });
  }
  for (FunctionStatistics& row : result_.functions) {
    if (result_.x.usable()) {
      row.gauss = GaussianMoments(row.function.activation, result_.x.mean(), result_.x.deviation());
    }
    row.ns = NanosecondsPerElement(row.function.activation, result_.tensor.dtype, sample_);
  }
  return std::move(result_);
}

}  // namespace gelu::cli
