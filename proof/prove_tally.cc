// SPDX-License-Identifier: Apache-2.0
#include "proof/prove_tally.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <tuple>

namespace gelu::proof {
namespace {

// Of two equal errors the one at the smaller input, so that the outcome does not depend on the threads.
bool IsWorse(const Suspect& a, const Suspect& b) {
  return std::tie(b.error, a.inputs, a.output) < std::tie(a.error, b.inputs, b.output);
}

}  // namespace

void Tally::Add(const Suspect& suspect) {
  if (worst.size() == kWorst) {
    if (!IsWorse(suspect, worst.front())) return;
    std::pop_heap(worst.begin(), worst.end(), IsWorse);
    worst.pop_back();
  }
  worst.push_back(suspect);
  std::push_heap(worst.begin(), worst.end(), IsWorse);
}

void Tally::Add(const Tally& other) {
  inputs += other.inputs;
  misrounded += other.misrounded;
  digest += other.digest;
  for (const Suspect& suspect : other.worst) Add(suspect);
}

// Each step is invertible in the hash so far and in the word, so that one changed word always changes the hash.
std::uint64_t Digest(std::uint64_t number, const std::byte* bytes, std::size_t n) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t hash = (number + 1) * kOdd;
  for (std::size_t i = 0; i < n; i += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + i, std::min(sizeof word, n - i));
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 32;
  }
  return hash;
}

// JSON knows no infinity, so that errors travel as their bits.
void to_json(nlohmann::json& json, const Tally& tally) {
  json = {{"inputs", tally.inputs},
          {"misrounded", tally.misrounded},
          {"digest", tally.digest},
          {"worst", nlohmann::json::array()}};
  for (const Suspect& suspect : tally.worst) {
    const auto error = std::bit_cast<std::uint64_t>(suspect.error);
    json["worst"].push_back({suspect.inputs, suspect.output, suspect.got, error});
  }
}

void from_json(const nlohmann::json& json, Tally& tally) {
  tally = {json.at("inputs"), json.at("misrounded"), json.at("digest"), {}};
  for (const auto& entry : json.at("worst")) {
    Suspect suspect{};
    entry.at(0).get_to(suspect.inputs);
    entry.at(1).get_to(suspect.output);
    entry.at(2).get_to(suspect.got);
    suspect.error = std::bit_cast<double>(entry.at(3).get<std::uint64_t>());
    tally.Add(suspect);
  }
}

}  // namespace gelu::proof
