// SPDX-License-Identifier: Apache-2.0
// How the report spells numbers and findings, the same on the terminal and on the page.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/statistics.h"

namespace gelu::cli {

std::string Number(double value);   // four significant digits: "-0.1235", "4.732e-4"
std::string Short(double value);    // three
std::string Count(uint64_t count);  // "1,234,567"
// "1 unit", "1,536 units"
std::string Counted(uint64_t count, const char* one, const char* many);
std::string Share(uint64_t part, uint64_t whole);  // "0", "<0.01%", "1.25%", "38.1%", "100%"
std::string Shape(const Tensor& tensor);           // "128 x 1536", "scalar"

// What the largest model libraries call it, at most three names: "gelu_pytorch_tanh, gelu_new, ..."; may be empty.
std::string FamousNames(const Curve& curve);

// Sentences that say what the numbers of one tensor mean, the most useful first.
std::vector<std::string> Findings(const Statistics& statistics);

// The same for several tensors together: the worst of each kind.
std::vector<std::string> Findings(const std::vector<Statistics>& tensors);

}  // namespace gelu::cli
