// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/ledger.h"
#include "gelu/gelu.h"

namespace gelu::cli {
namespace {

using Row = std::vector<std::string>;

// Columns as wide as their longest cell, two spaces apart.
void PrintTable(const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

struct Subject {
  std::string function, alpha;
  bool operator==(const Subject&) const = default;
};

// The function that this library itself knows by a name.
const char* OwnFunction(const std::string& name) {
  gelu_activation activation;
  if (gelu_resolve(name.c_str(), "", &activation, nullptr, 0) == GELU_OK)
    return gelu_function_name(activation.function);
  std::vector<std::string> known;
  for (size_t i = 0; i < gelu_function_count(); ++i) {
    known.emplace_back(gelu_function_name(static_cast<gelu_function>(i)));
  }
  throw Failure(fmt::format("{}: no such function; choose one of {}", name, fmt::join(known, ", ")));
}

// The functions, each with every alpha that the ledger has for it; at least the plain one.
std::vector<Subject> Subjects(const std::vector<Proof>& proofs) {
  std::vector<Subject> subjects;
  for (size_t i = 0; i < gelu_function_count(); ++i) {
    const std::string function = gelu_function_name(static_cast<gelu_function>(i));
    subjects.push_back({function, "1"});
    for (const Proof& proof : proofs) {
      const Subject subject{std::string(proof.function), std::string(proof.alpha)};
      if (subject.function == function && std::ranges::find(subjects, subject) == subjects.end()) {
        subjects.push_back(subject);
      }
    }
  }
  return subjects;
}

// Of one function, or of all where it is empty.
void ListBounds(const std::string& function) {
  std::vector<Proof> proofs = Proofs(kLedger);
  std::erase_if(proofs, [](const Proof& proof) { return !IsCurrent(proof); });
  std::vector<Row> rows = {{"function", "alpha", "form"}};
  for (int dtype = 0; dtype < gelu_dtype_count_; ++dtype) {
    rows[0].emplace_back(gelu_dtype_name(static_cast<gelu_dtype>(dtype)));
  }
  for (const Subject& subject : Subjects(proofs)) {
    if (!function.empty() && subject.function != function) continue;
    for (int form = 0; form < gelu_form_count_; ++form) {
      const std::string form_name = gelu_form_name(static_cast<gelu_form>(form));
      Row row = {subject.function, subject.alpha, form_name};
      for (int dtype = 0; dtype < gelu_dtype_count_; ++dtype) {
        const auto proof = std::ranges::find_if(proofs, [&](const Proof& p) {
          return p.function == subject.function && p.alpha == subject.alpha && p.form == form_name &&
                 p.dtype == rows[0][row.size()];
        });
        row.push_back(proof == proofs.end() ? "-" : std::string(proof->max_ulp) + (IsExhaustive(*proof) ? "" : "~"));
      }
      rows.push_back(row);
    }
  }
  PrintTable(rows);
}

void ListFamily(const std::string& name) {
  const std::string function = name.empty() ? "" : OwnFunction(name);
  std::vector<Row> rows = {{"function", "formula"}};
  for (size_t i = 0; i < gelu_function_count(); ++i) {
    const auto function = static_cast<gelu_function>(i);
    rows.push_back({gelu_function_name(function), gelu_function_formula(function)});
  }
  PrintTable(rows);
  rows = {{"form", "meaning"}
#define GELU_FORM(name, inputs, outputs, meaning) \
  , { #name, meaning }
          GELU_FORMS(GELU_FORM)
#undef GELU_FORM
  };
  fmt::print("\n");
  PrintTable(rows);
  rows = {{"dtype", "element"}
#define GELU_DTYPE(name, bytes, description) \
  , { #name, description }
          GELU_DTYPES(GELU_DTYPE)
#undef GELU_DTYPE
  };
  fmt::print("\n");
  PrintTable(rows);
  fmt::print(
      "\nLargest error found by the proof, in ULP; 0.5 is correctly rounded\n"
      "Of all inputs that there are; ~ of a sample of them; - is not proved for this build\n");
  ListBounds(function);
}

void ListNames(const std::string& framework) {
  std::vector<Row> rows = {{"framework", "name", "function", "alpha", "clip"}};
  std::vector<std::string> frameworks;
  for (size_t i = 0; i < gelu_name_count(); ++i) {
    gelu_name entry;
    if (gelu_name_at(i, &entry) != GELU_OK) continue;
    if (std::ranges::find(frameworks, entry.framework) == frameworks.end()) frameworks.emplace_back(entry.framework);
    if (!framework.empty() && framework != entry.framework) continue;
    const auto& [function, params] = entry.activation;
    rows.push_back({*entry.framework == '\0' ? "(gelu)" : entry.framework, entry.name, gelu_function_name(function),
                    fmt::format("{}", params.alpha), std::isinf(params.clip) ? "-" : fmt::format("{}", params.clip)});
  }
  if (rows.size() == 1) {
    std::erase(frameworks, "");
    throw Failure(fmt::format("{}: no such framework; choose one of {}", framework, fmt::join(frameworks, ", ")));
  }
  PrintTable(rows);
}

}  // namespace

void AddList(CLI::App& app) {
  struct Options {
    bool names = false;
    std::string framework, function;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("list", "Functions, forms, dtypes and proved bounds; or the names of frameworks");
  CLI::Option* function = command->add_option("FN", options->function, "Only the bounds of this function");
  CLI::Option* names =
      command->add_flag("--names", options->names, "Print what each framework's names mean")->excludes(function);
  command->add_option("--framework", options->framework, "Only the names of this framework")->needs(names);
  command->footer(
      "Examples:\n"
      "  gelu list\n"
      "  gelu list gelu_tanh\n"
      "  gelu list --names\n"
      "  gelu list --names --framework torch");
  command->callback([options] { options->names ? ListNames(options->framework) : ListFamily(options->function); });
}

}  // namespace gelu::cli
