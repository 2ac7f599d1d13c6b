// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/number.h"
#include "cli/output_file.h"
#include "cli/picture.h"
#include "cli/plot_histogram.h"
#include "cli/resolve.h"

namespace gelu::cli {
namespace {

struct Options {
  std::string kind;
  std::vector<std::string> functions;
  std::string framework;
  std::vector<std::string> alphas;
  std::string form;
  std::string dtype = "f64";
  std::string range;
  std::string histogram;
  std::string tensor;
  std::string size;
  bool dark = false;
  std::string out;
};

enum class Format { kSvg, kPng };

Format FormatOf(const std::string& path) {
  const size_t dot = path.find_last_of("./");
  std::string extension = dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  if (extension == ".svg") return Format::kSvg;
  if (extension == ".png") return Format::kPng;
  throw Failure(fmt::format("{}: no format of pictures; end the name in .svg or .png", path));
}

double Number(const std::string& text) { return std::bit_cast<double>(ParseNumber(text, gelu_dtype_f64)); }

void SetRange(const std::string& text, PictureRequest& request) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) throw Failure(fmt::format("{}: no range; give LOW:HIGH, such as -6:6", text));
  request.low = Number(text.substr(0, colon));
  request.high = Number(text.substr(colon + 1));
  if (!(request.low < request.high)) {
    throw Failure(fmt::format("{}: no range; give two finite numbers, the lower one first", text));
  }
}

void SetSize(const std::string& text, PictureRequest& request) {
  constexpr int kLargest = 10000;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, request.width);
  const auto height = width.ptr < end ? std::from_chars(width.ptr + 1, end, request.height) : width;
  const auto fits = [](int pixels) { return pixels > 0 && pixels <= kLargest; };
  if (width.ptr == end || *width.ptr != 'x' || height.ec != std::errc() || height.ptr != end || !fits(request.width) ||
      !fits(request.height)) {
    throw Failure(
        fmt::format("{}: no size; give WIDTHxHEIGHT in pixels, such as 960x640, each at most {}", text, kLargest));
  }
}

// Every function at every alpha; the whole family where none is named.
std::vector<Curve> Curves(const Options& options) {
  std::vector<std::string> names = options.functions;
  for (size_t i = 0; options.functions.empty() && !options.alphas.empty() && i < gelu_function_count(); ++i) {
    names.emplace_back(gelu_function_name(static_cast<gelu_function>(i)));
  }
  std::vector<Curve> curves;
  for (const std::string& name : names) {
    const gelu_activation named = Resolve(name, options.framework, {});
    std::vector<double> alphas;
    for (const std::string& alpha : options.alphas) alphas.push_back(ParseAlpha(alpha));
    if (alphas.empty()) alphas.push_back(named.params.alpha);
    for (const double alpha : alphas) {
      curves.push_back({{named.function, {alpha, named.params.clip}}, name, curves.size()});
    }
  }
  return curves;
}

PictureRequest RequestOf(const Options& options) {
  PictureRequest request;
  if (!options.kind.empty()) request.kind = options.kind;
  if (!options.form.empty()) request.form = FormByName(options.form);
  request.dtype = DtypeByName(options.dtype);
  request.curves = Curves(options);
  if (!options.range.empty()) SetRange(options.range, request);
  if (!options.size.empty()) SetSize(options.size, request);
  request.dark = options.dark;
  return request;
}

void Plot(const Options& options) {
  const Format format = FormatOf(options.out);
  PictureRequest request = RequestOf(options);
  SetDefaultRange(request);
  Histogram histogram;
  if (!options.histogram.empty()) {
    histogram = HistogramOf(options.histogram, options.tensor, request.low, request.high);
    request.histogram = &histogram;
  }
  const std::string picture = format == Format::kSvg ? RenderSvg(request) : RenderPng(request);
  OutputFile out(options.out);
  out.Write(0, picture.data(), picture.size());
  out.Commit();
}

}  // namespace

void AddPlot(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("plot", "Draw the functions, their derivatives and their differences");
  command->add_option("KIND", options->kind,
                      fmt::format("What to draw: {}; without it family", fmt::join(PictureKinds(), ", ")));
  command->add_option("--function", options->functions, "Draw these, any names that gelu list --names knows")
      ->type_name("FN");
  command->add_option("--framework", options->framework, "The framework whose names these are: torch, jax, ...");
  command->add_option("--alpha", options->alphas, "Draw each function at each of these alphas")->type_name("A");
  command->add_option("--form", options->form, "For kinds family and error: forward, derivative, ...");
  command->add_option("--dtype", options->dtype, "The arithmetic that is drawn: f64, f32, f16 or bf16")
      ->capture_default_str();
  command->add_option("--range", options->range, "Range of x")->type_name("LOW:HIGH");
  CLI::Option* histogram =
      command->add_option("--histogram", options->histogram, "Under it the histogram of a tensor, .npy or .safetensors")
          ->type_name("FILE");
  command->add_option("--tensor", options->tensor, "Which tensor of that file")->type_name("NAME")->needs(histogram);
  command->add_option("--size", options->size, "Size in pixels; without it what the picture needs")->type_name("WxH");
  command->add_flag("--dark", options->dark, "Light on dark");
  command->add_option("-o,--output", options->out, "Output, .svg or .png")->type_name("FILE")->required();
  command->footer(
      "Error draws each function's difference from the first of the family, exact gelu, and the relative one.\n"
      "Gnuplot draws: it has to be installed. An SVG has no ground of its own unless --dark is given.\n"
      "Examples:\n"
      "  gelu plot -o family.svg\n"
      "  gelu plot derivative --function gelu quick_gelu -o slopes.png --size 1600x1000\n"
      "  gelu plot --function silu --alpha 0.5 1 1.702 4 -o alphas.svg\n"
      "  gelu plot error --histogram x.npy -o errors.svg\n"
      "  gelu plot --function gelu --dtype bf16 --range -1:0 -o staircase.svg --dark");
  command->callback([options] { Plot(*options); });
}

}  // namespace gelu::cli
