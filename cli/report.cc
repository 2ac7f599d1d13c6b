// SPDX-License-Identifier: Apache-2.0
#include "cli/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/output_file.h"
#include "cli/output_folder.h"
#include "cli/progress.h"
#include "cli/resolve.h"

namespace gelu::cli {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 17;  // elements; 1 MiB of the widest type

struct ReportOptions {
  std::string in;
  std::string folder = "gelu-report";
  std::string tensor;
  std::string function = gelu_function_name(gelu_function{});  // the first of the family
  std::string framework;
  double dead_threshold = 0;
  bool json = false;
};

Statistics Measure(const TensorFile& file, const Tensor& tensor, const StatisticsOptions& options, Progress& progress) {
  Collector collector(tensor, options);
  std::vector<std::byte> chunk(kChunk * gelu_dtype_size(tensor.dtype));
  for (uint64_t first = 0; first < tensor.count; first += kChunk) {
    const auto n = static_cast<std::size_t>(std::min<uint64_t>(kChunk, tensor.count - first));
    file.Read(tensor, first, n, chunk.data());
    collector.Add(chunk.data(), n);
    progress.Add(n);
  }
  return collector.Finish();
}

Report Collect(const TensorFile& file, const ReportOptions& options) {
  const gelu_activation reference = Resolve(options.function, options.framework, std::nullopt);
  if (std::isnan(options.dead_threshold)) throw Failure("--dead-threshold: nan: nothing is above it; give a number");
  Report report;
  report.options = {Named(reference, options.function), options.dead_threshold};
  report.file = std::filesystem::path(options.in).filename().string();
  std::vector<Tensor> tensors = file.tensors();
  if (options.tensor.empty()) {
    file.RequireTensors();
    report.skipped = file.skipped();
  } else {
    tensors = {file.Find(options.tensor)};
  }
  uint64_t elements = 0;
  for (const Tensor& tensor : tensors) elements += tensor.count;
  Progress progress(report.file, elements);
  for (const Tensor& tensor : tensors) report.tensors.push_back(Measure(file, tensor, report.options, progress));
  return report;
}

// The page appears when it is complete. A folder made for it goes again if it does not.
PagePictures WritePage(const Report& report, const std::string& folder, const std::string& path) {
  OutputFolder around(folder);
  OutputFile page(path);
  uint64_t offset = 0;
  PagePictures pictures = WriteReportHtml(report, [&](std::string_view piece) {
    page.Write(offset, piece.data(), piece.size());
    offset += piece.size();
  });
  page.Commit();
  around.Keep();
  return pictures;
}

void RunReport(const ReportOptions& options) {
  const Report report = Collect(TensorFile(options.in), options);
  const std::string page = (std::filesystem::path(options.folder) / "report.html").string();
  const PagePictures pictures = WritePage(report, options.folder, page);
  if (!pictures.problem.empty()) {
    Tell(fmt::format("{}: {} pictures: {}", page, pictures.any ? "lacks some" : "has no", pictures.problem));
  }
  if (options.json) {
    fmt::print("{}\n", ReportJson(report).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{}\nThe page{}: {}\n", ReportText(report), pictures.any ? " with pictures" : "", page);
  }
  FlushOutput();
}

}  // namespace

void AddReport(CLI::App& app) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "What the activations of a file of pre-activations do, and would do");
  command->add_option("IN", options->in, "A .npy or .safetensors file")->required();
  command->add_option("-o,--output", options->folder, "Folder for report.html")->capture_default_str();
  command->add_option("--tensor", options->tensor, "Only the tensor of this name");
  command
      ->add_option("--function", options->function, "What everything is compared with: any name that gelu list knows")
      ->capture_default_str();
  command->add_option("--framework", options->framework, "The framework whose name that is: torch, jax, ...");
  command->add_option("--dead-threshold", options->dead_threshold, "A unit that is never above this is dead")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print the numbers as JSON");
  command->footer(
      "Examples:\n"
      "  gelu report activations.npy\n"
      "  gelu report model.safetensors --tensor encoder.layer.0 -o out\n"
      "  gelu report ffn.npy --function gelu_pytorch_tanh --json");
  command->callback([options] { RunReport(*options); });
}

}  // namespace gelu::cli
