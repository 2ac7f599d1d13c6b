// SPDX-License-Identifier: Apache-2.0
// Real numbers beyond what a form alone computes: gates, factors, sums; and how results compare with them.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "proof/ulp.h"
#include "proof/walk.h"

namespace gelu::proof {

inline constexpr mpfr_prec_t kSumBits = 2200;  // of any sum of doubles, of which there are fewer than 2^64

inline Real operator*(const Real& a, const Real& b) {
  Real product(a.precision() + b.precision());
  mpfr_mul(product.get(), a.get(), b.get(), MPFR_RNDN);
  return product;
}

inline Real operator+(const Real& a, double b) {  // exact where a is a sum of doubles
  Real sum(kSumBits);
  mpfr_add_d(sum.get(), a.get(), b, MPFR_RNDN);
  return sum;
}

inline double Limited(double value, double least, double most) {  // a NaN is
  return value > most ? most : value < least ? least : value;
}

// Every output of a form, as gelu.h has it: with its gate, and with its ceiling.
inline std::vector<Real> ExactOutputs(gelu_function function, gelu_form form, const gelu_params& params,
                                      std::span<const double> inputs) {
  const Meaning& meaning = MeaningOf(form);
  const bool gated = params.gate != nullptr && meaning.form.starts_with("gated");
  std::vector<double> at(inputs.begin(), inputs.end());
  if (gated) at[0] = Limited(at[0], -kNoClip, params.gate->gate_max);
  Evaluation evaluation = EvaluationAt(function, params, meaning, at);
  std::vector<Real> all;
  for (const Output& output : OutputsOf(form)) {
    Real exact = evaluation.Exact(output.derivative, {});
    for (std::size_t k = 0; k < meaning.inputs; ++k) {
      if (!output.times[k]) continue;
      Real factor(53, inputs[k]);
      if (gated && k == 1) {
        const double most = params.gate->linear_max;
        factor = Real(53, Limited(inputs[1], -most, most));
        if (params.gate->linear_offset != 0) factor = factor + params.gate->linear_offset;  // -0 stays -0
      } else if (gated) {
        const double most = output.derivative == 0 ? params.gate->linear_max : params.gate->gate_max;
        const double input = output.derivative == 0 ? std::abs(inputs[1]) : inputs[0];
        if (input > most) factor = Real(53, inputs[k] * 0.0);
      }
      exact = exact * factor;
    }
    if (params.ceiling != nullptr) exact = exact * Real(53, *params.ceiling);
    all.push_back(std::move(exact));
  }
  return all;
}

// The bound of results that are products, or sums of inputs.
inline double ProductBound(gelu_dtype dtype) { return MaxUlp(gelu_form_backward, dtype); }

// Applies on every target; the bits are the same on all.
inline Arrays ApplyOnAll(gelu_function function, gelu_form form, const gelu_params& params, gelu_dtype dtype,
                         const Arrays& inputs) {
  Arrays first;
  for (const char* target : Targets()) {
    const ScopedTarget scoped(target);
    const Arrays got = Apply(function, form, params, dtype, inputs);
    if (first.empty()) first = got;
    EXPECT_TRUE(got == first) << Describe({function, dtype, params.alpha}, form, target);
  }
  return first;
}

inline Array ArrayOf(gelu_dtype dtype, const std::vector<double>& values) {
  Array all(dtype, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) all.Set(i, RoundTo(dtype, Real(53, values[i])));
  return all;
}

}  // namespace gelu::proof
