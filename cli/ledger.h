// SPDX-License-Identifier: Apache-2.0
// The proof's ledger as it was when this tool was built.
#pragma once
#include <string_view>
#include <vector>

namespace gelu::cli {

// proof/ledger.tsv in full, empty if there was none; a source made by CMake.
extern const std::string_view kLedger;

// One row of the ledger, in the words of the file.
struct Proof {
  std::string_view function, alpha, form, dtype, inputs, max_ulp, code_hash;
};

// The latest row for each (function, alpha, form, dtype), in the order in which these first appear.
std::vector<Proof> Proofs(std::string_view ledger);

// Whether the row speaks of the code that this tool was built with.
bool IsCurrent(const Proof& proof);
// Whether it speaks of all inputs that there are, and not of a sample.
bool IsExhaustive(const Proof& proof);

}  // namespace gelu::cli
