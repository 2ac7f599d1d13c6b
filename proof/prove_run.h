// SPDX-License-Identifier: Apache-2.0
// One row from its first input to its verdict: on all cores, target against target, in steps that can be resumed.
#pragma once
#include <string>

#include "proof/ledger.h"
#include "proof/prove_plan.h"

namespace gelu::proof {

struct RunOptions {
  bool quick = false;  // few inputs
  unsigned threads = 1;
  unsigned compare = 1;            // the other targets in one chunk of so many
  std::string progress_file = {};  // where an unfinished run is kept; empty: nowhere
};

struct Verdict {
  Entry entry;
  bool holds;           // the stated bound, and every target agrees
  std::string failure;  // why not, as a line for the user
};

// Evaluates the row's inputs without judging the results: the digest of both, and as failure where targets differ.
struct Results {
  std::string digest, targets, failure;
};
Results Evaluate(const Row& row, const RunOptions& options);

// Throws std::runtime_error where a file or the library refuses.
Verdict Prove(const Row& row, const RunOptions& options);

}  // namespace gelu::proof
