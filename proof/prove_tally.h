// SPDX-License-Identifier: Apache-2.0
// What a run over inputs keeps: counts, and the worst results so far.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "proof/forms.h"

namespace gelu::proof {

struct Suspect {
  std::array<std::uint64_t, kMostInputs> inputs;  // bits, zeros where the form has no more
  std::size_t output;                             // which of those of the form
  std::uint64_t got;                              // bits
  double error;                                   // in ULP
};

struct Tally {
  static constexpr std::size_t kWorst = 32;

  std::uint64_t inputs = 0, misrounded = 0;  // misrounded: with an output that is
  std::uint64_t digest = 0;                  // of inputs and results, the sum of those of all chunks
  std::vector<Suspect> worst;  // the kWorst of the largest error, as a heap with the smallest of them in front

  // An error below it need not be known exactly.
  double Floor() const { return worst.size() < kWorst ? 0.0 : worst.front().error; }
  void Add(const Suspect& suspect);
  void Add(const Tally& other);
};

// A hash of a chunk of bytes; of another one where the number of the chunk is another.
std::uint64_t Digest(std::uint64_t number, const std::byte* bytes, std::size_t n);

void to_json(nlohmann::json& json, const Tally& tally);
void from_json(const nlohmann::json& json, Tally& tally);

}  // namespace gelu::proof
