// SPDX-License-Identifier: Apache-2.0
// Words in pictures.
#pragma once
#include <string>

#include "gelu/gelu.h"

namespace gelu::cli {

void ReplaceAll(std::string& text, const std::string& from, const std::string& to);

// For the text and the attributes of XML.
std::string EscapeXml(std::string text);

// A name from a file, fit to be shown: valid UTF-8 without control characters, not longer than a line.
std::string Printable(const std::string& name);

// "10⁻⁴" for -4.
std::string PowerOfTen(int exponent);

// "−4.73 × 10⁻⁴": as short as can be with this many significant digits.
std::string Scientific(double value, int digits);

// "name:  formula" with the value of alpha in it, in the letters of mathematics.
std::string Caption(const std::string& name, const gelu_activation& activation);

}  // namespace gelu::cli
