// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <system_error>

#include "cli/commands.h"
#include "cli/failure.h"
#include "gelu/gelu.h"

namespace gelu::cli {
namespace {

// Everything printed is checked to have arrived: a full disk is a failure, a reader that went away is not.
void Flush() {
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
}

// The subcommand that the error is about, for a hint that can be copied.
std::string HelpOf(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? "gelu --help" : "gelu " + chosen.front()->get_name() + " --help";
}

void Run(int argc, char** argv) {
  CLI::App app("The GELU family of activation functions: values, derivatives, files, pictures.", "gelu");
  app.set_version_flag("--version", std::string("gelu ") + gelu_version());
  app.require_subcommand(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    if (app.exit(error, out, err) != 0) {
      throw Failure(fmt::format("command line: {}; run {}", error.what(), HelpOf(app)));
    }
    fmt::print("{}", out.str());
  }
  Flush();
}

}  // namespace
}  // namespace gelu::cli

int main(int argc, char** argv) {
  using gelu::cli::kExitUsage;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe shows as EPIPE from the write instead
  try {
    gelu::cli::Run(argc, argv);
    return 0;
  } catch (const gelu::cli::Failure& failure) {
    fmt::print(stderr, "gelu: {}\n", failure.what());
    return failure.exit_code;
  } catch (const std::system_error& error) {
    if (error.code().value() == EPIPE) return 0;
    fmt::print(stderr, "gelu: standard output: {}; write it to a place with room\n", error.code().message());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "gelu: out of memory; close other programs or raise the limit (ulimit -v)\n");
  }
  return kExitUsage;
}
