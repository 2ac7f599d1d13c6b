// SPDX-License-Identifier: Apache-2.0
#include "cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>

#include "cli/cleanup.h"
#include "cli/failure.h"

namespace gelu::cli {
namespace {

Failure CannotWrite(const std::string& path, int error) {
  const char* remedy = error == ENOSPC || error == EDQUOT || error == EFBIG ? "free some space or write elsewhere"
                                                                            : "check the folder and its permissions";
  return Failure(fmt::format("{}: cannot be written: {}; {}", path, std::strerror(error), remedy));
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
  struct stat status;
  if (path == "-") {
    path_ = "standard output";
    file_ = dup(STDOUT_FILENO);
  } else if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) throw Failure(fmt::format("{}: is a folder; name a file in it", path));
    file_ = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  } else {
    OpenTemporary();
  }
  if (file_ < 0) throw CannotWrite(path_, errno);
  if (isatty(file_)) {
    close(file_);
    throw Failure(fmt::format("{}: is a terminal, which binary data would garble; name a file or a pipe", path_));
  }
}

void OutputFile::OpenTemporary() {
  std::error_code ignored;
  if (std::filesystem::is_symlink(path_, ignored)) {
    const auto followed = std::filesystem::canonical(path_, ignored);
    if (!followed.empty()) target_ = followed.string();
  }
  const bool replaces = std::filesystem::exists(target_, ignored);
  // Renaming asks for the folder's permission alone; the file's own matters to who protected it.
  if (replaces && access(target_.c_str(), W_OK) != 0) return;
  std::random_device random;
  const std::string name = fmt::format(".gelu-{:08x}{:08x}.tmp", random(), random());
  temporary_ = (std::filesystem::path(target_).parent_path() / name).string();
  if (!RemoveFileOnSignal(temporary_)) {
    errno = ENAMETOOLONG;
    return;
  }
  file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  struct stat status;
  if (file_ >= 0 && replaces && stat(target_.c_str(), &status) == 0) fchmod(file_, status.st_mode & 07777);
}

void OutputFile::Close() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

OutputFile::~OutputFile() {
  Close();
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());  // after Commit there is nothing left under this name
  RemoveFileOnSignal("");
}

void OutputFile::Write(uint64_t offset, const void* data, size_t n) {
  const char* from = static_cast<const char*>(data);
  while (n > 0) {
    const ssize_t put = seekable() ? pwrite(file_, from, n, static_cast<off_t>(offset)) : write(file_, from, n);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno == EPIPE) throw std::system_error(EPIPE, std::generic_category());
    if (put < 0) throw CannotWrite(path_, errno);
    offset += static_cast<uint64_t>(put);
    from += put;
    n -= static_cast<size_t>(put);
  }
}

void OutputFile::Commit() {
  // Some file systems report a full disk only here.
  const int closed = close(file_);
  file_ = -1;
  if (closed != 0) throw CannotWrite(path_, errno);
  if (seekable() && std::rename(temporary_.c_str(), target_.c_str()) != 0) throw CannotWrite(path_, errno);
}

}  // namespace gelu::cli
