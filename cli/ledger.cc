// SPDX-License-Identifier: Apache-2.0
#include "cli/ledger.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "gelu/gelu.h"
#include "proof/prove_hash.h"

namespace gelu::cli {
namespace {

// Cuts the text up to the separator off the front.
std::string_view Cut(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view head = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return head;
}

}  // namespace

std::vector<Proof> Proofs(std::string_view ledger) {
  std::vector<Proof> proofs;
  while (!ledger.empty()) {
    std::string_view line = Cut(ledger, '\n');
    if (line.empty() || line.starts_with('#') || line.starts_with("function\t")) continue;
    std::array<std::string_view, 10> words;  // up to the hash
    for (std::string_view& word : words) word = Cut(line, '\t');
    const Proof proof{words[0], words[1], words[2], words[3], words[4], words[5], words[9]};
    const auto same = std::find_if(proofs.begin(), proofs.end(), [&](const Proof& p) {
      return p.function == proof.function && p.alpha == proof.alpha && p.form == proof.form && p.dtype == proof.dtype;
    });
    if (same == proofs.end()) {
      proofs.push_back(proof);
    } else {
      *same = proof;
    }
  }
  return proofs;
}

bool IsCurrent(const Proof& proof) {
  return std::ranges::any_of(proof::kCodeHashes, [&](const proof::FunctionHash& entry) {
    return entry.function == proof.function && entry.hash == proof.code_hash;
  });
}

bool IsExhaustive(const Proof& proof) {
  size_t bits = 1;
  for (int id = 0; id < gelu_dtype_count_; ++id) {
    const auto dtype = static_cast<gelu_dtype>(id);
    if (proof.dtype == gelu_dtype_name(dtype)) bits *= 8 * gelu_dtype_size(dtype);
  }
  for (int id = 0; id < gelu_form_count_; ++id) {
    const auto form = static_cast<gelu_form>(id);
    if (proof.form == gelu_form_name(form)) bits *= gelu_form_inputs(form);
  }
  return bits < 64 && proof.inputs == std::to_string(uint64_t{1} << bits);
}

}  // namespace gelu::cli
