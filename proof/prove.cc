// SPDX-License-Identifier: Apache-2.0
// prove: evaluates the library on every input that a row of the ledger speaks of, and keeps the ledger.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "proof/ledger.h"
#include "proof/prove_plan.h"
#include "proof/prove_run.h"

namespace gelu::proof {
namespace {

constexpr const char* kExamples =
    "A row is current while the code that evaluates its function has the hash in the ledger; only the others are\n"
    "proved, and not those for which new code gives the very results of the old: the ledger has a digest of them.\n"
    "A run that was stopped goes on where it was.\n\n"
    "Examples:\n"
    "  prove                            every row that is not current\n"
    "  prove f32                        those of one element type\n"
    "  prove silu forward f32           one row for each alpha\n"
    "  prove --alpha 1.702 --redo silu  once more, though it be current\n"
    "  prove --quick                    2^16 inputs of each row, without the ledger\n"
    "  prove --quick --alpha 0.3        the same for an alpha that the ledger lacks\n"
    "  prove --list                     the rows, and which of them are current\n"
    "  prove --table                    the ledger as a table in Markdown";

struct Options {
  std::vector<std::string> words;
  std::string ledger = GELU_LEDGER_FILE, progress = GELU_PROGRESS_FILE;
  double alpha = 0.0;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency()), compare = 1;
  bool quick = false, list = false, table = false, redo = false;
};

// Rows that have each of the words as function, form or element type.
std::vector<Row> Selected(const Options& options) {
  std::vector<Row> rows = options.quick && options.alpha != 0.0 ? Plan({{options.alpha}}) : Plan();
  for (const std::string& word : options.words) {
    std::erase_if(rows, [&](const Row& row) {
      return word != gelu_function_name(row.function) && word != gelu_form_name(row.form) &&
             word != gelu_dtype_name(row.dtype);
    });
  }
  if (options.alpha != 0.0) std::erase_if(rows, [&](const Row& row) { return row.alpha != options.alpha; });
  return rows;
}

bool IsCurrent(const Ledger& ledger, const Row& row) {
  const Entry* entry = ledger.Find(row);
  return entry != nullptr && entry->code_hash == CodeHash(row.function);
}

int List(const Ledger& ledger, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const Entry* entry = ledger.Find(row);
    fmt::print("{}\t{}\t{}\n", NameOf(row),
               IsCurrent(ledger, row) ? "current"
               : entry                ? "stale"
                                      : "missing",
               entry ? entry->max_ulp : "");
  }
  return 0;
}

int PrintTable(const Ledger& ledger, const std::vector<Row>& rows) {
  std::vector<Entry> entries;
  for (const Row& row : rows) {
    if (IsCurrent(ledger, row)) entries.push_back(*ledger.Find(row));
  }
  fmt::print("{}", Table(entries));
  return 0;
}

// Code that is new but gives, for all inputs of a row, the results that were proved, has been proved with them.
bool GivesTheProvedResults(const Row& row, const RunOptions& run, Ledger& ledger) {
  const Entry* entry = ledger.Find(row);
  if (entry == nullptr) return false;
  const Results results = Evaluate(row, run);
  if (!results.failure.empty() || results.digest != entry->digest) return false;
  Entry same = *entry;
  same.code_hash = CodeHash(row.function);
  same.targets = results.targets;
  ledger.Set(row, same);
  fmt::print("{}: the results that were proved on {}\n", NameOf(row), same.date);
  std::fflush(stdout);
  return true;
}

int Run(const Options& options) {
  Ledger ledger(options.ledger);
  const std::vector<Row> rows = Selected(options);
  if (rows.empty()) {
    fmt::print(stderr, "gelu: prove: no row for \"{}\"; prove --list prints all\n", fmt::join(options.words, " "));
    return 2;
  }
  if (options.list) return List(ledger, rows);
  if (options.table) return PrintTable(ledger, rows);

  int status = 0, current = 0;
  const RunOptions run = {options.quick, options.threads, options.compare, options.quick ? "" : options.progress};
  for (const Row& row : rows) {
    if (!options.quick && !options.redo && IsCurrent(ledger, row)) {
      ++current;
      continue;
    }
    if (!options.quick && !options.redo && GivesTheProvedResults(row, run, ledger)) continue;
    const Verdict verdict = Prove(row, run);
    const Entry& entry = verdict.entry;
    fmt::print("{}: {} ULP at {} of {} inputs, {} not correctly rounded\n", NameOf(row), entry.max_ulp,
               entry.worst_input, entry.inputs, entry.misrounded);
    std::fflush(stdout);
    if (!verdict.holds) {
      fmt::print(stderr, "gelu: prove: {} fails: {}\n", NameOf(row), verdict.failure);
      status = 1;
    } else if (!options.quick) {
      ledger.Set(row, entry);
    }
  }
  if (current > 0) fmt::print("{} of {} rows were current\n", current, rows.size());
  return status;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("Proves the stated bounds, and keeps proof/ledger.tsv.");
  app.footer(kExamples);
  app.add_option("words", options.words, "Only rows of this function, form, dtype: one word each");
  app.add_option("--alpha", options.alpha, "Only this alpha; with --quick any");
  app.add_option("--threads", options.threads, "How many threads")->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("--compare", options.compare, "Compare the other targets in one chunk of so many")
      ->check(CLI::Range(1, 65536))
      ->capture_default_str();
  app.add_option("--ledger", options.ledger, "The ledger")->capture_default_str();
  app.add_option("--progress", options.progress, "Where an unfinished run is kept")->capture_default_str();
  app.add_flag("--quick", options.quick, "A small share of the inputs, without the ledger");
  app.add_flag("--redo", options.redo, "Also rows that are current");
  app.add_flag("--list", options.list, "Prints the rows and proves nothing");
  app.add_flag("--table", options.table, "Prints the ledger in Markdown and proves nothing");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return Run(options);
}

}  // namespace
}  // namespace gelu::proof

int main(int argc, char** argv) {
  try {
    return gelu::proof::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
