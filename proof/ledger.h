// SPDX-License-Identifier: Apache-2.0
// proof/ledger.tsv: what has been proved, one row for each function, alpha, form and element type.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proof/prove_plan.h"

namespace gelu::proof {

struct Entry {
  std::string function, alpha, form, dtype;
  std::string inputs, max_ulp;         // the maximum is rounded up
  std::string worst_input, got, want;  // bits in hex; "x,dy" for several inputs
  std::string code_hash, date;
  std::string misrounded, targets;  // the target that was proved, and those that gave the same bits
  std::string digest;               // of inputs and results: code that has the same needs no other proof

  bool IsOf(const Row& row) const;
};

class Ledger {
 public:
  // Reads the file; none is an empty ledger. Throws std::runtime_error with a message for the user.
  explicit Ledger(std::string path);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* Find(const Row& row) const;
  // Replaces the entry of the same row or appends, and writes the file whole or not at all.
  void Set(const Row& row, const Entry& entry);

 private:
  std::string path_;
  std::vector<Entry> entries_;
};

// The words of an entry for a row.
std::string AlphaText(double alpha);

// Writes beside the file and renames.
void WriteWhole(const std::string& path, const std::string& text);

// The entries as a table in Markdown.
std::string Table(const std::vector<Entry>& entries);

}  // namespace gelu::proof
