// SPDX-License-Identifier: Apache-2.0
// Times every case for every peer that has it, their repetitions in random order so that a busy neighbour hits all of
// them alike, and prints the medians beside the largest errors. Options are those of Google Benchmark.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <map>

#include "bench/accuracy.h"
#include "bench/case.h"
#include "bench/data.h"
#include "bench/peer.h"
#include "bench/table.h"

namespace gelu::bench {
namespace {

constexpr int kRepetitions = 9;
constexpr double kSeconds = 0.02;  // of one repetition
constexpr size_t kMostToCheck = 8192;

// Keeps the times of every repetition, by the benchmark's name.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration && !run.error_occurred) {
        times_[run.run_name.function_name].push_back(run.real_accumulated_time / static_cast<double>(run.iterations));
      }
    }
  }
  // Seconds of one call; NaN if it was not measured.
  double Median(const std::string& name) {
    std::vector<double>& times = times_[name];
    if (times.empty()) return std::nan("");
    std::ranges::nth_element(times, times.begin() + times.size() / 2);
    return times[times.size() / 2];
  }

 private:
  std::map<std::string, std::vector<double>> times_;
};

std::string Title(const Case& c, const Peer& peer) {
  return fmt::format("{}, {}, {}, {} threads, {}", Name(c.kernel), Name(c.source), Size(c), c.threads, peer.name());
}

void Register(const Case& c, Peer& peer, const Arrays& arrays) {
  const Call call = peer.Prepare(c.kernel, arrays, c.threads);
  if (!call.run) return;
  benchmark::RegisterBenchmark(Title(c, peer).c_str(),
                               [call](benchmark::State& state) {
                                 for (auto step : state) call.run();
                               })
      ->UseRealTime()
      ->MinTime(kSeconds)
      ->Repetitions(kRepetitions);
}

using Peers = std::vector<std::unique_ptr<Peer>>;

// Medians of every case that the filter lets through.
std::vector<Row> Measure(const Peers& peers, Data& data) {
  const std::vector<Case> cases = Cases();
  for (const Case& c : cases) {
    const Arrays arrays = data.Get(c.kernel, c.source, c.n);
    for (const auto& peer : peers) Register(c, *peer, arrays);
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);

  std::vector<Row> rows;
  for (const Case& c : cases) {
    const double scale = 1e9 / static_cast<double>(c.n <= kFew ? 1 : c.n);
    Row row = {c, {}};
    for (const auto& peer : peers) row.readings.push_back({collector.Median(Title(c, *peer)) * scale, std::nan("")});
    const auto none = [](const Reading& reading) { return std::isnan(reading.ns); };
    if (!std::ranges::all_of(row.readings, none)) rows.push_back(row);
  }
  return rows;
}

// Of arrays that are short enough for the oracle, and long enough to tell.
void AddErrors(const Peers& peers, Data& data, std::vector<Row>& rows) {
  for (Row& row : rows) {
    const Case& c = row.c;
    if (c.threads > 1 || c.n <= kFew || c.n > kMostToCheck) continue;
    const Arrays arrays = data.Get(c.kernel, c.source, c.n);
    std::vector<Call> calls;
    for (size_t i = 0; i < peers.size(); ++i) {
      const bool wanted = peers[i]->computes() && !std::isnan(row.readings[i].ns);
      calls.push_back(wanted ? peers[i]->Prepare(c.kernel, arrays, 1) : Call{});
    }
    const std::vector<double> worst = WorstErrors(c.kernel, arrays, calls);
    for (size_t i = 0; i < peers.size(); ++i) row.readings[i].error = worst[i];
  }
}

int Main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  char interleave[] = "--benchmark_enable_random_interleaving=true";
  arguments.insert(arguments.begin() + 1, interleave);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  const bool avx512 = std::strncmp(gelu_target(), "AVX3", 4) == 0;
  const Peers peers = MakePeers(avx512);
  std::vector<std::string> names;
  std::vector<bool> computes;
  for (const auto& peer : peers) {
    names.push_back(peer->name());
    computes.push_back(peer->computes());
    benchmark::AddCustomContext(peer->name(), peer->version());
    fmt::print("- {}: {}\n", peer->name(), peer->version());
  }
  Data data;
  std::vector<Row> rows = Measure(peers, data);
  AddErrors(peers, data, rows);
  fmt::print("\n{}", Table(names, computes, rows, avx512));
  return 0;
}

}  // namespace
}  // namespace gelu::bench

int main(int argc, char** argv) {
  try {
    return gelu::bench::Main(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "gelu: bench: {}\n", error.what());
    return 2;
  }
}
