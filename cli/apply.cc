// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/file.h"
#include "cli/form_inputs.h"
#include "cli/limits.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/resolve.h"
#include "cli/stream.h"
#include "cli/tensor.h"

namespace gelu::cli {
namespace {

struct Options {
  FunctionOptions function;
  LimitOptions limits;
  std::string in, out, tensor, gradients, with, gate;
};

// Where the further inputs of forms are, by their names.
struct Source {
  const char* input;
  const char* option;
  std::string Options::*file;
};
constexpr Source kSources[] = {{"dy", "--grad", &Options::gradients}, {"b", "--with", &Options::with}};

// How a and b lie in one tensor.
struct Layout {
  const char* name;
  bool interleaved;
  bool b_first;
};
constexpr Layout kLayouts[] = {{"first", false, false}, {"second", false, true}, {"interleaved", true, false}};
constexpr const char* kLayoutNames = "first, second or interleaved";

bool IsGated(gelu_form form) { return InputsOf(form) == std::vector<std::string>{"a", "b"}; }

// The source of the second input; null for a form of one.
const Source* SourceOf(gelu_form form) {
  const std::vector<std::string> inputs = InputsOf(form);
  if (inputs.size() != 2) return nullptr;
  const auto* const source = std::ranges::find(kSources, inputs[1], &Source::input);
  return source == std::end(kSources) ? nullptr : source;
}

bool CanApply(gelu_form form) {
  return gelu_form_outputs(form) == 1 && (gelu_form_inputs(form) == 1 || SourceOf(form) != nullptr);
}

bool CanRead(gelu_form form, const char* input) { return CanApply(form) && Reads(form, input); }

const Layout* LayoutOf(const Options& options, gelu_form form) {
  if (options.gate.empty()) return nullptr;
  const auto* const layout = std::ranges::find(kLayouts, options.gate, &Layout::name);
  if (layout == std::end(kLayouts)) {
    throw Failure(fmt::format("--gate {}: no such half; choose {}", options.gate, kLayoutNames));
  }
  if (!IsGated(form)) {
    throw Failure(fmt::format("--gate {}: form {} has no halves; leave it out or add --form {}", options.gate,
                              options.function.form, AnyFormThat(IsGated)));
  }
  if (!options.with.empty()) {
    throw Failure(fmt::format("--gate {}: finds b in {}, but --with {} gives another; leave one of the two out",
                              options.gate, options.in, options.with));
  }
  return layout;
}

// Throws Failure unless the options give what the form reads, and nothing else.
void CheckForm(const Options& options, gelu_form form, const Layout* layout) {
  if (!CanApply(form)) {
    throw Failure(
        fmt::format("--form {}: reads {} and gives {}, and apply takes one result of at most two inputs; "
                    "choose {}",
                    options.function.form, fmt::join(InputsOf(form), ", "), fmt::join(OutputsOf(form), ", "),
                    AnyFormThat(CanApply)));
  }
  for (const Source& source : kSources) {
    const std::string& file = options.*source.file;
    const bool reads = CanRead(form, source.input);
    if (reads && file.empty() && layout == nullptr) {
      throw Failure(fmt::format("--form {}: reads {}; add {} FILE{}", options.function.form,
                                fmt::join(InputsOf(form), ", "), source.option,
                                IsGated(form) ? fmt::format(", or --gate {} if IN holds both", kLayoutNames) : ""));
    }
    if (!reads && !file.empty()) {
      throw Failure(fmt::format("{} {}: form {} reads {} only; leave it out or add --form {}", source.option, file,
                                options.function.form, fmt::join(InputsOf(form), ", "),
                                AnyFormThat([&](gelu_form other) { return CanRead(other, source.input); })));
    }
  }
}

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

bool IsRowOf(const Tensor& row, const Tensor& x) {
  return !row.shape.empty() && !x.shape.empty() && row.shape.back() == x.shape.back() && row.count == x.shape.back() &&
         !x.fortran_order;
}

// The second operand that belongs to x: of the same name, or the only one where only one is asked for.
const Tensor& OtherOf(const Tensor& x, const Work& work, bool only) {
  const TensorFile& others = *work.others;
  const bool alone = only && others.tensors().size() == 1;
  const Tensor& other = alone ? others.tensors().front() : others.Find(x.name);
  const bool same_order = x.fortran_order == other.fortran_order || x.shape.size() < 2;
  const bool may_be_row = work.form == gelu_form_bias;
  if (x.dtype == other.dtype && x.shape == other.shape && same_order) return other;
  if (x.dtype == other.dtype && may_be_row && IsRowOf(other, x)) return other;
  std::string row;
  if (may_be_row && !x.shape.empty()) {
    row = x.fortran_order ? "; one row for all needs C order"
                          : fmt::format(", or the same type and one row of {}", x.shape.back());
  }
  throw Failure(fmt::format("{}: {} is {}, but {} in {} is {}; {} needs the same type, shape and order{}",
                            others.path(), other.name, Describe(other), x.name, work.in.path(), Describe(x),
                            SourceOf(work.form)->option, row));
}

// The whole file: what lies between the chosen tensors is copied.
void AddPieces(const std::vector<const Tensor*>& chosen, Work& work) {
  uint64_t at = 0;
  for (const Tensor* x : chosen) {
    work.pieces.push_back({at, x->offset - at});
    const uint64_t bytes = x->count * gelu_dtype_size(x->dtype);
    const Tensor* other = work.others == nullptr ? nullptr : &OtherOf(*x, work, chosen.size() == 1);
    work.pieces.push_back({x->offset, bytes, x, other});
    at = x->offset + bytes;
  }
  work.pieces.push_back({at, work.in.size() - at});
}

// The one tensor of a .npy file, which gives one half as large.
void AddHalves(const Tensor& x, const Layout& layout, const std::string& option, Work& work) {
  const std::string what = fmt::format("{}: {} is {}", work.in.path(), x.name, Describe(x));
  if (x.shape.empty()) {
    throw Failure(fmt::format("{}, a scalar; --gate {} needs a last axis that holds a and b", what, option));
  }
  if (x.shape.back() % 2 != 0) {
    throw Failure(fmt::format("{}, whose last axis of {} is odd; --gate {} needs an even one, that holds a and b", what,
                              x.shape.back(), option));
  }
  if (x.fortran_order && x.shape.size() > 1) {
    throw Failure(fmt::format("{}; --gate {} needs C order: save it with numpy.ascontiguousarray", what, option));
  }
  Tensor y = x;
  y.shape.back() /= 2;
  y.fortran_order = false;
  work.header = NpyHeaderOf(y);
  const uint64_t run = layout.interleaved ? 1 : y.shape.back();
  work.pieces.push_back({work.header.size(), x.count / 2 * gelu_dtype_size(x.dtype), &x, nullptr, run, layout.b_first});
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
  gelu_activation activation = options.function.Activation();
  const gelu_form form = options.function.Form();
  const Layout* const layout = LayoutOf(options, form);
  CheckForm(options, form, layout);
  const std::optional<gelu_gate> gate = options.limits.Gate(form);
  if (gate) activation.params.gate = &*gate;
  const TensorFile in(options.in);
  std::unique_ptr<TensorFile> others;
  const Source* const source = layout == nullptr ? SourceOf(form) : nullptr;
  if (source != nullptr) others = std::make_unique<TensorFile>(options.*source->file);
  CheckNames(in, options.out);
  if (layout != nullptr && in.format() != "npy") {
    throw Failure(
        fmt::format("{}: --gate {} halves a tensor, which is done to .npy files alone; save the tensor with "
                    "numpy.save, or its halves as two files for --with",
                    in.path(), options.gate));
  }
  Work work{in, others.get(), {}, {}, activation, form};
  const std::vector<const Tensor*> chosen = Chosen(in, options.tensor);
  if (layout == nullptr) {
    AddPieces(chosen, work);
  } else {
    AddHalves(*chosen.front(), *layout, options.gate, work);
  }
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
  const auto readers = [](const char* input) {
    return AnyFormThat([input](gelu_form form) { return CanRead(form, input); });
  };
  command
      ->add_option("--grad", options->gradients,
                   fmt::format("Upstream gradients, for form {}: a file of the same types and shapes", readers("dy")))
      ->type_name("FILE");
  command
      ->add_option(
          "--with", options->with,
          fmt::format("The b of form {}: a file of the same types and shapes; for bias also one row", readers("b")))
      ->type_name("FILE");
  command
      ->add_option(
          "--gate", options->gate,
          "For form gated, where the last axis of IN holds both: which half of it is a, the activated one; or\n"
          "interleaved, a and b in turn")
      ->type_name("first|second|interleaved");
  options->limits.AddTo(*command);
  command->footer(
      "Element type, shape, order and header stay as they are; tensors that are not evaluated are copied. With --gate\n"
      "the last axis is halved, and IN has to be .npy. The output appears when it is complete: a failure or Ctrl-C\n"
      "leaves an old one whole.\n"
      "Examples:\n"
      "  gelu apply gelu x.npy -o y.npy\n"
      "  gelu apply gelu_new x.safetensors -o y.safetensors --tensor h.0\n"
      "  gelu apply silu x.npy -o dx.npy --form backward --grad dy.npy\n"
      "  gelu apply quick_gelu x.npy -o x.npy\n"
      "  gelu apply gelu x.npy -o y.npy --form bias --with b.npy\n"
      "  gelu apply silu a.npy -o y.npy --form gated --with b.npy\n"
      "  gelu apply gelu ab.npy -o y.npy --form gated --gate second\n"
      "  gelu apply quick_gelu ab.npy -o y.npy --form gated --gate interleaved --gate-max 7 --linear-max 7 \\\n"
      "    --linear-offset 1");
  command->callback([options] { Apply(*options); });
}

}  // namespace gelu::cli
