// SPDX-License-Identifier: Apache-2.0
// Every function, form and element type on every target against the oracle, within the bounds that family.h states.
#include <gtest/gtest.h>

#include <list>
#include <random>
#include <span>

#include "proof/reference.h"
#include "proof/sample.h"
#include "proof/ulp.h"
#include "proof/walk.h"

namespace gelu::proof {
namespace {

using Bits = std::uint64_t;

// Applies a form on every target. The bits are the same on all, so that one of them stands for all in what follows.
Arrays ApplyEverywhere(const What& what, gelu_form form, const Arrays& inputs, double clip = kNoClip) {
  Arrays first;
  for (const char* target : Targets()) {
    const ScopedTarget scoped(target);
    Arrays got = Apply(what.function, form, ParamsOf(what.alpha, clip), what.dtype, inputs);
    if (first.empty()) {
      first = std::move(got);
      continue;
    }
    for (std::size_t o = 0; o < got.size(); ++o) {
      if (got[o] == first[o]) continue;
      Failures failures(Describe(what, form, o) + ": " + target + " differs from " + Targets().front());
      for (std::size_t i = 0; i < got[o].size(); ++i) {
        if (got[o][i] == first[o][i]) continue;
        failures.Add(HexOf(form, inputs, i) + ": " + Hex(got[o][i]) + " and " + Hex(first[o][i]));
      }
    }
  }
  return first;
}

// The bound that holds for every alpha.
double BoundOf(gelu_form form, gelu_dtype dtype, double alpha) {
  const double stated = MaxUlp(form, dtype);
  return alpha == 1.0 || alpha == 1.702 ? stated : std::max(stated, 0.51);
}

// Compares a form's results with the oracle, input by input.
class Checker {
 public:
  Checker(const What& what, gelu_form form, const Arrays& inputs, double clip = kNoClip)
      : what_(what),
        form_(form),
        meaning_(MeaningOf(form)),
        params_(ParamsOf(what.alpha, clip)),
        inputs_(inputs),
        bound_(BoundOf(form, what.dtype, what.alpha)),
        got_(ApplyEverywhere(what, form, inputs, clip)),
        failures_(Describe(what, form)) {
    constexpr std::size_t kLong = 1024;
    if (inputs.front().size() < kLong || Reference::Serves(form) || meaning_.inputs + meaning_.outputs == 2) return;
    step_ = meaning_.biased ? 32 : 8;
  }

  void Check(std::size_t i, Evaluation& at_x) {
    if (i >= kAlways && i % step_ != 0) return;
    const std::vector<double> numbers = Numbers(what_.dtype, inputs_, i);
    if (!meaning_.biased) return CheckAt(i, at_x, numbers);
    Evaluation at_sum = EvaluationAt(what_.function, params_, meaning_, numbers);
    CheckAt(i, at_sum, numbers);
  }

 private:
  void CheckAt(std::size_t i, Evaluation& evaluation, std::span<const double> numbers) {
    for (std::size_t o = 0; o < meaning_.outputs; ++o) {
      const Output& output = meaning_.output[o];
      const Bits got = got_[o][i];
      if (bound_ == 0.5) {
        if (got == evaluation.Rounded(output, what_.dtype, numbers)) continue;
      } else if (UlpError(what_.dtype, got, evaluation.Exact(output, numbers)) <= bound_) {
        continue;
      }
      const double error = UlpError(what_.dtype, got, evaluation.Exact(output, numbers));
      failures_.Add(HexOf(form_, inputs_, i) + ": output " + std::to_string(o) + ", got " + Hex(got) + ", want " +
                    Hex(evaluation.Rounded(output, what_.dtype, numbers)) + ", " + std::to_string(error) + " ULP");
    }
  }

  static constexpr std::size_t kAlways = 64;  // special numbers come first

