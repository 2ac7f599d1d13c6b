// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace gelu::cli {

// A file that appears under its name when it is complete, and not before: it is written beside the old one and takes
// its place in Commit. Without Commit, and on SIGINT, SIGTERM and SIGHUP, nothing of it stays. "-", pipes and devices
// are written directly, from the start to the end; a terminal is refused. One OutputFile at a time.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Whether Write may go anywhere, from several threads; otherwise each Write must follow the one before.
  bool seekable() const { return !temporary_.empty(); }
  // Throws Failure, and std::system_error with EPIPE where the reader of a pipe went away.
  void Write(uint64_t offset, const void* data, size_t n);
  void Commit();

 private:
  void OpenTemporary();
  void Close();

  std::string path_;       // as the user wrote it, for messages
  std::string target_;     // the file to replace, with links followed
  std::string temporary_;  // empty where writes go to the target directly
  int file_ = -1;
};

}  // namespace gelu::cli
