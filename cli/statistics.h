// SPDX-License-Identifier: Apache-2.0
// What `gelu report` finds out about one tensor of pre-activations, in one pass and in bounded memory. The results are
// plain data; report_text.cc, report_html.cc and report_json.cc turn them into words.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/picture.h"
#include "cli/statistics_moments.h"
#include "cli/tensor.h"
#include "gelu/gelu.h"

namespace gelu::cli {

// The histogram covers where every gate of the family opens, the same for all tensors so that layers compare.
inline constexpr double kGateEdge = 6.0;
inline constexpr std::size_t kBins = 96;

// Below, x (1 + erf(x / sqrt 2)) / 2 computed in f32 has lost more than half of the value.
inline constexpr double kTailEdge = -5.5;

// A longer last axis is not examined for dead units, to bound the memory.
inline constexpr uint64_t kMaxUnits = uint64_t{1} << 20;

// The functions that are compared: the family, and what the registry makes of its members with another alpha.
std::vector<Curve> ReportedFunctions();
bool Same(const gelu_activation& a, const gelu_activation& b);
// An activation under the name that the report gives it: that of ReportedFunctions, or else the one it was asked by.
Curve Named(const gelu_activation& activation, const std::string& name);

struct StatisticsOptions {
  Curve reference;            // what everything is compared with
  double dead_threshold = 0;  // a unit that is never above is dead
};

// One function on this data. Changes are from the reference, in f64.
struct FunctionStatistics {
  Curve function;
  Difference change;
  Moments after;                 // of f(x)
  std::optional<Moments> gauss;  // of f(X), X normal with the mean and variance of the data
  double ns = 0;                 // per element, in the tensor's type, on one thread
};

// The reference evaluated in a narrower type, from inputs rounded to it, against f64 on the unrounded inputs.
struct PrecisionStatistics {
  gelu_dtype dtype = gelu_dtype_f32;
  Difference error;         // over results that did not overflow
  double max_relative = 0;  // over results that are normal numbers
  double relative_at = 0;   // the x of that one
  uint64_t overflows = 0;   // infinite, though f(x) is not
  uint64_t subnormals = 0;  // results below the smallest normal number, other than zero
  uint64_t flushed = 0;     // zero, though f(x) is not
};

struct UnitStatistics {
  uint64_t units = 0;            // length of the last axis
  uint64_t samples = 0;          // values per unit
  std::optional<uint64_t> dead;  // absent: the axis is longer than kMaxUnits
};

struct Statistics {
  Tensor tensor;
  StatisticsOptions options;
  uint64_t finite = 0;
  uint64_t nan = 0;
  uint64_t positive_inf = 0;
  uint64_t negative_inf = 0;
  Moments x;  // this and what follows: of the finite elements
  double min = 0;
  double max = 0;
  Histogram histogram;  // over [-kGateEdge, kGateEdge]
  uint64_t below = 0;   // what the histogram leaves out
  uint64_t above = 0;
  uint64_t tail = 0;  // below kTailEdge
  std::vector<FunctionStatistics> functions;
  std::vector<PrecisionStatistics> precision;  // the tensor's own type first, then every 16-bit type
  std::optional<UnitStatistics> units;         // absent without a last axis, or without elements
};

// Takes the elements of a tensor in storage order, in pieces of any length.
class Collector {
 public:
  Collector(Tensor tensor, StatisticsOptions options);

  void Add(const void* elements, std::size_t n);  // in the tensor's type

  // All of it, the moments under Gaussian theory and the timings included.
  Statistics Finish();

 private:
  static constexpr std::size_t kBlock = 4096;

  void AddUnits(const double* x, std::size_t n);
  void AddFinite(const double* x, std::size_t n);
  void AddPrecision(PrecisionStatistics& row, const double* x, const double* exact, std::size_t n);

  Statistics result_;
  std::vector<double> unit_max_;  // NaN: no number seen yet
  uint64_t seen_ = 0;
  std::vector<std::byte> sample_;  // the first elements, for the timings
};

}  // namespace gelu::cli