  What what_;
  gelu_form form_;
  const Meaning& meaning_;
  gelu_params params_;
  const Arrays& inputs_;
  double bound_;
  Arrays got_;
  std::size_t step_ = 1;  // of products and of several outputs one input of so many is checked
  Failures failures_;
};

// Checkers whose first input is x.
void CheckEach(const What& what, std::list<Checker>& checkers, const Array& x, double clip = kNoClip) {
  ParallelFor(x.size(), [&](std::size_t i) {
    Evaluation evaluation(what.function, ParamsOf(what.alpha, clip), ToDouble(what.dtype, x[i]));
    for (Checker& checker : checkers) checker.Check(i, evaluation);
  });
}

// All forms at the given inputs. One evaluation of the oracle serves them all.
void CheckAll(const What& what, const std::vector<Bits>& x, double clip = kNoClip) {
  const Arrays inputs = Operands(what.dtype, x, x.size());
  std::list<Checker> checkers;
  for (const gelu_form form : Forms()) checkers.emplace_back(what, form, inputs, clip);
  CheckEach(what, checkers, inputs.front(), clip);
}

// All forms of more than one input: the second is each of the given numbers, the third another of them.
void CheckFactors(const What& what, const std::vector<Bits>& x, const std::vector<Bits>& factors) {
  std::list<Arrays> inputs;
  std::list<Checker> checkers;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    inputs.push_back({Array(what.dtype, x)});
    for (std::size_t j = 0; j + 1 < kMostInputs; ++j) {
      inputs.back().emplace_back(what.dtype, std::vector<Bits>(x.size(), factors[(k + 4 * j) % factors.size()]));
    }
    for (const gelu_form form : Forms()) {
      if (gelu_form_inputs(form) > 1) checkers.emplace_back(what, form, inputs.back());
    }
  }
  CheckEach(what, checkers, inputs.front().front());
}

std::vector<Bits> AllPatterns() {
  std::vector<Bits> all(0x10000);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

std::vector<Bits> Join(std::vector<Bits> a, const std::vector<std::vector<Bits>>& others) {
  for (const std::vector<Bits>& b : others) a.insert(a.end(), b.begin(), b.end());
  return a;
}

// ---- 16 bits: every input ----

class SixteenBits : public testing::TestWithParam<What> {};
INSTANTIATE_TEST_SUITE_P(Family, SixteenBits, testing::ValuesIn(Everything(2)), TestName);

TEST_P(SixteenBits, EveryInputIsCorrectlyRounded) { CheckAll(GetParam(), AllPatterns()); }

TEST_P(SixteenBits, EveryInputIsCorrectlyRoundedWithAlpha1702) {
  What what = GetParam();
  what.alpha = 1.702;
  CheckAll(what, AllPatterns());
}

TEST_P(SixteenBits, EveryInputTimesEachFactor) {
  const Format format = FormatOf(GetParam().dtype);
  const Bits one = RoundTo(GetParam().dtype, Real(53, 1.0));
  CheckFactors(GetParam(), AllPatterns(),
               {one, one | format.Sign(), one + 1, one - 1, Bits{0}, format.Sign(), Bits{1}, Bits{3},
                format.Infinity() - 1, format.Infinity(), format.Nan()});
}

// ---- 32 and 64 bits: samples ----

class WideFormats : public testing::TestWithParam<What> {
 protected:
  // Up to a quarter of a million inputs; the landmarks are those of the given alpha.
  std::vector<Bits> Inputs(double alpha, int divisor = 1) const {
    const What what = GetParam();
    const bool is_double = what.dtype == gelu_dtype_f64;
    const int per_binade = is_double ? 16 : 64;
    return Join(Specials(what.dtype),
                {Landmarks(what.function, what.dtype, alpha, 64),
                 Landmarks(what.function, what.dtype, alpha, 16, 3, kDerivatives),
                 Binades(what.dtype, alpha, per_binade / divisor, (is_double ? 4096 : 2048) / divisor, 3)});
  }
};
std::vector<What> WideOnes() {
  std::vector<What> all = Everything(4);
  for (const What& what : Everything(8)) all.push_back(what);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Family, WideFormats, testing::ValuesIn(WideOnes()), TestName);

TEST_P(WideFormats, AreWithinTheBound) { CheckAll(GetParam(), Inputs(1.0)); }

TEST_P(WideFormats, AreWithinTheBoundWithAlpha1702) {
  What what = GetParam();
  what.alpha = 1.702;
  CheckAll(what, Inputs(what.alpha, 8));
}

// Rows serve alphas in this range, with alpha x as a sum of two numbers.
TEST_P(WideFormats, AreWithinTheBoundForAlphasThatRowsServe) {
  What what = GetParam();
  std::mt19937_64 random(31);
  std::uniform_real_distribution<double> exponent(-10.0, 10.0);
  for (int i = 0; i < 16; ++i) {
    what.alpha = std::copysign(std::exp2(exponent(random)), i % 4 ? 1.0 : -1.0);
    SCOPED_TRACE("alpha " + Text(what.alpha));
    CheckAll(what, Inputs(what.alpha, 64));
  }
}

// Next to a root f' is small: its product with a small gradient may be where a product of parts loses bits, and with a
// zero where a sum of parts loses the sign.
TEST_P(WideFormats, FactorsNextToTheRoots) {
  const What what = GetParam();
  const Format format = FormatOf(what.dtype);
  std::vector<Bits> factors = {0, format.Sign(), 1, format.Infinity() - 1, format.Infinity(), format.Nan()};
  for (Bits exponent = 1; exponent < format.Infinity() / 16; exponent += format.Infinity() / 64 / 7) {
    factors.push_back(exponent | 0x12345);
  }
  CheckFactors(what, Landmarks(what.function, what.dtype, 1.0, 16), factors);
}

// ---- All types ----

class AllFormats : public testing::TestWithParam<What> {};
INSTANTIATE_TEST_SUITE_P(Family, AllFormats, testing::ValuesIn(Everything()), TestName);

std::vector<double> Alphas() {
  std::vector<double> alphas = {0.0,
                                -1.0,
                                -1.702,
                                0.5,
                                0x1p-10,
                                0x1.fffffffffffffp-11,
                                0x1.0000000000001p10,
                                0x1p10,
                                1e-300,
                                1e300,
                                0x1p-1074,
                                -0x1.fffffffffffffp1023};
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 6; ++i) alphas.push_back(normal(random));
  return alphas;
}

TEST_P(AllFormats, AreWithinTheBoundForEveryAlpha) {
  What what = GetParam();
  for (const double alpha : Alphas()) {
    what.alpha = alpha;
    std::vector<Bits> inputs = Join(Specials(what.dtype), {Binades(what.dtype, alpha, 0, 32, 7)});
    if (alpha != 0.0) inputs = Join(inputs, {Landmarks(what.function, what.dtype, alpha, 4, 0, kDerivatives)});
    CheckAll(what, inputs);
  }
}

TEST_P(AllFormats, AreWithinTheBoundWithClip) {
  const What what = GetParam();
  const std::vector<Bits> inputs = Join(Specials(what.dtype), {Binades(what.dtype, 1.0, 2, 64, 11)});
  for (const double clip : {10.0, 0.125, 0.1, 1e-30, 1e30}) {
    SCOPED_TRACE("clip " + Text(clip));
    CheckAll(what, inputs, clip);
  }
}

// The clip is the value at some input, rounded: whether the real value lies beyond is decided by what rounding took.
TEST_P(AllFormats, DerivativesEndWhereTheValueMeetsTheClip) {
  const What what = GetParam();
  std::mt19937_64 random(29);
  std::uniform_real_distribution<double> uniform(0.25, 4.0);
  for (int i = 0; i < 64; ++i) {
    const Bits x = RoundTo(what.dtype, Real(53, i % 2 ? uniform(random) : -uniform(random)));
    const double value = ToDouble(what.dtype, x);
    double clip = 0;
    ASSERT_EQ(gelu_forward(what.function, gelu_dtype_f64, 1.0, &value, &clip, 1), GELU_OK);
    if (clip == 0) continue;
    CheckAll(what, {x - 1, x, x + 1, x ^ FormatOf(what.dtype).Sign()}, std::abs(clip));
  }
}

TEST_P(AllFormats, AreTheSameOnAllTargets) {
  What what = GetParam();
  std::mt19937_64 random(13);
  std::vector<Bits> patterns(1 << 16);
  const Format format = FormatOf(what.dtype);
  for (Bits& x : patterns) x = random() & (format.Sign() | (format.Sign() - 1));
  const Arrays many = Operands(what.dtype, Join(patterns, {Binades(what.dtype, 1.0, 8, 512, 17)}), 19);
  patterns.resize(1 << 13);
  const Arrays few = Operands(what.dtype, Join(patterns, {Binades(what.dtype, 1.0, 1, 64, 17)}), 19);
  std::vector<double> alphas = Alphas();
  alphas.insert(alphas.end(), {1.0, 1.702});
  for (const double alpha : alphas) {
    what.alpha = alpha;
    for (const gelu_form form : Forms()) ApplyEverywhere(what, form, Reference::Serves(form) ? many : few);
  }
}

// The largest error that the bound allows for a result, in units of one.
double Slack(const What& what, gelu_form form, Bits got) {
  const Format format = FormatOf(what.dtype);
  const double above = ToDouble(what.dtype, std::min(format.Magnitude(got) + 1, format.Infinity() - 1));
  return std::ldexp(MaxUlp(form, what.dtype), static_cast<int>(UlpExponent(format, std::ilogb(above))));
}

// f(x) - f(-x) = x and f'(x) + f'(-x) = 1; f'' and df/dalpha are even, f''' is odd.
TEST_P(AllFormats, HoldTheIdentities) {
  const What what = GetParam();
  const Format format = FormatOf(what.dtype);
  std::vector<Bits> inputs =
      Join(Landmarks(what.function, what.dtype, 1.0, 64, 0, kDerivatives), {Binades(what.dtype, 1.0, 2, 256, 23)});
  std::erase_if(inputs, [&](Bits x) { return format.Magnitude(x) >= format.Infinity(); });
  const Array x(what.dtype, inputs);
  for (Bits& input : inputs) input ^= format.Sign();
  const Array minus_x(what.dtype, inputs);
  const auto holds = [&](gelu_form form, int derivative, Bits at, Bits y, Bits other) {
    if (derivative == 3) return y == (other ^ format.Sign()) || (y == 0 && other == 0);  // an exact zero
    if (derivative >= 2) return y == other;
    Real difference(2200, ToDouble(what.dtype, y));  // exact
    const double minus = ToDouble(what.dtype, other);
    mpfr_add_d(difference.get(), difference.get(), derivative == 0 ? -minus : minus, MPFR_RNDN);
    mpfr_sub_d(difference.get(), difference.get(), derivative == 0 ? ToDouble(what.dtype, at) : 1.0, MPFR_RNDN);
    return std::abs(difference.ToDouble()) <= Slack(what, form, y) + Slack(what, form, other);
  };
  for (const gelu_form form : Forms(1)) {
    const Arrays y = ApplyEverywhere(what, form, {x}), other = ApplyEverywhere(what, form, {minus_x});
    for (std::size_t o = 0; o < y.size(); ++o) {
      Failures failures(Describe(what, form, o));
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (holds(form, OutputsOf(form)[o].derivative, x[i], y[o][i], other[o][i])) continue;
        failures.Add("x " + Hex(x[i]) + ": " + Hex(y[o][i]) + " and " + Hex(other[o][i]));
      }
    }
  }
}

// Where f falls from zero to its minimum and from there on rises back to zero, neighbouring inputs keep the order.
TEST_P(AllFormats, FormANeverTurningTail) {
  const What what = GetParam();
  const Format format = FormatOf(what.dtype);
  std::vector<Bits> inputs;
  for (const double start :
       {-1.5, -2.0, -3.0, -4.0, -5.0, -5.5, -6.0, -8.0, -10.5, -13.0, -14.25, -20.0, -37.5, -38.5}) {
    const Bits first = RoundTo(what.dtype, Real(53, start));
    for (Bits i = 0; i < 2048 && format.Magnitude(first + i) <= format.Infinity(); ++i) inputs.push_back(first + i);
  }
  const Array x(what.dtype, inputs);
  const Array y = ApplyEverywhere(what, gelu_form_forward, {x}).front();
  Failures failures(Describe(what, gelu_form_forward));
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (x[i] == x[i - 1] + 1 && format.Magnitude(y[i]) > format.Magnitude(y[i - 1])) {
      failures.Add(Hex(x[i - 1]) + ": " + Hex(y[i - 1]) + ", then " + Hex(y[i]));
    }
  }
}

}  // namespace
}  // namespace gelu::proof
