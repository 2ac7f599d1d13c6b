// SPDX-License-Identifier: Apache-2.0
// The oracle: f, its derivatives f', f'' and f''' and df/dalpha of every member of the family as real numbers, from the
// formulas in gelu.h and nothing else. A new function is one line in the table of oracle.cc.
//
// What it says where the formula alone does not:
//   The point         the real number x + b. Where it is zero it has the sign of the sum in IEEE 754, and -inf + inf is
//                     NaN. Without b it is x, zeros with their sign.
//   Infinite points   the limit, with the sign from which it is approached.
//   Exact zeros       f has the sign of the point; derivatives are +0 (relu at x < 0, alpha = 0, beyond clip, a root).
//   Tiny results      keep the sign of the real number, however far below every format it is.
//   alpha             a binary64, taken exactly; the sign of a zero means nothing.
//   clip              compared with the real number f; derivatives are zero where |f| > clip, that by alpha as well.
//   Products          the real number; for infinite or zero operands, and NaN, the IEEE product with the above.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "gelu/family.h"
#include "proof/format.h"
#include "proof/forms.h"
#include "proof/interval.h"

namespace gelu::proof {

// Whatever else there is to choose is left alone.
constexpr gelu_params ParamsOf(double alpha, double clip = kNoClip) {
  gelu_params params{};
  params.alpha = alpha;
  params.clip = clip;
  return params;
}
inline constexpr gelu_params kDefaultParams = ParamsOf(1.0);

// Correct rounding to nearest, ties to even, with subnormals and overflow. A NaN gives the canonical one.
std::uint64_t RoundTo(gelu_dtype dtype, const Real& value);

// One function at one point. Cheap to ask again; not to be shared between threads.
class Evaluation {
 public:
  Evaluation(gelu_function function, const gelu_params& params, double x, double b = -0.0);

  // A derivative (by its number in forms.h) times the factors, with a relative error below 2^-120. For |alpha x| >
  // 4096, where all are within 2^-1900 of their limits for any alpha, x and factors, the value at 4096 in place of the
  // tail.
  Real Exact(int derivative, std::span<const double> factors);
  // The real number rounded once: correct for every input, however close to a tie.
  std::uint64_t Rounded(int derivative, gelu_dtype dtype, std::span<const double> factors);

  // An output of a form that has these inputs, of which the first make the point.
  Real Exact(const Output& output, std::span<const double> inputs) {
    return Exact(output.derivative, FactorsOf(output, inputs));
  }
  std::uint64_t Rounded(const Output& output, gelu_dtype dtype, std::span<const double> inputs) {
    return Rounded(output.derivative, dtype, FactorsOf(output, inputs));
  }

  // The first output of a form; each of its factors is dy.
  Real Exact(gelu_form form, double dy = 1.0) { return Exact(MeaningOf(form).output[0], Repeated(dy)); }
  std::uint64_t Rounded(gelu_form form, gelu_dtype dtype, double dy = 1.0) {
    return Rounded(MeaningOf(form).output[0], dtype, Repeated(dy));
  }

 private:
  static std::array<double, kMostInputs> Repeated(double dy) {
    std::array<double, kMostInputs> all;
    all.fill(dy);
    return all;
  }

  void Compute(mpfr_prec_t precision);
  void Clip();
  void Refine();
  Interval Enclose(int derivative, std::span<const double> factors);

  gelu_function function_;
  gelu_params params_;
  double x_, b_;
  std::array<Interval, kDerivatives> derivatives_;
  bool clip_decides_ = false;  // and this precision cannot say what
};

// At the point that a form makes of its inputs.
inline Evaluation EvaluationAt(gelu_function function, const gelu_params& params, const Meaning& meaning,
                               std::span<const double> inputs) {
  return {function, params, inputs[0], meaning.biased ? inputs[1] : -0.0};
}

}  // namespace gelu::proof
