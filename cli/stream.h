// SPDX-License-Identifier: Apache-2.0
// From file to file in small chunks, so that memory does not grow with the file.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/output_file.h"
#include "cli/tensor.h"
#include "gelu/gelu.h"

namespace gelu::cli {

// A run of bytes of the output: copied from the same place of the input, or evaluated.
struct Piece {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  const Tensor* x = nullptr;      // null: copied
  const Tensor* other = nullptr;  // the second operand, over and over where it is shorter; null: none, or in x itself
  uint64_t run = 0;               // x is this many elements of a, as many of b, and so on; 0: x is the first operand
  bool b_first = false;           // b, a, b, a instead
};

struct Work {
  const TensorFile& in;
  const TensorFile* others;   // where every `other` is; may be null
  std::string header;         // the start of the output, before its pieces
  std::vector<Piece> pieces;  // cover the rest of the output, in order
  gelu_activation activation;
  gelu_form form;
};

void Stream(const Work& work, OutputFile& out);

}  // namespace gelu::cli
