// SPDX-License-Identifier: Apache-2.0
#include "cli/ledger.h"

#include <algorithm>
#include <array>

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
    std::array<std::string_view, 6> words;
    for (std::string_view& word : words) word = Cut(line, '\t');
    const Proof proof{words[0], words[1], words[2], words[3], words[4], words[5]};
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

}  // namespace gelu::cli
