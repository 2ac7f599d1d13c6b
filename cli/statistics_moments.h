// SPDX-License-Identifier: Apache-2.0
// Mean, variance and differences of a stream, accumulated block by block.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace gelu::cli {

// term(0) + ... + term(n - 1) over eight running sums: a smaller error than one, and lanes for the compiler.
template <class Term>
double Sum(std::size_t n, const Term& term) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += term(i + lane);
  }
  for (; i < n; ++i) sums[i % kLanes] += term(i);
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

// Count, mean and variance (of the population: divided by n). Each block is summed twice, for its mean and for the
// squares about it, and then merged as Chan, Golub and LeVeque do: no cancellation, and errors that grow with the
// number of blocks alone.
class Moments {
 public:
  Moments() = default;
  Moments(uint64_t count, double mean, double variance)
      : count_(count), mean_(mean), squares_(variance * static_cast<double>(count)) {}

  void Add(const double* values, std::size_t n) {
    if (n == 0) return;
    Moments block;
    block.count_ = n;
    block.mean_ = Sum(n, [&](std::size_t i) { return values[i]; }) / static_cast<double>(n);
    const double center = block.mean_;
    const double rest = Sum(n, [&](std::size_t i) { return values[i] - center; });
    const double squares = Sum(n, [&](std::size_t i) { return (values[i] - center) * (values[i] - center); });
    block.mean_ += rest / static_cast<double>(n);
    block.squares_ = squares - rest * (rest / static_cast<double>(n));
    Merge(block);
  }

  void Merge(const Moments& other) {
    if (other.count_ == 0) return;
    const double n = static_cast<double>(count_), m = static_cast<double>(other.count_);
    const double d = other.mean_ - mean_;
    squares_ += other.squares_ + d * d * (n * (m / (n + m)));
    mean_ += d * (m / (n + m));
    count_ += other.count_;
  }

  uint64_t count() const { return count_; }
  double mean() const { return mean_; }
  double variance() const { return count_ == 0 ? 0.0 : squares_ / static_cast<double>(count_); }
  double deviation() const { return std::sqrt(variance()); }
  // False once squares or sums have passed the range of f64, as with elements of 1e200.
  bool usable() const { return count_ > 0 && std::isfinite(mean_) && std::isfinite(squares_); }

 private:
  uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// The largest and the root-mean-square |a - b|, and where the largest is.
class Difference {
 public:
  void Add(const double* x, const double* a, const double* b, std::size_t n) {
    squares_ += Sum(n, [&](std::size_t i) { return (a[i] - b[i]) * (a[i] - b[i]); });
    for (std::size_t i = 0; i < n; ++i) {
      const double d = std::fabs(a[i] - b[i]);
      if (d > max_) {
        max_ = d;
        at_ = x[i];
      }
    }
    count_ += n;
  }

  uint64_t count() const { return count_; }
  double max() const { return max_; }
  double at() const { return at_; }  // meaningful where max() > 0
  double rms() const { return count_ == 0 ? 0.0 : std::sqrt(squares_ / static_cast<double>(count_)); }

 private:
  uint64_t count_ = 0;
  double max_ = 0;
  double at_ = 0;
  double squares_ = 0;
};

}  // namespace gelu::cli
