// SPDX-License-Identifier: Apache-2.0
// From the words of a command line to the enums of the library. All throw Failure with the words that are known.
#pragma once
#include <optional>
#include <string>

#include "gelu/gelu.h"

namespace CLI {
class App;
}

namespace gelu::cli {

gelu_form FormByName(const std::string& name);
gelu_dtype DtypeByName(const std::string& name);

// alpha, where given, replaces the one that belongs to the name. framework may be empty.
gelu_activation Resolve(const std::string& name, const std::string& framework, std::optional<double> alpha);

// Throws Failure if GELU_TARGET in the environment names no instruction set of this machine.
void CheckTarget();

// The value of --alpha.
double ParseAlpha(const std::string& text);

// Throws Failure("what: message of the status") unless the status is GELU_OK.
void Check(gelu_status status, const std::string& what);

// The words that every command takes which evaluates a function: FN [--framework F] [--alpha A] [--form F].
struct FunctionOptions {
  std::string name;
  std::string framework;
  std::optional<double> alpha;
  std::string form = "forward";

  void AddTo(CLI::App& command);
  gelu_activation Activation() const { return Resolve(name, framework, alpha); }
  gelu_form Form() const { return FormByName(form); }
};

}  // namespace gelu::cli
