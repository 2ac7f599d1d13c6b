// SPDX-License-Identifier: Apache-2.0
#include "proof/prove_run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "proof/format.h"
#include "proof/oracle.h"
#include "proof/prove_inputs.h"
#include "proof/prove_judge.h"
#include "proof/prove_meter.h"
#include "proof/prove_tally.h"

namespace gelu::proof {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBlock = std::size_t{1} << 22;  // inputs between two changes of target
constexpr std::size_t kChunk = std::size_t{1} << 14;  // what one thread takes at a time
constexpr auto kSaveEvery = std::chrono::seconds(2);

// An unfinished run.
struct Progress {
  std::string row, code_hash, targets;
  std::uint64_t next = 0;
  Tally tally;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Progress, row, code_hash, targets, next, tally)

std::vector<const char*> AvailableTargets() {
  std::vector<const char*> targets;
  for (std::size_t i = 0; i < gelu_target_count(); ++i) {
    if (gelu_target_available(i)) targets.push_back(gelu_target_name(i));
  }
  return targets;
}

std::vector<const std::byte*> Constant(const std::vector<std::byte*>& arrays) { return {arrays.begin(), arrays.end()}; }

void Use(const char* target) {
  if (gelu_set_target(target) == GELU_OK) return;
  throw std::runtime_error(fmt::format("gelu: prove: target {} cannot be used", target));
}

// What was kept of this row, if it is of this code and these targets; otherwise a fresh start.
Progress Resume(const std::string& path, const Progress& fresh) {
  std::ifstream file(path);
  if (path.empty() || !file) return fresh;
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (json.is_discarded()) return fresh;
  try {
    const Progress kept = json;
    const bool same = kept.row == fresh.row && kept.code_hash == fresh.code_hash && kept.targets == fresh.targets;
    return same ? kept : fresh;
  } catch (const nlohmann::json::exception&) {
    return fresh;
  }
}

class Runner {
 public:
  // judges: whether results are to be measured, beside being evaluated.
  Runner(const Row& row, const RunOptions& options, bool judges)
      : row_(row),
        options_(options),
        judges_(judges),
        inputs_(row, options.quick),
        judge_(row),
        targets_(AvailableTargets()) {
    const std::size_t bytes = std::min<std::uint64_t>(kBlock, inputs_.size()) * gelu_dtype_size(row.dtype);
    in_.assign(gelu_form_inputs(row.form), std::vector<std::byte>(bytes));
    out_.assign(gelu_form_outputs(row.form), std::vector<std::byte>(bytes));
    if (!Reference::Serves(row.form)) options_.compare = 1;  // few inputs
  }

  Tally Run(std::string& mismatch) {
    const Progress fresh = {NameOf(row_), CodeHash(row_.function), TargetNames(), 0, {}};
    Progress progress = Resume(options_.progress_file, fresh);
    Meter meter(progress.row, progress.next, inputs_.size());
    Clock::time_point saved = Clock::now();
    while (progress.next < inputs_.size() && mismatch.empty()) {
      const std::size_t n = std::min<std::uint64_t>(kBlock, inputs_.size() - progress.next);
      Block(progress.next, n, progress.tally, mismatch);
      progress.next += n;
      meter.Show(progress.next);
      if (options_.progress_file.empty() || Clock::now() - saved < kSaveEvery) continue;
      WriteWhole(options_.progress_file, nlohmann::json(progress).dump());
      saved = Clock::now();
    }
    return progress.tally;
  }

  // "AVX2,ONE_LANE"; "AVX2,ONE_LANE/16" where the second was compared on one input of 16.
  std::string TargetNames() const {
    std::string names = targets_.front();
    for (std::size_t t = 1; t < targets_.size(); ++t) {
      names += fmt::format(",{}", targets_[t]);
      if (options_.compare > 1) names += fmt::format("/{}", options_.compare);
    }
    return names;
  }

 private:
  // Calls work(begin, n) for chunks of the block on all threads.
  void ForChunks(std::size_t n, const std::function<void(std::size_t, std::size_t)>& work) const {
    std::atomic<std::size_t> next{0};
    const auto loop = [&] {
      for (std::size_t begin = next.fetch_add(kChunk); begin < n; begin = next.fetch_add(kChunk)) {
        work(begin, std::min(kChunk, n - begin));
      }
    };
    std::vector<std::jthread> threads;
    for (unsigned t = 1; t < options_.threads; ++t) threads.emplace_back(loop);
    loop();
  }

  // At random, so that it does not keep step with the rows of a table.
  bool IsCompared(std::uint64_t chunk) const { return ((chunk * 0x9e3779b97f4a7c15) >> 32) % options_.compare == 0; }

  // The arrays from one element on.
  std::vector<std::byte*> From(std::size_t begin, std::vector<std::vector<std::byte>>& arrays) const {
    std::vector<std::byte*> from;
    for (std::vector<std::byte>& array : arrays) from.push_back(array.data() + begin * gelu_dtype_size(row_.dtype));
    return from;
  }

  void Apply(const std::vector<std::byte*>& inputs, const std::vector<std::byte*>& outputs, std::size_t n) const {
    const std::vector<const void*> in(inputs.begin(), inputs.end());
    const std::vector<void*> out(outputs.begin(), outputs.end());
    const gelu_params params = ParamsOf(row_.alpha);
    if (gelu_apply(row_.function, row_.form, row_.dtype, &params, in.data(), out.data(), n) != GELU_OK)
      std::abort();  // of sound arguments
  }

