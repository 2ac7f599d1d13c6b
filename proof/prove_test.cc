// SPDX-License-Identifier: Apache-2.0
// The prover's own judgement: its quick measure of errors against ulp.h, faults that are planted, and the ledger.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "proof/ledger.h"
#include "proof/oracle.h"
#include "proof/prove_inputs.h"
#include "proof/prove_judge.h"
#include "proof/prove_measure.h"
#include "proof/prove_plan.h"
#include "proof/prove_run.h"
#include "proof/ulp.h"
#include "proof/walk.h"

namespace gelu::proof {
namespace {

// The middle of the ball as a real number, for balls whose parts lie close together.
Real Middle(const Ball& ball) {
  Real middle(2300);
  mpfr_set_d(middle.get(), ball.hi, MPFR_RNDN);
  mpfr_add_d(middle.get(), middle.get(), ball.lo, MPFR_RNDN);
  mpfr_mul_2si(middle.get(), middle.get(), ball.exponent, MPFR_RNDN);
  return middle;
}

// Small balls at random, at powers of two, beside ties and below the normal numbers; results at and near the right one.
TEST(ProveMeasure, AgreesWithTheDefinition) {
  std::mt19937_64 random(7);
  for (const gelu_dtype dtype : Dtypes()) {
    const Format format = FormatOf(dtype);
    std::size_t known = 0;
    for (int i = 0; i < 20000; ++i) {
      const int bits = static_cast<int>(random() % 54);  // few, so that ties and powers of two are common
      const double mantissa = 1.0 + std::ldexp(static_cast<double>(random() >> 12 >> bits << bits), -52);
      const int range = std::min(800, format.max_exponent + format.precision + 10);
      const int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * range)) - range;
      const double hi = std::ldexp(random() % 2 ? mantissa : -mantissa, exponent);
      const double lo = random() % 4 ? hi * std::ldexp(static_cast<double>(random() >> 12), -52 - 54) : 0.0;
      const Ball ball = {hi, random() % 2 ? lo : -lo, std::abs(hi) * 0x1p-120, random() % 8 ? 0 : -100};
      const Real middle = Middle(ball);
      const std::uint64_t want = RoundTo(dtype, middle);
      const std::uint64_t got = want + random() % 5 - 2;
      if (format.Magnitude(want) < 2 || format.Magnitude(want) + 2 >= format.Infinity()) continue;
      const Measurement m = Measure(format, ball, ToDouble(dtype, got));
      if (m.slack == Measurement::kInfinite) continue;  // a tie, or a power of two: for the oracle
      ++known;
      const double error = UlpError(dtype, got, middle);
      EXPECT_LE(std::abs(m.error - error), m.slack + error * 0x1p-50) << hi << ' ' << lo << ' ' << got;
      EXPECT_EQ(m.misrounded, got != want) << hi << ' ' << lo << ' ' << got;
      if (IsPlain(format, ball, ToDouble(dtype, got), 0.4)) {
        EXPECT_LT(error, 0.4);
        EXPECT_EQ(got, want);
      }
    }
    EXPECT_GT(known, 3000U) << gelu_dtype_name(dtype);
  }
}

TEST(ProveMeasure, LeavesTiesToTheOracle) {
  const Format format = FormatOf(gelu_dtype_f32);
  const double tie = 1.0 + 0x1p-24;
  for (const double got : {1.0, 1.0 + 0x1p-23}) {
    EXPECT_EQ(Measure(format, {tie, 0.0, 0.0, 0}, got).slack, Measurement::kInfinite);
    EXPECT_EQ(Measure(format, {tie, 0x1p-90, 0x1p-80, 0}, got).slack, Measurement::kInfinite);
    EXPECT_EQ(Measure(format, {tie, 0x1p-80, 0x1p-80, 0}, got).misrounded, got == 1.0);  // the side is known
    EXPECT_EQ(Measure(format, {tie, -0x1p-90, 0x1p-100, 0}, got).misrounded, got != 1.0);
    EXPECT_FALSE(IsPlain(format, {tie, 0.0, 0.0, 0}, got, 1.0));
  }
}

