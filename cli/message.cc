// SPDX-License-Identifier: Apache-2.0
#include "cli/message.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace gelu::cli {

void Tell(std::string_view text) {
  std::string line = "gelu: ";
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte < ' ' || byte == 0x7f) {
      line += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // the other control characters, in UTF-8
      line += fmt::format("\\x{:02x}", next);
      ++i;
    } else {
      line += text[i];
    }
  }
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace gelu::cli
