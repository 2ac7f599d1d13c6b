// SPDX-License-Identifier: Apache-2.0
// The report on a file of tensors: collected in report.cc, told in report_text.cc, report_html.cc and report_json.cc.
#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/statistics.h"
#include "cli/tensor.h"

namespace gelu::cli {

struct Report {
  std::string file;  // without its folder
  StatisticsOptions options;
  std::vector<Statistics> tensors;
  std::vector<SkippedTensor> skipped;
};

// For a terminal, at most 100 columns.
std::string ReportText(const Report& report);

nlohmann::ordered_json ReportJson(const Report& report);

struct PagePictures {
  bool any = false;
  std::string problem;  // why some are missing
};

// One page without external parts, in pieces: only one tensor's pictures are in memory at a time.
PagePictures WriteReportHtml(const Report& report, const std::function<void(std::string_view)>& write);

}  // namespace gelu::cli
