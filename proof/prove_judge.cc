// SPDX-License-Identifier: Apache-2.0
#include "proof/prove_judge.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "proof/prove_inputs.h"
#include "proof/prove_measure.h"

namespace gelu::proof {
namespace {

// In ULP: an error known to kKnown is known well enough, unless it is a record; and below kRecord it is none. Otherwise
// all would be records where errors grow with x, and where the result is all but constant.
constexpr double kKnown = 0x1p-12;
constexpr double kRecord = 0.499;
constexpr std::size_t kBatch = 256;

// For infinite dy, by IEEE 754: a NaN where f' is zero.
Measurement MeasureInfinite(const Format& format, const Ball& ball, double dy, std::uint64_t got) {
  if (!HasSign(ball)) return {};
  const bool negative = std::signbit(dy) != std::signbit(ball.hi);
  const std::uint64_t want = ball.hi == 0.0 ? format.Nan() : format.Infinity() | (negative ? format.Sign() : 0);
  return {got == want ? 0.0 : Measurement::kInfinite, 0.0, got != want};
}

}  // namespace

Settled Settle(const Row& row, const Suspect& suspect) {
  const Meaning& meaning = MeaningOf(row.form);
  std::array<double, kMostInputs> values;
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = ToDouble(row.dtype, suspect.inputs[k]);
  Evaluation evaluation = EvaluationAt(row.function, ParamsOf(row.alpha), meaning, values);
  const Output& output = meaning.output[suspect.output];
  return {UlpError(row.dtype, suspect.got, evaluation.Exact(output, values)),
          evaluation.Rounded(output, row.dtype, values)};
}

Judge::Judge(const Row& row) : row_(row), reference_(row.function, row.alpha) {
  if (FormatOf(row.dtype).bits > 16) return;
  for (std::uint64_t bits = 0; bits < 1 << 16; ++bits) decoded_.push_back(ToDouble(row.dtype, bits));
}

double Judge::Decode(std::uint64_t bits) const {
  if (row_.dtype == gelu_dtype_f64) return std::bit_cast<double>(bits);
  if (row_.dtype == gelu_dtype_f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return decoded_[bits];
}

void Judge::RunByOracle(std::span<const std::byte* const> inputs, std::span<const std::byte* const> outputs,
                        std::size_t n, double floor, Tally& tally) const {
  const Meaning& meaning = MeaningOf(row_.form);
  for (std::size_t i = 0; i < n; ++i) {
    Suspect suspect{};
    std::array<double, kMostInputs> values{};
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      suspect.inputs[k] = Load(inputs[k], row_.dtype, i);
      values[k] = Decode(suspect.inputs[k]);
    }
    Evaluation evaluation = EvaluationAt(row_.function, ParamsOf(row_.alpha), meaning, values);
    bool misrounded = false;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const Output& output = meaning.output[o];
      suspect.output = o;
      suspect.got = Load(outputs[o], row_.dtype, i);
      suspect.error = UlpError(row_.dtype, suspect.got, evaluation.Exact(output, values));
      misrounded = misrounded || suspect.got != evaluation.Rounded(output, row_.dtype, values);
      if (suspect.error >= floor) tally.Add(suspect);
    }
    tally.misrounded += misrounded ? 1 : 0;
  }
  tally.inputs += n;
}

void Judge::Run(std::span<const std::byte* const> inputs, std::span<const std::byte* const> outputs, std::size_t n,
                double floor, Tally& tally) const {
  if (!Reference::Serves(row_.form)) return RunByOracle(inputs, outputs, n, floor, tally);
  const std::byte* const x = inputs[0];
  const std::byte* const dy = inputs.size() > 1 ? inputs[1] : nullptr;
  const std::byte* const y = outputs[0];
  switch (FormatOf(row_.dtype).bits) {
    case 64:
      return RunElements<std::uint64_t>(x, dy, y, n, floor, tally);
    case 32:
      return RunElements<std::uint32_t>(x, dy, y, n, floor, tally);
    default:
      return RunElements<std::uint16_t>(x, dy, y, n, floor, tally);
  }
}

template <class Element>
void Judge::RunElements(const std::byte* x, const std::byte* dy, const std::byte* y, std::size_t n, double floor,
                        Tally& tally) const {
  const Format format = FormatOf(row_.dtype);
  const auto load = [](const std::byte* elements, std::size_t i) -> std::uint64_t {
    return reinterpret_cast<const Element*>(elements)[i];
  };
  std::array<double, kBatch> values;
  std::array<Ball, kBatch> balls;
  for (std::size_t begin = 0; begin < n; begin += kBatch) {
    const std::size_t count = std::min(kBatch, n - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const double value = Decode(load(x, begin + i));
      values[i] = std::isfinite(value) ? value : 0.0;
    }
    // An estimate is worth nothing in ULP of f64.
    if (row_.dtype == gelu_dtype_f64) {
      reference_.Evaluate(row_.form, values.data(), balls.data(), count);
    } else {
      reference_.Estimate(row_.form, values.data(), balls.data(), count);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t result = load(y, begin + i);
      const double known = std::max(floor, tally.Floor());
      if (!dy && IsPlain(format, balls[i], Decode(result), known) && std::isfinite(Decode(load(x, begin + i)))) {
        continue;
      }
      Add({{load(x, begin + i), dy ? load(dy, begin + i) : 0}, 0, result, 0.0}, balls[i], known, tally);
    }
  }
  tally.inputs += n;
}

void Judge::Add(const Suspect& suspect, const Ball& estimate, double floor, Tally& tally) const {
  const Format format = FormatOf(row_.dtype);
  const double x = Decode(suspect.inputs[0]), got = Decode(suspect.got);
  const bool two_operands = gelu_form_inputs(row_.form) > 1;
  const double dy = two_operands ? Decode(suspect.inputs[1]) : 1.0;
  const auto measure = [&](const Ball& ball) {
    if (std::isinf(dy)) return MeasureInfinite(format, ball, dy, suspect.got);
    return Measure(format, two_operands ? Times(ball, dy) : ball, got);
  };
  const auto is_known = [&](const Measurement& m) {
    return m.slack < kKnown && m.error + m.slack < std::max(floor, kRecord);
  };

  Measurement m;
  if (std::isnan(x) || std::isnan(dy)) {
    const bool right = suspect.got == format.Nan();
    m = {right ? 0.0 : Measurement::kInfinite, 0.0, !right};
  } else if (std::isfinite(x)) {
    m = measure(estimate);
    if (!is_known(m)) {
      Ball ball;
      reference_.Evaluate(row_.form, &x, &ball, 1);
      m = measure(ball);
    }
  }
  if (!(m.slack < kKnown)) {
    const Settled settled = Settle(row_, suspect);
    m = {settled.error, 0.0, settled.want != suspect.got};
  }
  tally.misrounded += m.misrounded ? 1 : 0;
  if (m.error >= floor) tally.Add({suspect.inputs, suspect.output, suspect.got, m.error});
}

}  // namespace gelu::proof