TEST(ProveMeasure, SeesWrongSignsAndKinds) {
  const Format format = FormatOf(gelu_dtype_f32);
  const double infinity = Measurement::kInfinite, nan = std::numeric_limits<double>::quiet_NaN();
  const Ball far = {-0x1p-500, 0.0, 0x1p-500, -600};
  EXPECT_EQ(Measure(format, far, -0.0).error, 0x1p-951);
  EXPECT_EQ(Measure(format, far, 0.0).error, infinity);
  EXPECT_TRUE(IsPlain(format, far, -0.0, 0.5));
  EXPECT_FALSE(IsPlain(format, far, 0.0, 0.5));
  EXPECT_EQ(Measure(format, {0.0, 0.0, 0.0, 0}, 0.0).error, 0.0);
  EXPECT_EQ(Measure(format, {0.0, 0.0, 0.0, 0}, -0.0).error, infinity);
  for (const double wrong : {nan, infinity, -infinity, -1.0}) {
    EXPECT_EQ(Measure(format, {1.5, 0.0, 0x1p-90, 0}, wrong).error, infinity) << wrong;
    EXPECT_FALSE(IsPlain(format, {1.5, 0.0, 0x1p-90, 0}, wrong, 0.5)) << wrong;
  }
  EXPECT_EQ(Measure(format, {0x1p-60, 0.0, 0x1p-50, 0}, 1.0).slack, infinity);  // reaches over zero
  EXPECT_EQ(Measure(format, {0x1p128, 0.0, 0.0, 0}, infinity).error, 0.0);
  EXPECT_EQ(Measure(format, {0x1p128, 0.0, 0.0, 0}, 0x1.fffffep127).error, infinity);
}

// One wrong result among many is found, whatever is wrong with it.
TEST(ProveJudge, FindsPlantedFaults) {
  for (const gelu_dtype dtype : Dtypes()) {
    for (const gelu_form form : Forms()) {
      const Row row = {static_cast<gelu_function>(0), 1.0, form, dtype};
      const std::size_t n = Reference::Serves(form) ? 1024 : 128;
      const Format format = FormatOf(dtype);
      std::vector<Array> x(gelu_form_inputs(form), Array(dtype, n)), y(gelu_form_outputs(form), Array(dtype, n));
      std::vector<std::byte*> inputs;
      std::vector<const std::byte*> in, out;
      for (Array& array : x) inputs.push_back(static_cast<std::byte*>(array.data()));
      in.assign(inputs.begin(), inputs.end());
      for (const Array& array : y) out.push_back(static_cast<const std::byte*>(array.data()));
      Inputs(row, true).Fill(dtype == gelu_dtype_f64 ? 0 : 0x3000, n, inputs);
      for (std::size_t i = 0; i < n; ++i) {
        const std::vector<double> values = Numbers(dtype, x, i);
        Evaluation evaluation = EvaluationAt(row.function, kDefaultParams, MeaningOf(form), values);
        for (std::size_t o = 0; o < y.size(); ++o) {
          y[o].Set(i, evaluation.Rounded(OutputsOf(form)[o], dtype, values));
        }
      }
      const Judge judge(row);
      Tally sound;
      judge.Run(in, out, n, 0.0, sound);
      EXPECT_EQ(sound.inputs, n);
      EXPECT_EQ(sound.misrounded, 0U) << NameOf(row);
      for (const Suspect& suspect : sound.worst) EXPECT_LE(suspect.error, 0.5) << NameOf(row);

      std::mt19937_64 random(3);
      for (const std::uint64_t flip : {std::uint64_t{1}, format.Sign(), format.Infinity()}) {
        const std::size_t i = random() % n, o = i % y.size();
        const std::uint64_t right = y[o][i], wrong = right ^ flip;
        y[o].Set(i, wrong);
        Tally tally;
        judge.Run(in, out, n, 0.0, tally);
        EXPECT_EQ(tally.misrounded, 1U) << NameOf(row) << Hex(flip);
        EXPECT_TRUE(std::any_of(tally.worst.begin(), tally.worst.end(),
                                [&](const Suspect& suspect) {
                                  return suspect.inputs[0] == x[0][i] && suspect.output == o && suspect.got == wrong &&
                                         suspect.error > 0.5;
                                }))
            << NameOf(row) << Hex(flip);
        y[o].Set(i, right);
      }
    }
  }
}

