// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "bench/case.h"

namespace gelu::bench {

// One peer's reading of one case.
struct Reading {
  double ns = 0;     // median: per element, or of the call where n is small; NaN: none
  double error = 0;  // ULP, NaN: not looked at
};

struct Row {
  Case c;
  std::vector<Reading> readings;  // one for each peer
};

// Markdown: one table for each size, and the bars that were missed after it.
std::string Table(const std::vector<std::string>& peers, const std::vector<bool>& computes,
                  const std::vector<Row>& rows, bool avx512);

}  // namespace gelu::bench
