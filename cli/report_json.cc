// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "cli/report.h"

namespace gelu::cli {
namespace {

using Json = nlohmann::ordered_json;

Json MomentsJson(const Moments& moments) {
  if (!moments.usable()) return nullptr;
  return {{"mean", moments.mean()}, {"std", moments.deviation()}, {"variance", moments.variance()}};
}

Json DifferenceJson(const Difference& difference) {
  return {{"max", difference.max()},
          {"at", difference.max() > 0 ? Json(difference.at()) : Json(nullptr)},
          {"rms", difference.rms()}};
}

Json FunctionJson(const FunctionStatistics& f) {
  const gelu_activation& activation = f.function.activation;
  return {{"name", f.function.name},
          {"function", gelu_function_name(activation.function)},
          {"alpha", activation.params.alpha},
          {"clip", activation.params.clip},  // null: none
          {"change", DifferenceJson(f.change)},
          {"after", MomentsJson(f.after)},
          {"gauss", f.gauss ? MomentsJson(*f.gauss) : Json(nullptr)},
          {"ns_per_element", f.ns > 0 ? Json(f.ns) : Json(nullptr)}};
}

Json PrecisionJson(const PrecisionStatistics& p) {
  return {{"dtype", gelu_dtype_name(p.dtype)},
          {"error", DifferenceJson(p.error)},
          {"max_relative", p.max_relative},
          {"max_relative_at", p.max_relative > 0 ? Json(p.relative_at) : Json(nullptr)},
          {"overflows", p.overflows},
          {"subnormals", p.subnormals},
          {"flushed_to_zero", p.flushed}};
}

Json UnitsJson(const Statistics& s) {
  if (!s.units) return nullptr;
  return {{"units", s.units->units},
          {"samples", s.units->samples},
          {"threshold", s.options.dead_threshold},
          {"dead", s.units->dead ? Json(*s.units->dead) : Json(nullptr)}};
}

Json TensorJson(const Statistics& s) {
  Json json = {{"name", s.tensor.name},
               {"dtype", gelu_dtype_name(s.tensor.dtype)},
               {"shape", s.tensor.shape},
               {"size", s.tensor.count},
               {"finite", s.finite},
               {"nan", s.nan},
               {"positive_inf", s.positive_inf},
               {"negative_inf", s.negative_inf}};
  if (s.finite == 0) return json;
  json["min"] = s.min;
  json["max"] = s.max;
  json["moments"] = MomentsJson(s.x);
  json["histogram"] = {{"low", s.histogram.low},
                       {"high", s.histogram.high},
                       {"counts", s.histogram.counts},
                       {"below", s.below},
                       {"above", s.above}};
  json["tail"] = {{"below", kTailEdge}, {"count", s.tail}};
  for (const FunctionStatistics& f : s.functions) json["functions"].push_back(FunctionJson(f));
  for (const PrecisionStatistics& p : s.precision) json["precision"].push_back(PrecisionJson(p));
  json["units"] = UnitsJson(s);
  return json;
}

}  // namespace

Json ReportJson(const Report& report) {
  Json json = {{"file", report.file},       {"reference", report.options.reference.name},
               {"version", gelu_version()}, {"target", gelu_target()},
               {"tensors", Json::array()},  {"skipped", Json::array()}};
  for (const Statistics& s : report.tensors) json["tensors"].push_back(TensorJson(s));
  for (const SkippedTensor& s : report.skipped) json["skipped"].push_back({{"name", s.name}, {"dtype", s.dtype}});
  return json;
}

}  // namespace gelu::cli
