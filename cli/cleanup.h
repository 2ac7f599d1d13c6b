// SPDX-License-Identifier: Apache-2.0
// What SIGINT, SIGTERM and SIGHUP remove before they end the process. A signal that is ignored, as under nohup, stays
// so.
#pragma once
#include <string>
#include <vector>

namespace gelu::cli {

// Each replaces the list before; no path: nothing is removed. false: the paths are too long.
bool RemoveFileOnSignal(const std::string& path);
// In this order, after the file, and only where they are empty.
bool RemoveFoldersOnSignal(const std::vector<std::string>& paths);

}  // namespace gelu::cli
