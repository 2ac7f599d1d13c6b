// SPDX-License-Identifier: Apache-2.0
#include "cli/cleanup.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>

namespace gelu::cli {
namespace {

// Paths one after the other, each ended by a zero byte: in a plain array, since a handler may touch nothing that
// allocates.
struct List {
  std::array<char, size_t{4} * PATH_MAX> paths;
  std::atomic<size_t> bytes;

  template <class Remove>
  void Empty(Remove remove) const {
    const size_t end = bytes.load();
    for (size_t i = 0; i < end; i += std::strlen(&paths[i]) + 1) remove(&paths[i]);
  }

  bool Set(const std::vector<std::string>& list) {
    bytes.store(0);
    size_t end = 0;
    for (const std::string& path : list) {
      if (path.size() + 1 > paths.size() - end) return false;
      std::memcpy(&paths[end], path.c_str(), path.size() + 1);
      end += path.size() + 1;
    }
    bytes.store(end);
    return true;
  }
};
List files, folders;

extern "C" void RemoveAndDie(int signal) {
  files.Empty(unlink);
  folders.Empty(rmdir);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void CatchSignals() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old;
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = RemoveAndDie;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

bool Set(List& list, const std::vector<std::string>& paths) {
  if (!list.Set(paths)) return false;
  if (!paths.empty()) CatchSignals();
  return true;
}

}  // namespace

bool RemoveFileOnSignal(const std::string& path) {
  return Set(files, path.empty() ? std::vector<std::string>{} : std::vector{path});
}

bool RemoveFoldersOnSignal(const std::vector<std::string>& paths) { return Set(folders, paths); }

}  // namespace gelu::cli
