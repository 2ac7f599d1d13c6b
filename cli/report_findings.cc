// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/picture_text.h"
#include "cli/report_words.h"

namespace gelu::cli {
namespace {

// The functions other than the reference, from the smallest change to the largest.
std::vector<const FunctionStatistics*> ByChange(const Statistics& s) {
  std::vector<const FunctionStatistics*> others;
  for (std::size_t i = 1; i < s.functions.size(); ++i) others.push_back(&s.functions[i]);
  std::stable_sort(others.begin(), others.end(),
                   [](const auto* a, const auto* b) { return a->change.max() < b->change.max(); });
  return others;
}

double Ratio(uint64_t part, uint64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

std::string LeftOut(const Statistics& s) {
  std::vector<std::string> parts;
  const uint64_t infinities = s.positive_inf + s.negative_inf;
  if (s.nan > 0) parts.push_back(fmt::format("{} NaN", Count(s.nan)));
  if (infinities > 0) parts.push_back(fmt::format("{} infinite", Count(infinities)));
  return fmt::format("Of {}, {} {} left out of everything below.", Counted(s.tensor.count, "element", "elements"),
                     fmt::join(parts, " and "), s.nan + infinities == 1 ? "is" : "are");
}

std::string Swaps(const Statistics& s) {
  std::string text;
  for (const FunctionStatistics* row : ByChange(s)) {
    text += text.empty()
                ? fmt::format("With {} in place of {} an output changes by at most {} (rms {})", row->function.name,
                              s.options.reference.name, Short(row->change.max()), Short(row->change.rms()))
                : fmt::format("; with {} by {}", row->function.name, Short(row->change.max()));
  }
  return text + ".";
}

// What 16 bits cost, and whether the nearest other function can be told apart in them.
std::string Rounding(const Statistics& s) {
  const FunctionStatistics& nearest = *ByChange(s).front();
  std::vector<std::string> costs, drown, show;
  for (const PrecisionStatistics& row : s.precision) {
    if (gelu_dtype_size(row.dtype) != 2) continue;
    const char* name = gelu_dtype_name(row.dtype);
    costs.push_back(fmt::format("in {} by up to {} (rms {})", name, Short(row.error.max()), Short(row.error.rms())));
    if (row.overflows > 0) costs.back() += fmt::format(" and {} infinite", Counted(row.overflows, "is", "are"));
    (nearest.change.rms() < row.error.rms() ? drown : show).push_back(name);
  }
  std::string text = fmt::format("Results are off {}.", fmt::join(costs, ", "));
  if (nearest.change.max() == 0) return text;
  text += fmt::format(" The change to {} is", nearest.function.name);
  if (!drown.empty()) text += fmt::format(" less than the rounding of {}", fmt::join(drown, " and "));
  if (!drown.empty() && !show.empty()) text += ", but";
  if (!show.empty()) text += fmt::format(" more than the rounding of {}", fmt::join(show, " and "));
  return text + ", in rms.";
}

std::string Gauss(const Statistics& s) {
  const FunctionStatistics& row = s.functions.front();
  return fmt::format("After {} the mean is {} and the deviation {}; normally distributed inputs would give {} and {}.",
                     row.function.name, Short(row.after.mean()), Short(row.after.deviation()), Short(row.gauss->mean()),
                     Short(row.gauss->deviation()));
}

std::string Tail(const Statistics& s) {
  const PrecisionStatistics& own = s.precision.front();
  const char* type = gelu_dtype_name(own.dtype);
  std::string text = s.tail == 0 ? fmt::format("No input lies below {}", kTailEdge)
                                 : fmt::format(
                                       "{} of the inputs lie below {}, where the textbook formula "
                                       "0.5x(1 + erf(x/\u221a2)) in f32 loses more than half of gelu",
                                       Share(s.tail, s.finite), kTailEdge);
  if (own.subnormals + own.flushed == 0) return text + fmt::format("; no {} result is subnormal or lost.", type);
  return text + fmt::format("; {} in {} and {} to zero.",
                            Counted(own.subnormals, "result is subnormal", "results are subnormal"), type,
                            Counted(own.flushed, "rounds", "round"));
}

std::string Dead(const Statistics& s) {
  const UnitStatistics& units = *s.units;
  if (!units.dead) {
    return fmt::format("Dead units were not looked for: the last axis holds {}, more than {}.",
                       Counted(units.units, "unit", "units"), Count(kMaxUnits));
  }
  const std::string above = Short(s.options.dead_threshold);
  if (*units.dead == 0) {
    return fmt::format("None of the {} on the last axis stays at or below {}.", Counted(units.units, "unit", "units"),
                       above);
  }
  return fmt::format("{} of {} on the last axis ({}) never {} above {} in {}.", Count(*units.dead),
                     Counted(units.units, "unit", "units"), Share(*units.dead, units.units),
                     *units.dead == 1 ? "rises" : "rise", above, Counted(units.samples, "sample", "samples"));
}

}  // namespace

std::vector<std::string> Findings(const Statistics& s) {
  if (s.tensor.count == 0) return {"Empty: a length in the shape is 0, so there is nothing to measure."};
  std::vector<std::string> findings;
  if (s.finite < s.tensor.count) findings.push_back(LeftOut(s));
  if (s.finite == 0) return findings;
  findings.push_back(Swaps(s));
  findings.push_back(Rounding(s));
  findings.push_back(Tail(s));
  if (s.functions.front().gauss) findings.push_back(Gauss(s));
  if (s.units) findings.push_back(Dead(s));
  return findings;
}

std::vector<std::string> Findings(const std::vector<Statistics>& tensors) {
  std::vector<const Statistics*> counted;
  for (const Statistics& s : tensors) {
    if (s.finite > 0) counted.push_back(&s);
  }
  if (counted.empty()) return {"No tensor holds a finite number: there is nothing to measure."};

  // The tensor for which some figure is largest.
  const auto worst = [&](auto figure) {
    return *std::max_element(counted.begin(), counted.end(),
                             [&](const Statistics* a, const Statistics* b) { return figure(*a) < figure(*b); });
  };
  std::vector<std::string> findings;
  std::vector<std::string> changes;
  for (const FunctionStatistics* row : ByChange(*counted.front())) {
    const std::size_t i = static_cast<std::size_t>(row - counted.front()->functions.data());
    const auto change = [i](const Statistics& s) { return s.functions[i].change.max(); };
    changes.push_back(fmt::format("{} with {}", Short(change(*worst(change))), row->function.name));
  }
  findings.push_back(fmt::format("In place of {}, an output changes by at most {}.",
                                 counted.front()->options.reference.name, fmt::join(changes, ", ")));

  std::vector<std::string> costs;
  for (const PrecisionStatistics& row : counted.front()->precision) {
    if (gelu_dtype_size(row.dtype) != 2) continue;
    const auto cost = [&](const Statistics& s) {
      return std::find_if(s.precision.begin(), s.precision.end(), [&](const auto& p) { return p.dtype == row.dtype; })
          ->error.max();
    };
    costs.push_back(fmt::format("in {} by up to {}", gelu_dtype_name(row.dtype), Short(cost(*worst(cost)))));
  }
  findings.push_back(fmt::format("Results are off {}.", fmt::join(costs, ", ")));

  const Statistics& deepest = *worst([](const Statistics& s) { return Ratio(s.tail, s.finite); });
  findings.push_back(deepest.tail == 0
                         ? fmt::format("No input of any tensor lies below {}.", kTailEdge)
                         : fmt::format("The tail below {} is heaviest in {}: {} of its inputs.", kTailEdge,
                                       Printable(deepest.tensor.name), Share(deepest.tail, deepest.finite)));

  const auto dead = [](const Statistics& s) { return s.units ? Ratio(s.units->dead.value_or(0), s.units->units) : 0; };
  const Statistics& deadest = *worst(dead);
  findings.push_back(dead(deadest) == 0
                         ? std::string("No dead units were found.")
                         : fmt::format("Most dead units are in {}: {} of {}.", Printable(deadest.tensor.name),
                                       Count(*deadest.units->dead), Count(deadest.units->units)));
  uint64_t odd = 0;
  for (const Statistics& s : tensors) odd += s.tensor.count - s.finite;
  if (odd > 0)
    findings.push_back(fmt::format("{} NaN or infinite, and left out.", Counted(odd, "element is", "elements are")));
  return findings;
}

}  // namespace gelu::cli
