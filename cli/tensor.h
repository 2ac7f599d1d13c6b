// SPDX-License-Identifier: Apache-2.0
// Reading tensors from files: NumPy's .npy and .safetensors, told apart by content.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gelu/gelu.h"

namespace gelu::cli {

struct Tensor {
  std::string name;  // in .npy, which has no names: the name of the file without folder and extension
  gelu_dtype dtype = gelu_dtype_f32;
  bool byte_swapped = false;   // the file has the other byte order than this machine
  bool fortran_order = false;  // the first axis is the one that runs fastest in the file
  std::vector<uint64_t> shape;
  uint64_t offset = 0;  // of the first element in the file, in bytes
  uint64_t count = 0;   // elements: the product of the shape, 1 for a scalar
};

// A tensor of a .safetensors file whose elements are not of a type that this tool evaluates.
struct SkippedTensor {
  std::string name;
  std::string dtype;  // as the file spells it
};

class InputFile;

// An open file of tensors. The constructor checks the whole header against the size of the file and throws Failure
// with the file, what was found and what to do. A TensorFile may be read by several threads at once.
class TensorFile {
 public:
  explicit TensorFile(const std::string& path);
  ~TensorFile();
  TensorFile(const TensorFile&) = delete;
  TensorFile& operator=(const TensorFile&) = delete;

  const std::vector<Tensor>& tensors() const { return tensors_; }         // in the order of the file's bytes
  const std::vector<SkippedTensor>& skipped() const { return skipped_; }  // in the order of the header

  // Throws Failure if there are no tensors.
  void RequireTensors() const;
  // The tensor of that name; Failure if there is none, or it was skipped.
  const Tensor& Find(const std::string& name) const;

  // n elements from element `first` on, in the order of the file and in the byte order of this machine.
  void Read(const Tensor& tensor, uint64_t first, size_t n, void* out) const;

  const std::string& path() const;
  const std::string& format() const { return format_; }  // the extension: "npy" or "safetensors"
  uint64_t size() const;                                 // of the file, in bytes
  void ReadBytes(uint64_t offset, size_t n, void* out) const;

 private:
  std::unique_ptr<InputFile> file_;
  std::string format_;
  std::vector<Tensor> tensors_;
  std::vector<SkippedTensor> skipped_;
};

// Reverses the bytes of each of n elements of `size` bytes.
void SwapBytes(void* elements, size_t n, size_t size);

}  // namespace gelu::cli
