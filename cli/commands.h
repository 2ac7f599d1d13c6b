// SPDX-License-Identifier: Apache-2.0
// The subcommands. Each Add... registers one with its options, its help and a callback that does the work.
#pragma once
#include <CLI/CLI.hpp>

namespace gelu::cli {

void AddApply(CLI::App& app);
void AddEval(CLI::App& app);
void AddInfo(CLI::App& app);
void AddList(CLI::App& app);
void AddPlot(CLI::App& app);
void AddReport(CLI::App& app);

}  // namespace gelu::cli
