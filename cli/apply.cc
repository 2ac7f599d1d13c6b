// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <vector>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/resolve.h"
#include "cli/stream.h"
#include "cli/tensor.h"

namespace gelu::cli {
namespace {

struct Options {
  FunctionOptions function;
  std::string in, out, tensor, gradients;
};

std::vector<const Tensor*> Chosen(const TensorFile& in, const std::string& name) {
  if (!name.empty()) return {&in.Find(name)};
  std::vector<const Tensor*> all;
  in.RequireTensors();
  for (const Tensor& tensor : in.tensors()) all.push_back(&tensor);
  return all;
}

std::string Describe(const Tensor& tensor) {
  return fmt::format("{} ({}){}", gelu_dtype_name(tensor.dtype), fmt::join(tensor.shape, ", "),
                     tensor.fortran_order ? " in Fortran order" : "");
}

// The gradient that belongs to x: of the same name, or the only one where only one is asked for.
const Tensor& GradientOf(const Tensor& x, const TensorFile& in, const TensorFile& gradients, bool only) {
  const bool alone = only && gradients.tensors().size() == 1;
  const Tensor& dy = alone ? gradients.tensors().front() : gradients.Find(x.name);
  const bool same_order = x.fortran_order == dy.fortran_order || x.shape.size() < 2;
  if (x.dtype == dy.dtype && x.shape == dy.shape && same_order) return dy;
  throw Failure(fmt::format("{}: {} is {}, but {} in {} is {}; the gradient needs the same type, shape and order",
                            gradients.path(), dy.name, Describe(dy), x.name, in.path(), Describe(x)));
}

// The whole file: what lies between the chosen tensors is copied.
std::vector<Piece> Pieces(const TensorFile& in, const std::vector<const Tensor*>& chosen, const TensorFile* gradients) {
  std::vector<Piece> pieces;
  uint64_t at = 0;
  for (const Tensor* x : chosen) {
    pieces.push_back({at, x->offset - at});
    const uint64_t bytes = x->count * gelu_dtype_size(x->dtype);
    const Tensor* dy = gradients == nullptr ? nullptr : &GradientOf(*x, in, *gradients, chosen.size() == 1);
    pieces.push_back({x->offset, bytes, x, dy});
    at = x->offset + bytes;
  }
  pieces.push_back({at, in.size() - at});
  return pieces;
}

void CheckNames(const TensorFile& in, const std::string& out) {
  const std::string extension = std::filesystem::path(out).extension().string();
  for (const char* known : {".npy", ".safetensors"}) {
    if (extension != known || extension == "." + in.format()) continue;
    throw Failure(fmt::format("{}: the output has the format of {}, which is {}; name it *.{}", out, in.path(),
                              in.format(), in.format()));
  }
}

void TellSkipped(const TensorFile& in) {
  if (in.skipped().empty()) return;
  std::set<std::string> types;
  for (const SkippedTensor& skipped : in.skipped()) types.insert(skipped.dtype);
  Tell(fmt::format("{}: tensors copied unchanged because of their type: {} ({})", in.path(), in.skipped().size(),
                   fmt::join(types, ", ")));
}

void Apply(const Options& options) {
  const gelu_activation activation = options.function.Activation();
  const gelu_form form = options.function.Form();
  const bool takes_dy = gelu_form_inputs(form) > 1;
  if (takes_dy && options.gradients.empty()) {
    throw Failure(fmt::format("--form {}: needs upstream gradients; add --grad FILE", options.function.form));
  }
  if (!takes_dy && !options.gradients.empty()) {
    throw Failure(fmt::format("--grad {}: form {} takes no gradients; leave it out or add --form backward",
                              options.gradients, options.function.form));
  }
  const TensorFile in(options.in);
  std::unique_ptr<TensorFile> gradients;
  if (takes_dy) gradients = std::make_unique<TensorFile>(options.gradients);
  CheckNames(in, options.out);
  const Work work{in, gradients.get(), Pieces(in, Chosen(in, options.tensor), gradients.get()), activation, form};
  OutputFile out(options.out);
  Stream(work, out);
  out.Commit();
  if (options.tensor.empty()) TellSkipped(in);
}

}  // namespace

void AddApply(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("apply", "Evaluate a function on the tensors of a file");
  options->function.AddTo(*command);
  command->add_option("IN", options->in, "Input, .npy or .safetensors")->required();
  command
      ->add_option("-o,--output", options->out,
                   "Output, in the format of the input; - is standard output, IN itself is allowed")
      ->required()
      ->type_name("OUT");
  command->add_option("--tensor", options->tensor, "Change this tensor alone")->type_name("NAME");
  command
      ->add_option("--grad", options->gradients,
                   "Upstream gradients, for form backward: a file of the same types and shapes")
      ->type_name("FILE");
  command->footer(
      "Element type, shape, order and header stay as they are; tensors that are not evaluated are copied. The output\n"
      "appears when it is complete: a failure or Ctrl-C leaves an old one whole.\n"
      "Examples:\n"
      "  gelu apply gelu x.npy -o y.npy\n"
      "  gelu apply gelu_new x.safetensors -o y.safetensors --tensor h.0\n"
      "  gelu apply silu x.npy -o dx.npy --form backward --grad dy.npy\n"
      "  gelu apply quick_gelu x.npy -o x.npy");
  command->callback([options] { Apply(*options); });
}

}  // namespace gelu::cli
