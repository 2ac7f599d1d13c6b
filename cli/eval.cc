// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/resolve.h"

namespace gelu::cli {
namespace {

struct Options {
  FunctionOptions function;
  std::string dtype = "f64";
  std::vector<std::string> inputs;
  std::optional<std::string> dy;
  bool hex = false;
};

// Collects inputs and evaluates them together.
class Batch {
 public:
  explicit Batch(const Options& options)
      : options_(options),
        activation_(options.function.Activation()),
        form_(options.function.Form()),
        dtype_(DtypeByName(options.dtype)) {
    const bool takes_dy = gelu_form_inputs(form_) > 1;
    if (takes_dy && !options.dy) {
      throw Failure(fmt::format("--form {}: needs an upstream gradient; add --dy 1", options.function.form));
    }
    if (!takes_dy && options.dy) {
      throw Failure(fmt::format("--dy {}: form {} takes no upstream gradient; leave it out or add --form backward",
                                *options.dy, options.function.form));
    }
    if (takes_dy) dy_ = ParseNumber(*options.dy, dtype_);
  }

  void Add(std::string_view text) { x_.push_back(ParseNumber(text, dtype_)); }

  // Prints a line for each input since the last call.
  void Print() {
    const size_t n = x_.size();
    const auto new_array = [&] { return std::vector<uint64_t>(n * gelu_dtype_size(dtype_) / sizeof(uint64_t) + 1); };
    std::vector<uint64_t> x = new_array(), dy = new_array(), y = new_array();
    for (size_t i = 0; i < n; ++i) {
      StoreElement(x_[i], dtype_, x.data(), i);
      StoreElement(dy_, dtype_, dy.data(), i);
    }
    const std::array<const void*, 2> in = {x.data(), dy.data()};
    void* const out = y.data();
    Check(gelu_apply(activation_.function, form_, dtype_, &activation_.params, in.data(), &out, n),
          options_.function.name);
    std::string lines;
    for (size_t i = 0; i < n; ++i) {
      Append(x_[i], lines);
      lines += '\t';
      Append(LoadElement(y.data(), i, dtype_), lines);
      lines += '\n';
    }
    fmt::print("{}", lines);
    FlushOutput();
    x_.clear();
  }

 private:
  void Append(uint64_t bits, std::string& out) const {
    if (options_.hex) {
      AppendHex(bits, dtype_, out);
    } else {
      AppendNumber(bits, dtype_, out);
    }
  }

  const Options& options_;
  const gelu_activation activation_;
  const gelu_form form_;
  const gelu_dtype dtype_;
  uint64_t dy_ = 0;
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
  command->add_option("--dy", options->dy, "Upstream gradient, for form backward");
  command->add_flag("--hex", options->hex, "Print inputs and results as their bits, 0x...");
  command->footer(
      "X is a decimal (-1.5e-3), a hexadecimal float (0x1.8p-4), inf, nan, or a bit pattern (bits:3f80), and is\n"
      "rounded once, to nearest, to the dtype. Each line of output holds the rounded input, a tab and the result, "
      "each\n"
      "as the shortest decimal that reads back as the same number in the dtype.\n"
      "Examples:\n"
      "  gelu eval gelu -1.5 -0 -inf\n"
      "  gelu eval quick_gelu 1 --dtype bf16 --hex\n"
      "  gelu eval gelu_new 0.5 --framework huggingface --form derivative\n"
      "  gelu eval silu 2 --form backward --dy 0.25 --dtype f32\n"
      "  seq -4 0.001 4 | gelu eval gelu -");
  command->callback([options] { Eval(*options); });
}

}  // namespace gelu::cli
