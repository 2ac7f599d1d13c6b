// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace gelu::cli {

// One line on standard error, "gelu: " and the text. Control characters, which names in files may have, appear as
// \x1b. That nobody can read it makes no command fail.
void Tell(std::string_view text);

}  // namespace gelu::cli
