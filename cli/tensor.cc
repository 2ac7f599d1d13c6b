// SPDX-License-Identifier: Apache-2.0
#include "cli/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <string_view>

#include "cli/failure.h"
#include "cli/file.h"

namespace gelu::cli {
namespace {

// What people hand to a tool like this by mistake, by its first bytes.
std::string Guess(std::string_view head) {
  struct Known {
    std::string_view start, what, remedy;
  };
  constexpr Known kKnown[] = {
      {"PK\3\4", "a zip archive, such as .npz or a PyTorch checkpoint", "save one array with numpy.save"},
      {"\x80\x02", "a Python pickle", "save the array with numpy.save(..., allow_pickle=False)"},
      {"\x80\x03", "a Python pickle", "save the array with numpy.save(..., allow_pickle=False)"},
      {"\x80\x04", "a Python pickle", "save the array with numpy.save(..., allow_pickle=False)"},
      {"\x80\x05", "a Python pickle", "save the array with numpy.save(..., allow_pickle=False)"},
      {"GGUF", "a GGUF model", "convert it to .safetensors"},
      {"\x89HDF", "an HDF5 file", "save one array of it with numpy.save"},
      {"\x1f\x8b", "compressed by gzip", "decompress it"},
  };
  for (const Known& known : kKnown) {
    if (head.starts_with(known.start)) return fmt::format("{}; {}", known.what, known.remedy);
  }
  return fmt::format(
      "starts with {:02x}, neither .npy nor .safetensors; save it with numpy.save or "
      "safetensors.save_file",
      fmt::join(reinterpret_cast<const unsigned char*>(head.data()),
                reinterpret_cast<const unsigned char*>(head.data()) + head.size(), " "));
}

template <class T>
void Swap(void* elements, size_t n) {
  char* at = static_cast<char*>(elements);
  for (size_t i = 0; i < n; ++i, at += sizeof(T)) {
    T value;
    std::memcpy(&value, at, sizeof value);
    if constexpr (sizeof(T) == 2) value = __builtin_bswap16(value);
    if constexpr (sizeof(T) == 4) value = __builtin_bswap32(value);
    if constexpr (sizeof(T) == 8) value = __builtin_bswap64(value);
    std::memcpy(at, &value, sizeof value);
  }
}

}  // namespace

TensorFile::TensorFile(const std::string& path) : file_(std::make_unique<InputFile>(path)) {
  Contents contents;
  if (IsNpy(*file_)) {
    format_ = "npy";
    contents = ParseNpy(*file_);
  } else if (IsSafetensors(*file_)) {
    format_ = "safetensors";
    contents = ParseSafetensors(*file_);
  } else {
    throw Failure(path + ": " + Guess(file_->ReadString(0, std::min<uint64_t>(file_->size(), 8))));
  }
  tensors_ = std::move(contents.tensors);
  skipped_ = std::move(contents.skipped);
}

TensorFile::~TensorFile() = default;

const std::string& TensorFile::path() const { return file_->path(); }
uint64_t TensorFile::size() const { return file_->size(); }
void TensorFile::ReadBytes(uint64_t offset, size_t n, void* out) const { file_->Read(offset, n, out); }

void TensorFile::RequireTensors() const {
  if (!tensors_.empty()) return;
  if (skipped_.empty()) throw Failure(fmt::format("{}: holds no tensors; name another file", path()));
  std::set<std::string> types;
  for (const SkippedTensor& skipped : skipped_) types.insert(skipped.dtype);
  throw Failure(fmt::format("{}: holds tensors of type {} alone; name a file with some of F64, F32, F16 or BF16",
                            path(), fmt::join(types, ", ")));
}

const Tensor& TensorFile::Find(const std::string& name) const {
  for (const Tensor& tensor : tensors_) {
    if (tensor.name == name) return tensor;
  }
  for (const SkippedTensor& skipped : skipped_) {
    if (skipped.name != name) continue;
    throw Failure(
        fmt::format("{}: tensor {} is of type {}; choose one of F64, F32, F16 or BF16", path(), name, skipped.dtype));
  }
  RequireTensors();
  constexpr size_t kShown = 8;
  std::string names;
  for (size_t i = 0; i < std::min(tensors_.size(), kShown); ++i) names += (i == 0 ? "" : ", ") + tensors_[i].name;
  if (tensors_.size() > kShown) names += fmt::format(" and {} more", tensors_.size() - kShown);
  throw Failure(fmt::format("{}: holds no tensor {}; choose one of {}", path(), name, names));
}

void TensorFile::Read(const Tensor& tensor, uint64_t first, size_t n, void* out) const {
  const size_t size = gelu_dtype_size(tensor.dtype);
  ReadBytes(tensor.offset + first * size, n * size, out);
  if (tensor.byte_swapped) SwapBytes(out, n, size);
}

void SwapBytes(void* elements, size_t n, size_t size) {
  switch (size) {
    case 2:
      return Swap<uint16_t>(elements, n);
    case 4:
      return Swap<uint32_t>(elements, n);
    case 8:
      return Swap<uint64_t>(elements, n);
  }
}

}  // namespace gelu::cli
