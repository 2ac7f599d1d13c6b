// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace gelu::cli {

// A folder, made with those above it where they are missing. Without Keep, and on SIGINT, SIGTERM and SIGHUP, those
// that were made go again if they are empty. One OutputFolder at a time.
class OutputFolder {
 public:
  explicit OutputFolder(const std::string& path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  void Keep();

 private:
  void Remove();

  std::vector<std::string> made_;  // the innermost first
};

}  // namespace gelu::cli
