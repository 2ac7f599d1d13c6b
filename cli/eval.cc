// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/form_inputs.h"
#include "cli/limits.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/resolve.h"

namespace gelu::cli {
namespace {

struct Options {
  FunctionOptions function;
  std::string dtype = "f64";
  std::vector<std::string> inputs;
  std::map<std::string, std::string> others;  // the values of further inputs, by their names
  LimitOptions limits;
  bool hex = false;
};

std::string FormsReading(const std::string& input) {
  return AnyFormThat([&](gelu_form form) { return Reads(form, input); });
}

// Collects inputs and evaluates them together.
class Batch {
 public:
  explicit Batch(const Options& options)
      : options_(options),
        activation_(options.function.Activation()),
        form_(options.function.Form()),
        dtype_(DtypeByName(options.dtype)) {
    CheckOthers();
    gate_ = options.limits.Gate(form_);
    if (gate_) activation_.params.gate = &*gate_;
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  void Add(std::string_view text) { x_.push_back(ParseNumber(text, dtype_)); }

  // Prints a line for each input since the last call.
  void Print() {
    const size_t n = x_.size();
    const auto new_array = [&] { return std::vector<uint64_t>(n * gelu_dtype_size(dtype_) / sizeof(uint64_t) + 1); };
    std::vector<std::vector<uint64_t>> inputs(gelu_form_inputs(form_), new_array());
    std::vector<std::vector<uint64_t>> outputs(gelu_form_outputs(form_), new_array());
    for (size_t i = 0; i < n; ++i) {
      StoreElement(x_[i], dtype_, inputs[0].data(), i);
      for (size_t k = 1; k < inputs.size(); ++k) StoreElement(others_[k - 1], dtype_, inputs[k].data(), i);
    }
    std::vector<const void*> in;
    std::vector<void*> out;
    for (const std::vector<uint64_t>& input : inputs) in.push_back(input.data());
    for (std::vector<uint64_t>& output : outputs) out.push_back(output.data());
    Check(gelu_apply(activation_.function, form_, dtype_, &activation_.params, in.data(), out.data(), n),
          options_.function.name);
    std::string lines;
    for (size_t i = 0; i < n; ++i) {
      Append(x_[i], lines);
      for (const void* output : out) {
        lines += '\t';
        Append(LoadElement(output, i, dtype_), lines);
      }
      lines += '\n';
    }
    fmt::print("{}", lines);
    FlushOutput();
    x_.clear();
  }

 private:
  // Reads the values of the inputs after the first.
  void CheckOthers() {
    const std::vector<std::string> inputs = InputsOf(form_);
    std::string missing;
    for (size_t k = 1; k < inputs.size(); ++k) {
      const auto given = options_.others.find(inputs[k]);
      if (given == options_.others.end()) {
        missing += fmt::format(" --{} 1", inputs[k]);
      } else {
        others_.push_back(ParseNumber(given->second, dtype_));
      }
    }
    if (!missing.empty()) {
      throw Failure(
          fmt::format("--form {}: reads {}; add{}", options_.function.form, fmt::join(inputs, ", "), missing));
    }
    for (const auto& [input, value] : options_.others) {
      if (Reads(form_, input)) continue;
      throw Failure(fmt::format("--{} {}: form {} reads {} only; leave it out or add --form {}", input, value,
                                options_.function.form, fmt::join(inputs, ", "), FormsReading(input)));
    }
  }

  void Append(uint64_t bits, std::string& out) const {
    if (options_.hex) {
      AppendHex(bits, dtype_, out);
    } else {
      AppendNumber(bits, dtype_, out);
    }
  }

  const Options& options_;
  gelu_activation activation_;
  const gelu_form form_;
  const gelu_dtype dtype_;
  std::optional<gelu_gate> gate_;
  std::vector<uint64_t> others_;  // of the inputs after the first, the same for every x
  std::vector<uint64_t> x_;
};

// Lines of standard input, answered as they arrive, so that the tool can serve another program through pipes.
void EvalInput(Batch& batch) {
  constexpr size_t kBlock = 1 << 16;
  std::string pending;
  size_t line = 0;
  const auto add = [&](std::string_view text) {
    ++line;
    try {
      batch.Add(text);
    } catch (const Failure& failure) {
      batch.Print();
      throw Failure(fmt::format("standard input, line {}: {}", line, failure.what()));
    }
  };
  for (;;) {
    const size_t kept = pending.size();
    pending.resize(kept + kBlock);
    const ssize_t got = read(STDIN_FILENO, pending.data() + kept, kBlock);
    if (got < 0) throw Failure(fmt::format("standard input: {}; pipe a file of numbers into it", std::strerror(errno)));
    pending.resize(kept + static_cast<size_t>(got));
    size_t begin = 0;
    for (size_t end; (end = pending.find('\n', begin)) != std::string::npos; begin = end + 1) {
      add(std::string_view(pending).substr(begin, end - begin));
    }
    pending.erase(0, begin);
    if (got == 0 && !pending.empty()) add(pending);
    batch.Print();
    if (got == 0) return;
    if (pending.size() > kBlock)
      throw Failure(
          fmt::format("standard input, line {}: longer than {} bytes; write a number in each line", line + 1, kBlock));
  }
}

void Eval(const Options& options) {
  Batch batch(options);
  if (options.inputs == std::vector<std::string>{"-"}) return EvalInput(batch);
  for (const std::string& input : options.inputs) batch.Add(input);
  batch.Print();
}

}  // namespace

void AddEval(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("eval", "Evaluate a function at the numbers given");
  options->function.AddTo(*command);
  command->add_option("X", options->inputs, "Inputs, or - to read them from standard input, one a line")->required();
  command->add_option("--dtype", options->dtype, "Number format: f64, f32, f16 or bf16")->capture_default_str();
  for (const std::string& input : FurtherInputs()) {
    const auto set = [options, input](const std::string& value) { options->others[input] = Trimmed(value); };
    command
        ->add_option_function<std::string>("--" + input, set, fmt::format("The {} of {}", input, FormsReading(input)))
        ->type_name("FLOAT");
  }
  options->limits.AddTo(*command);
  command->add_flag("--hex", options->hex, "Print inputs and results as their bits, 0x...");
  command->footer(
      "X is a decimal (-1.5e-3), a hexadecimal float (0x1.8p-4), inf, nan, or a bit pattern (bits:3f80), and is\n"
      "rounded once, to nearest, to the dtype. It is the first input of the form, x or a; further ones are the same "
      "for\n"
      "every X. Each line of output holds the rounded input and the results, with tabs between them, each as the\n"
      "shortest decimal that reads back as the same number in the dtype.\n"
      "Examples:\n"
      "  gelu eval gelu -1.5 -0 -inf\n"
      "  gelu eval quick_gelu 1 --dtype bf16 --hex\n"
      "  gelu eval gelu_new 0.5 --framework huggingface --form derivative\n"
      "  gelu eval silu 2 --form backward --dy 0.25 --dtype f32\n"
      "  gelu eval silu 2 --form gated --b -9 --alpha 1.702 --gate-max 7 --linear-max 7 --linear-offset 1\n"
      "  gelu eval gelu 0.5 1 --form value_and_two_derivatives\n"
      "  seq -4 0.001 4 | gelu eval gelu -");
  command->callback([options] { Eval(*options); });
}

}  // namespace gelu::cli
