// SPDX-License-Identifier: Apache-2.0
// Files opened for reading, for the parsers of the formats.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "cli/tensor.h"

namespace gelu::cli {

// A regular file. Reads at any place, from any number of threads.
class InputFile {
 public:
  explicit InputFile(const std::string& path);  // Failure for a missing file, a folder, a pipe, an empty file
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  void Read(uint64_t offset, size_t n, void* out) const;
  std::string ReadString(uint64_t offset, size_t n) const;

  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }

 private:
  std::string path_;
  int file_ = -1;
  uint64_t size_ = 0;
};

// What a file holds.
struct Contents {
  std::vector<Tensor> tensors;
  std::vector<SkippedTensor> skipped;
};

bool IsNpy(const InputFile& file);
Contents ParseNpy(const InputFile& file);
std::string NpyHeaderOf(const Tensor& tensor);  // as numpy.save writes it; the elements follow
bool IsSafetensors(const InputFile& file);
Contents ParseSafetensors(const InputFile& file);

// The product of the shape times the size of an element; false if that does not fit into 64 bits.
bool BytesOf(const std::vector<uint64_t>& shape, uint64_t element_size, uint64_t* count, uint64_t* bytes);

}  // namespace gelu::cli
