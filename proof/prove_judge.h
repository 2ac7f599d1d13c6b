// SPDX-License-Identifier: Apache-2.0
// Judges the results of one row: by the quick reference where that is enough, by the exact one, and by the oracle
// where even that cannot tell, or where there is no reference.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "proof/prove_plan.h"
#include "proof/prove_tally.h"
#include "proof/reference.h"

namespace gelu::proof {

// By the oracle.
struct Settled {
  double error;
  std::uint64_t want;
};
Settled Settle(const Row& row, const Suspect& suspect);

class Judge {
 public:
  explicit Judge(const Row& row);

  // Adds the outputs for the inputs, n elements of each, to the tally. floor: errors below it are of no interest.
  // Thread-safe.
  void Run(std::span<const std::byte* const> inputs, std::span<const std::byte* const> outputs, std::size_t n,
           double floor, Tally& tally) const;

 private:
  void RunByOracle(std::span<const std::byte* const> inputs, std::span<const std::byte* const> outputs, std::size_t n,
                   double floor, Tally& tally) const;
  template <class Element>
  void RunElements(const std::byte* x, const std::byte* dy, const std::byte* y, std::size_t n, double floor,
                   Tally& tally) const;
  double Decode(std::uint64_t bits) const;
  void Add(const Suspect& suspect, const Ball& estimate, double floor, Tally& tally) const;

  Row row_;
  Reference reference_;
  std::vector<double> decoded_;  // all values of a 16-bit type
};

}  // namespace gelu::proof
