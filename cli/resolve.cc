// SPDX-License-Identifier: Apache-2.0
#include "cli/resolve.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "cli/failure.h"
#include "cli/number.h"

namespace gelu::cli {
namespace {

// The id in [0, count) whose name is `name`.
template <class Id>
Id IdByName(const std::string& name, int count, const char* (*name_of)(Id), const char* kind) {
  std::string known;
  for (int i = 0; i < count; ++i) {
    const Id id = static_cast<Id>(i);
    if (name == name_of(id)) return id;
    known += (i == 0 ? "" : ", ") + std::string(name_of(id));
  }
  throw Failure(fmt::format("{}: no such {}; choose one of {}", name, kind, known));
}

}  // namespace

gelu_form FormByName(const std::string& name) { return IdByName(name, gelu_form_count_, gelu_form_name, "form"); }

gelu_dtype DtypeByName(const std::string& name) { return IdByName(name, gelu_dtype_count_, gelu_dtype_name, "dtype"); }

gelu_activation Resolve(const std::string& name, const std::string& framework, std::optional<double> alpha) {
  gelu_activation activation;
  std::array<char, 2048> message{};
  const gelu_status status = gelu_resolve(name.c_str(), framework.empty() ? nullptr : framework.c_str(), &activation,
                                          message.data(), message.size());
  if (status != GELU_OK) throw Failure(message.data());
  if (alpha) activation.params.alpha = *alpha;
  return activation;
}

void CheckTarget() {
  if (gelu_target() != nullptr) return;
  std::string available;
  for (size_t i = 0; i < gelu_target_count(); ++i) {
    if (gelu_target_available(i)) available += (available.empty() ? "" : ", ") + std::string(gelu_target_name(i));
  }
  const char* asked = std::getenv("GELU_TARGET");
  throw Failure(fmt::format("GELU_TARGET={}: no such target on this machine; leave it unset, or choose one of {}",
                            asked == nullptr ? "" : asked, available));
}

double ParseAlpha(const std::string& text) {
  // CLI11 would read a long double first and round twice.
  const auto alpha = std::bit_cast<double>(ParseNumber(text, gelu_dtype_f64));
  if (std::isfinite(alpha)) return alpha;
  throw Failure(fmt::format("--alpha {}: not finite; give a finite alpha (relu is the limit of alpha to infinity)",
                            Trimmed(text)));
}

void Check(gelu_status status, const std::string& what) {
  if (status != GELU_OK) throw Failure(fmt::format("{}: {}", what, gelu_status_message(status)));
}

void FunctionOptions::AddTo(CLI::App& command) {
  command.add_option("FN", name, "Function: any name that gelu list --names knows")->required();
  command.add_option("--framework", framework, "The framework whose name FN is: torch, jax, huggingface, onnx, ...");
  command
      .add_option_function<std::string>(
          "--alpha", [this](const std::string& text) { alpha = ParseAlpha(text); },
          "alpha of x * gate(alpha x), instead of the one that FN implies")
      ->type_name("FLOAT");
  command.add_option("--form", form, "Form: forward, derivative, ...; gelu list shows all")->capture_default_str();
}

}  // namespace gelu::cli
