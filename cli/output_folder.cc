// SPDX-License-Identifier: Apache-2.0
#include "cli/output_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "cli/cleanup.h"
#include "cli/failure.h"

namespace gelu::cli {

OutputFolder::OutputFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::path level = path;
  if (!level.has_filename()) level = level.parent_path();  // out/ is out
  for (; !level.empty() && !std::filesystem::exists(level, error); level = level.parent_path()) {
    made_.push_back(level.string());
  }
  RemoveFoldersOnSignal(made_);
  std::filesystem::create_directories(path, error);
  if (!error) return;
  Remove();
  throw Failure(fmt::format("{}: {}; name another folder with -o", path, error.message()));
}

OutputFolder::~OutputFolder() { Remove(); }

void OutputFolder::Keep() {
  made_.clear();
  RemoveFoldersOnSignal({});
}

void OutputFolder::Remove() {
  std::error_code ignored;
  for (const std::string& folder : made_) std::filesystem::remove(folder, ignored);
  Keep();
}

}  // namespace gelu::cli
