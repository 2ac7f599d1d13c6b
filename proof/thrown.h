// SPDX-License-Identifier: Apache-2.0
// What door 2 says when it refuses.
#pragma once
#include <stdexcept>
#include <string>

namespace gelu::proof {

template <class Call>
std::string Thrown(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace gelu::proof
