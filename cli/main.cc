// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/resolve.h"
#include "gelu/gelu.h"

namespace gelu::cli {
namespace {

// The subcommand that the error is about, for a hint that can be copied.
std::string HelpOf(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? "gelu --help" : "gelu " + chosen.front()->get_name() + " --help";
}

// The arguments in CLI11's order, last first. CLI11 takes -inf and -.5 for options: where numbers are arguments, a
// space in front, which the number parser skips, tells them apart.
std::vector<std::string> Arguments(int argc, char** argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const bool numbers = !arguments.empty() && arguments.front() == "eval";
  for (std::string& argument : arguments) {
    if (numbers && IsNegativeNumber(argument)) argument.insert(0, " ");
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

// CLI11 alone would say that a command is missing.
void CheckCommand(const CLI::App& app, const std::string& word) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return;
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  throw Failure(fmt::format("{}: no such command; choose one of {}", word, names));
}

// What CLI11 says is wrong; but of an argument that is left over it says last that it is, and backwards. An unknown
// option is the reason where something is missing, too.
std::string Reason(const CLI::App& app, const CLI::ParseError& error) {
  const bool only_left_over = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  std::string options, words;
  for (const std::string& argument : app.remaining(true)) {
    if (argument == "--") continue;
    std::string& list = argument.starts_with('-') ? options : words;
    list += (list.empty() ? "" : " ") + argument;
  }
  if (!options.empty()) return options + ": no such option";
  return only_left_over ? words + ": not expected" : fmt::format("command line: {}", error.what());
}

void Run(int argc, char** argv) {
  CLI::App app("The GELU family of activation functions: values, derivatives, files, pictures.", "gelu");
  app.set_version_flag("--version", std::string("gelu ") + gelu_version());
  app.require_subcommand(1);
  app.parse_complete_callback(CheckTarget);  // before the callback of a command
  AddList(app);
  AddInfo(app);
  AddEval(app);
  AddApply(app);
  AddReport(app);
  AddPlot(app);
  if (argc > 1 && argv[1][0] != '-') CheckCommand(app, argv[1]);
  try {
    app.parse(Arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    if (app.exit(error, out, err) != 0) {
      throw Failure(fmt::format("{}; run {}", Reason(app, error), HelpOf(app)));
    }
    fmt::print("{}", out.str());
  }
  FlushOutput();
}

// A stream that was closed stays one that cannot be used: the next file that is opened must not take its place.
void OccupyStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace
}  // namespace gelu::cli

int main(int argc, char** argv) {
  using gelu::cli::kExitUsage;
  // A closed pipe and a limit on file sizes show as errors of the write instead, after which files are cleaned up.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  gelu::cli::OccupyStreams();
  try {
    gelu::cli::Run(argc, argv);
    return 0;
  } catch (const gelu::cli::Failure& failure) {
    gelu::cli::Tell(failure.what());
    return failure.exit_code;
  } catch (const std::system_error& error) {
    if (error.code().value() == EPIPE) return 0;
    gelu::cli::Tell(fmt::format("standard output: {}; write it to a place with room", error.code().message()));
  } catch (const std::bad_alloc&) {
    gelu::cli::Tell("out of memory; close other programs or raise the limit (ulimit -v)");
  } catch (const std::exception& error) {
    gelu::cli::Tell(
        fmt::format("a fault of this tool: {}; please report it with the command and its input", error.what()));
  }
  return kExitUsage;
}
