// SPDX-License-Identifier: Apache-2.0
// Elements as text. An element is handled as its bits, so that every pattern of every dtype survives the way.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gelu/gelu.h"

namespace gelu::cli {

// Decimal or hexadecimal floating point, inf, nan, or bits: and hexadecimal digits; rounded once to the dtype, to
// nearest, ties to even. Throws Failure naming the text.
uint64_t ParseNumber(std::string_view text, gelu_dtype dtype);

// Without the space around it, of which the command line puts one before a minus sign.
std::string_view Trimmed(std::string_view text);

// The shortest decimal that reads back as the same element; "nan" for every NaN.
void AppendNumber(uint64_t bits, gelu_dtype dtype, std::string& out);
// 0x and every digit of the width.
void AppendHex(uint64_t bits, gelu_dtype dtype, std::string& out);

// Whether an argument that starts like an option is meant as a number: -1, -.5, -inf, -nan.
bool IsNegativeNumber(std::string_view argument);

// Elements in memory, in the byte order of this machine.
uint64_t LoadElement(const void* elements, size_t index, gelu_dtype dtype);
void StoreElement(uint64_t bits, gelu_dtype dtype, void* elements, size_t index);

}  // namespace gelu::cli
