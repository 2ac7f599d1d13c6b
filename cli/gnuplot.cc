// SPDX-License-Identifier: Apache-2.0
#include "cli/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "cli/failure.h"

extern char** environ;

namespace gelu::cli {
namespace {

// A nameless file. The script goes in and messages come out through files, so that the one pipe which is left, the
// picture, can be read to its end without either side ever waiting for the other.
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void Fail(const std::string& why) {
  throw Failure(fmt::format("gnuplot: {}; pictures are drawn by gnuplot, see that it runs", why));
}

File NamelessFile() {
  File file(std::tmpfile());
  if (!file) Fail(fmt::format("no temporary file: {}", std::strerror(errno)));
  fcntl(fileno(file.get()), F_SETFD, FD_CLOEXEC);
  return file;
}

std::string ReadAll(int descriptor) {
  std::string all;
  std::array<char, 1 << 16> block;
  for (;;) {
    const ssize_t n = read(descriptor, block.data(), block.size());
    if (n > 0) all.append(block.data(), static_cast<size_t>(n));
    if (n == 0 || (n < 0 && errno != EINTR)) return all;
  }
}

// Without the user's choice of a window, which this gnuplot may not know and would fail on.
std::vector<char*> Environment() {
  std::vector<char*> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("GNUTERM=")) environment.push_back(*entry);
  }
  environment.push_back(nullptr);
  return environment;
}

// The lines of gnuplot's answer that say something; the others repeat the script and point at a column.
std::string Reason(const std::string& messages) {
  const size_t start = messages.find("line ");
  return start == std::string::npos ? messages.substr(0, 200)
                                    : messages.substr(start, messages.find('\n', start) - start);
}

}  // namespace

std::string RunGnuplot(const std::string& script) {
  const File input = NamelessFile();
  const File messages = NamelessFile();
  if (std::fwrite(script.data(), 1, script.size(), input.get()) != script.size() || std::fflush(input.get()) != 0) {
    Fail(fmt::format("its script cannot be written: {}", std::strerror(errno)));
  }
  std::rewind(input.get());

  std::array<int, 2> output{};
  if (pipe(output.data()) != 0) Fail(fmt::format("no pipe: {}", std::strerror(errno)));
  fcntl(output[0], F_SETFD, FD_CLOEXEC);
  fcntl(output[1], F_SETFD, FD_CLOEXEC);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(messages.get()), STDERR_FILENO);
  std::array<char, 8> name{"gnuplot"};
  std::array<char, 3> defaults{"-d"};
  std::array<char*, 3> arguments{name.data(), defaults.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, name.data(), &actions, nullptr, arguments.data(), Environment().data());
  posix_spawn_file_actions_destroy(&actions);
  close(output[1]);
  if (error != 0) {
    close(output[0]);
    if (error == ENOENT) {
      throw Failure("gnuplot: not found, and pictures are drawn by it; install the package gnuplot-nox (or gnuplot)");
    }
    Fail(std::strerror(error));
  }

  std::string picture = ReadAll(output[0]);
  close(output[0]);
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  if (state != 0 || picture.empty()) {
    std::rewind(messages.get());
    const std::string reason = Reason(ReadAll(fileno(messages.get())));
    Fail(reason.empty() ? "it ended without a picture" : reason);
  }
  return picture;
}

}  // namespace gelu::cli
