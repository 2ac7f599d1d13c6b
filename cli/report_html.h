// SPDX-License-Identifier: Apache-2.0
// The parts of the page, each a piece of HTML.
#pragma once
#include <string>

#include "cli/report.h"

namespace gelu::cli {

std::string TensorSection(const Statistics& statistics);
std::string TensorAnchor(std::size_t index);

// The histogram with the gate of the reference drawn over it, and the histogram alone as a miniature.
std::string GateSvg(const Statistics& statistics);
std::string SparkSvg(const Statistics& statistics);

// The pictures of the function family with this tensor's histogram under them. Empty where they cannot be drawn; why
// is then appended to problem.
std::string Pictures(const Statistics& statistics, std::string& problem);

extern const char* const kReportStyle;

}  // namespace gelu::cli
