// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "cli/commands.h"
#include "gelu/gelu.h"

namespace gelu::cli {
namespace {

void Info() {
  const std::string chosen = gelu_target();
  fmt::print("version    {}\ncompiler   {}\n\n{:<10} {}\n", gelu_version(), GELU_COMPILER, "target", "this machine");
  for (size_t i = 0; i < gelu_target_count(); ++i) {
    const std::string name = gelu_target_name(i);
    fmt::print("{:<10} {}\n", name,
               name == chosen             ? "chosen"
               : gelu_target_available(i) ? "available"
                                          : "cannot run it");
  }
}

}  // namespace

void AddInfo(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "Version, and the instruction sets compiled, available and chosen");
  command->footer(
      "Set GELU_TARGET in the environment to force an instruction set; results are the same on all of them.\n"
      "Examples:\n"
      "  gelu info\n"
      "  GELU_TARGET=ONE_LANE gelu info");
  command->callback(Info);
}

}  // namespace gelu::cli
