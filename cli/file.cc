// SPDX-License-Identifier: Apache-2.0
#include "cli/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/failure.h"

namespace gelu::cli {

InputFile::InputFile(const std::string& path) : path_(path) {
  const auto fail = [&](int error) {
    return Failure(fmt::format("{}: {}; check the path and its permissions", path, std::strerror(error)));
  };
  // O_NONBLOCK: opening a pipe that nobody writes to must not wait for a writer.
  file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) throw fail(errno);
  struct stat status;
  const int error = fstat(file_, &status) == 0 ? 0 : errno;
  size_ = static_cast<uint64_t>(status.st_size);
  if (error == 0 && S_ISREG(status.st_mode) && size_ > 0) return;
  close(file_);
  if (error != 0) throw fail(error);
  if (S_ISDIR(status.st_mode)) {
    throw Failure(fmt::format("{}: is a folder; name one .npy or .safetensors file in it", path));
  }
  if (!S_ISREG(status.st_mode)) {
    throw Failure(fmt::format("{}: is a pipe or a device; save it to a file first and name that", path));
  }
  throw Failure(fmt::format("{}: the file is empty; write it again, the program that made it may have failed", path));
}

InputFile::~InputFile() { close(file_); }

void InputFile::Read(uint64_t offset, size_t n, void* out) const {
  char* to = static_cast<char*>(out);
  while (n > 0) {
    const ssize_t got = pread(file_, to, n, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Failure(fmt::format("{}: {}; check the disk", path_, std::strerror(errno)));
    if (got == 0) {
      throw Failure(
          fmt::format("{}: ends at byte {} and had {} when it was opened; run again when nothing writes to it", path_,
                      offset, size_));
    }
    offset += static_cast<uint64_t>(got);
    to += got;
    n -= static_cast<size_t>(got);
  }
}

std::string InputFile::ReadString(uint64_t offset, size_t n) const {
  std::string text(n, '\0');
  Read(offset, n, text.data());
  return text;
}

bool BytesOf(const std::vector<uint64_t>& shape, uint64_t element_size, uint64_t* count, uint64_t* bytes) {
  *count = 1;
  // Zero wins over any other length, however large.
  if (std::ranges::find(shape, 0u) != shape.end()) *count = 0;
  for (size_t i = 0; *count > 0 && i < shape.size(); ++i) {
    if (__builtin_mul_overflow(*count, shape[i], count)) return false;
  }
  return !__builtin_mul_overflow(*count, element_size, bytes);
}

}  // namespace gelu::cli