TEST(ProveTally, KeepsTheWorstInAnyOrderAndThroughJson) {
  std::mt19937_64 random(5);
  Tally all, parts[2];
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Suspect suspect = {{i, 1, 3}, 2, 4, static_cast<double>(random() % 50)};
    all.Add(suspect);
    parts[random() % 2].Add(suspect);
  }
  all.Add({{7, 8}, 0, 9, Measurement::kInfinite});
  parts[0].Add({{7, 8}, 0, 9, Measurement::kInfinite});
  parts[1].Add(parts[0]);
  const Tally back = nlohmann::json::parse(nlohmann::json(parts[1]).dump());
  const auto sorted = [](const Tally& tally) {
    std::vector<std::tuple<double, std::uint64_t>> entries;
    for (const Suspect& suspect : tally.worst) entries.emplace_back(suspect.error, suspect.inputs[0]);
    std::sort(entries.begin(), entries.end());
    return entries;
  };
  EXPECT_EQ(all.worst.size(), Tally::kWorst);
  EXPECT_EQ(sorted(all), sorted(back));
}

TEST(ProveTally, DigestsDifferWhereABitOrTheNumberDoes) {
  std::vector<std::byte> bytes(37, std::byte{5});
  const std::uint64_t digest = Digest(3, bytes.data(), bytes.size());
  EXPECT_NE(Digest(4, bytes.data(), bytes.size()), digest);
  for (std::byte& byte : bytes) {
    byte ^= std::byte{16};
    EXPECT_NE(Digest(3, bytes.data(), bytes.size()), digest);
    byte ^= std::byte{16};
  }
  EXPECT_EQ(Digest(3, bytes.data(), bytes.size()), digest);
}

// Judged or not, and on any number of threads.
TEST(ProveRun, HasTheSameDigestEachTime) {
  const std::vector<Row> plan = Plan();
  for (const Row& row : {plan.front(), plan.back()}) {
    const std::string digest = Prove(row, {.quick = true, .threads = 2}).entry.digest;
    EXPECT_EQ(Evaluate(row, {.quick = true}).digest, digest) << NameOf(row);
    Row other = row;
    other.form = gelu_form_second_derivative;
    EXPECT_NE(Evaluate(other, {.quick = true}).digest, digest) << NameOf(other);
  }
}

class LedgerTest : public testing::Test {
 protected:
  LedgerTest() : path_(testing::TempDir() + "gelu_ledger_test.tsv") { std::filesystem::remove(path_); }
  ~LedgerTest() override { std::filesystem::remove(path_); }

  std::string Text() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

  std::string path_;
};

TEST_F(LedgerTest, ReplacesARowAndAppendsOthers) {
  const Row row = Plan().front(), other = Plan().back();
  const Verdict verdict = Prove(row, {.quick = true});
  EXPECT_TRUE(verdict.holds) << verdict.failure;
  Ledger ledger(path_);
  EXPECT_EQ(ledger.Find(row), nullptr);
  ledger.Set(row, verdict.entry);
  ledger.Set(other, Prove(other, {.quick = true}).entry);
  const std::string before = Text();
  Entry changed = verdict.entry;
  changed.date = "1999-12-31";
  ledger.Set(row, changed);
  const Ledger again(path_);
  ASSERT_EQ(again.entries().size(), 2U);
  EXPECT_EQ(again.Find(row)->date, "1999-12-31");
  EXPECT_EQ(again.Find(row)->code_hash, CodeHash(row.function));
  EXPECT_EQ(again.Find(row), &again.entries().front());
  ledger.Set(row, verdict.entry);
  EXPECT_EQ(Text(), before);
  EXPECT_NE(Table(again.entries()).find(std::string("| ") + gelu_function_name(row.function)), std::string::npos);
}

TEST_F(LedgerTest, RefusesWhatIsNoLedger) {
  std::ofstream(path_) << "not a ledger\n";
  EXPECT_THROW(Ledger{path_}, std::runtime_error);
  std::filesystem::remove(path_);
  Ledger(path_).Set(Plan().front(), {});
  std::ofstream(path_, std::ios::app) << "too\tshort\n";
  EXPECT_THROW(Ledger{path_}, std::runtime_error);
  EXPECT_THROW(WriteWhole("/nonexistent/ledger", "text"), std::runtime_error);
}

TEST(ProvePlan, HasARowForEveryCombination) {
  const std::vector<Row> plan = Plan();
  for (const gelu_function function : Functions()) {
    EXPECT_EQ(CodeHash(function).size(), 16U);
    for (const gelu_form form : Forms()) {
      for (const gelu_dtype dtype : Dtypes()) {
        EXPECT_NE(std::find(plan.begin(), plan.end(), Row{function, 1.0, form, dtype}), plan.end());
      }
    }
  }
}

}  // namespace
}  // namespace gelu::proof
