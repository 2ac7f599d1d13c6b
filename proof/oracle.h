// SPDX-License-Identifier: Apache-2.0
// The oracle: f, f' and f'' of every member of the family as real numbers, from the formulas in gelu.h and nothing
// else. A new function is one line in the table of oracle.cc.
//
// What it says where the formula alone does not:
//   Infinite x        the limit, with the sign from which it is approached.
//   Exact zeros       f has the sign of x; f' and f'' are +0 (relu at x < 0, alpha = 0, beyond clip).
//   Tiny results      keep the sign of the real number, however far below every format it is.
//   alpha             a binary64, taken exactly; the sign of a zero means nothing.
//   clip              compared with the real number f(x); f' and f'' are zero where |f| > clip.
//   backward          the real number dy * f'(x); for infinite or zero operands the IEEE product with the above f'(x).
#pragma once
#include <array>
#include <cstdint>

#include "gelu/family.h"
#include "proof/format.h"
#include "proof/interval.h"

namespace gelu::proof {

inline constexpr gelu_params kDefaultParams = {1.0, kNoClip};

// Correct rounding to nearest, ties to even, with subnormals and overflow. A NaN gives the canonical one.
std::uint64_t RoundTo(gelu_dtype dtype, const Real& value);

// One function at one x, in all forms. Cheap to ask again; not to be shared between threads.
class Evaluation {
 public:
  Evaluation(gelu_function function, const gelu_params& params, double x);

  // The real number, with a relative error below 2^-120. For |alpha x| > 2048, where f, f' and f'' are within 2^-1900
  // of their limits for any alpha and x, the value at 2048 in place of the tail. dy matters to backward alone.
  Real Exact(gelu_form form, double dy = 1.0);

  // The real number rounded once: correct for every input, however close to a tie.
  std::uint64_t Rounded(gelu_form form, gelu_dtype dtype, double dy = 1.0);

 private:
  void Compute(mpfr_prec_t precision);
  void Clip();
  void Refine();
  Interval Enclose(gelu_form form, double dy);

  gelu_function function_;
  gelu_params params_;
  double x_;
  std::array<Interval, 3> derivatives_;  // f, f', f''
};

}  // namespace gelu::proof