  // Every array has a place among those of its chunk, so that the digest tells x from y.
  std::uint64_t DigestOf(std::uint64_t chunk, const std::vector<std::byte*>& inputs,
                         const std::vector<std::byte*>& outputs, std::size_t n) const {
    const std::size_t first_output = std::max<std::size_t>(2, inputs.size());
    const std::uint64_t number = chunk * (first_output + outputs.size());
    const std::size_t bytes = n * gelu_dtype_size(row_.dtype);
    std::uint64_t digest = 0;
    for (std::size_t k = 0; k < inputs.size(); ++k) digest += Digest(number + k, inputs[k], bytes);
    for (std::size_t o = 0; o < outputs.size(); ++o) digest += Digest(number + first_output + o, outputs[o], bytes);
    return digest;
  }

  void Block(std::uint64_t first, std::size_t n, Tally& tally, std::string& mismatch) {
    std::mutex mutex;
    const double floor = tally.Floor();
    Use(targets_.front());
    ForChunks(n, [&](std::size_t begin, std::size_t count) {
      const std::vector<std::byte*> in = From(begin, in_), out = From(begin, out_);
      inputs_.Fill(first + begin, count, in);
      Apply(in, out, count);
      Tally part;
      if (judges_) judge_.Run(Constant(in), Constant(out), count, floor, part);
      part.digest = DigestOf((first + begin) / kChunk, in, out, count);
      const std::lock_guard lock(mutex);
      tally.Add(part);
    });
    const std::size_t size = gelu_dtype_size(row_.dtype);
    for (std::size_t t = 1; t < targets_.size(); ++t) {
      Use(targets_[t]);
      ForChunks(n, [&](std::size_t begin, std::size_t count) {
        if (!IsCompared((first + begin) / kChunk)) return;
        const std::vector<std::byte*> in = From(begin, in_), out = From(begin, out_);
        std::vector<std::vector<std::byte>> others(out.size(), std::vector<std::byte>(count * size));
        Apply(in, From(0, others), count);
        for (std::size_t o = 0; o < out.size(); ++o) {
          const std::byte* const other = others[o].data();
          if (std::memcmp(other, out[o], count * size) == 0) continue;
          std::size_t i = 0;
          while (Load(other, row_.dtype, i) == Load(out[o], row_.dtype, i)) ++i;
          const std::lock_guard lock(mutex);
          mismatch =
              fmt::format("at x = {:#x} {} gives {:#x} and {} gives {:#x}", Load(in[0], row_.dtype, i),
                          targets_.front(), Load(out[o], row_.dtype, i), targets_[t], Load(other, row_.dtype, i));
        }
      });
    }
    gelu_set_target(nullptr);
  }

  Row row_;
  RunOptions options_;
  bool judges_;
  Inputs inputs_;
  Judge judge_;
  std::vector<const char*> targets_;
  std::vector<std::vector<std::byte>> in_, out_;
};

std::string DigestText(const Tally& tally) { return fmt::format("{:016x}", tally.digest); }

std::string Hex(const Row& row, std::uint64_t bits) {
  return fmt::format("{:#0{}x}", bits, 2 + 2 * gelu_dtype_size(row.dtype));
}

}  // namespace

Results Evaluate(const Row& row, const RunOptions& options) {
  RunOptions from_the_start = options;
  from_the_start.progress_file.clear();
  Runner runner(row, from_the_start, false);
  std::string mismatch;
  const Tally tally = runner.Run(mismatch);
  return {DigestText(tally), runner.TargetNames(), mismatch};
}

Verdict Prove(const Row& row, const RunOptions& options) {
  Runner runner(row, options, true);
  std::string mismatch;
  const Tally tally = runner.Run(mismatch);

  // The oracle has the last word on the worst.
  Suspect worst{};
  Settled settled{-1.0, 0};
  for (const Suspect& suspect : tally.worst) {
    const Settled candidate = Settle(row, suspect);
    if (std::tie(settled.error, suspect.inputs, suspect.output) <
        std::tie(candidate.error, worst.inputs, worst.output)) {
      worst = suspect;
      settled = candidate;
    }
  }
  std::string input;
  for (std::size_t k = 0; k < gelu_form_inputs(row.form); ++k) {
    input += (k == 0 ? "" : ",") + Hex(row, worst.inputs[k]);
  }
  const double rounded_up = std::ceil(settled.error * 1e6) / 1e6;
  const Entry entry = {gelu_function_name(row.function),
                       AlphaText(row.alpha),
                       gelu_form_name(row.form),
                       gelu_dtype_name(row.dtype),
                       fmt::format("{}", tally.inputs),
                       fmt::format("{:.6f}", rounded_up),
                       input,
                       Hex(row, worst.got),
                       Hex(row, settled.want),
                       CodeHash(row.function),
                       fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                       fmt::format("{}", tally.misrounded),
                       runner.TargetNames(),
                       DigestText(tally)};
  const double bound = MaxUlp(row.form, row.dtype);
  std::string failure;
  if (!mismatch.empty()) {
    failure = mismatch;
  } else if (settled.error > bound || (bound <= 0.5 && tally.misrounded != 0)) {
    failure = fmt::format(
        "at x = {} it gives {} and should give {}: {:.6f} ULP where {} is stated; {} of {} inputs are not "
        "correctly rounded",
        input, entry.got, entry.want, settled.error, bound, tally.misrounded, tally.inputs);
  }
  return {entry, failure.empty(), failure};
}

}  // namespace gelu::proof
