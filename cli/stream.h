// SPDX-License-Identifier: Apache-2.0
// From file to file in small chunks, so that memory does not grow with the file.
#pragma once
#include <cstdint>
#include <vector>

#include "cli/output_file.h"
#include "cli/tensor.h"
#include "gelu/gelu.h"

namespace gelu::cli {

// A run of bytes of the input: copied as it is, or the elements of a tensor to be evaluated.
struct Piece {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  const Tensor* x = nullptr;   // null: copied
  const Tensor* dy = nullptr;  // null: the form takes no gradient
};

struct Work {
  const TensorFile& in;
  const TensorFile* gradients;  // where every dy is; may be null
  std::vector<Piece> pieces;    // cover the input, in order
  gelu_activation activation;
  gelu_form form;
};

void Stream(const Work& work, OutputFile& out);

}  // namespace gelu::cli
