// SPDX-License-Identifier: Apache-2.0
// The library is a guest in the host's process: it raises no flags, leaves the control word alone and does not depend
// on it, and may be called first from two threads at once or after a fork.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <cstdlib>
#include <thread>

#include "proof/control_word.h"
#include "proof/sample.h"
#include "proof/walk.h"

namespace gelu::proof {
namespace {

using Bits = std::uint64_t;
constexpr int kAskedFor = FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO;

class Environment : public testing::TestWithParam<What> {
 protected:
  Environment() {
    const Format format = FormatOf(dtype());
    std::vector<Bits> inputs = Binades(dtype(), 1.0, 2, 16, 31);
    for (const Bits x : Specials(dtype())) inputs.push_back(x);
    for (const Bits x : Landmarks(GetParam().function, dtype(), 1.0, 3)) inputs.push_back(x);
    std::erase_if(inputs, [&](Bits x) { return format.Magnitude(x) >= format.Infinity(); });
    std::vector<Bits> gradients;
    for (std::size_t i = 0; i < inputs.size(); ++i) {  // products stay finite, and sums
      gradients.push_back(RoundTo(dtype(), Real(53, std::ldexp(i % 2 ? 0.75 : -0.625, -static_cast<int>(i % 12)))));
    }
    in_ = {Array(dtype(), inputs), Array(dtype(), gradients), Array(dtype(), gradients)};
    static_assert(kMostInputs == 3);
  }

  gelu_dtype dtype() const { return GetParam().dtype; }

  Arrays Call(gelu_form form, const Arrays& in, double alpha = 1.0) const {
    return Apply(GetParam().function, form, ParamsOf(alpha), dtype(), in);
  }

  void ExpectNoFlags(gelu_form form, const Arrays& in, double alpha, const char* inputs) const {
    const ScopedFloatingPoint restore;
    const auto flags = [&](const Arrays& some) {
      std::feclearexcept(FE_ALL_EXCEPT);
      Call(form, some, alpha);
      return std::fetestexcept(kAskedFor);
    };
    for (const char* target : Targets()) {
      const ScopedTarget scoped(target);
      const int raised = flags(in);
      if (raised == 0) continue;
      std::string alone = "none of them alone";
      for (std::size_t i = 0; i < in.front().size(); ++i) {
        Arrays one;
        for (const Array& input : in) one.emplace_back(dtype(), std::vector<Bits>{input[i]});
        if (flags(one) != 0) alone = "by " + HexOf(form, in, i) + " alone";
      }
      ADD_FAILURE() << Describe({GetParam().function, dtype(), alpha}, form, target) << ", " << inputs << ": flags "
                    << raised << " raised, " << alone;
    }
  }

  // The same inputs, with every third one replaced.
  Arrays WithNeighbours(Bits neighbour) const {
    Arrays in = in_;
    for (std::size_t i = 0; i < in.front().size(); i += 3) in.front().Set(i, neighbour);
    return in;
  }

  Arrays in_;
};
INSTANTIATE_TEST_SUITE_P(Family, Environment, testing::ValuesIn(Everything()), TestName);

TEST_P(Environment, NoFlagsForFiniteInputsWhateverTheirNeighbours) {
  const Format format = FormatOf(dtype());
  for (const double alpha : {1.0, 1.702, -0.5, 0.0}) {
    for (const gelu_form form : Forms()) {
      // With alpha = 0 no gate keeps x^2 in range.
      if (alpha == 0 && OutputsOf(form)[0].derivative == kAlphaDerivative) continue;
      ExpectNoFlags(form, in_, alpha, "finite");
      ExpectNoFlags(form, WithNeighbours(format.Nan()), alpha, "beside NaN");
      ExpectNoFlags(form, WithNeighbours(format.Infinity()), alpha, "beside inf");
      ExpectNoFlags(form, WithNeighbours(format.Infinity() | format.Sign()), alpha, "beside -inf");
    }
  }
}

TEST_P(Environment, NoFlagsForExtremeAlpha) {  // alpha x overflows and underflows; alpha in f'' would by itself
  for (const gelu_form form : Forms()) {
    const auto outputs = OutputsOf(form);
    if (std::any_of(outputs.begin(), outputs.end(), [](const Output& output) { return output.derivative > 1; }))
      continue;
    for (const double alpha : {1e300, -1e300, 1e-300, 0x1p-1074}) ExpectNoFlags(form, in_, alpha, "finite");
  }
}

TEST_P(Environment, FlagsOfTheHostStay) {
  const ScopedFloatingPoint restore;
  for (const char* target : Targets()) {
    const ScopedTarget scoped(target);
    for (const gelu_form form : Forms()) {
      for (const int rounding : {FE_TONEAREST, FE_UPWARD}) {
        std::fesetround(rounding);
        std::feclearexcept(FE_ALL_EXCEPT);
        std::feraiseexcept(FE_DIVBYZERO);
        Call(form, in_);
        EXPECT_EQ(std::fetestexcept(kAskedFor), FE_DIVBYZERO) << Describe(GetParam(), form, target);
        std::fesetround(FE_TONEAREST);
      }
    }
  }
}

TEST_P(Environment, ControlWordNeitherMattersNorChanges) {
  const ScopedFloatingPoint restore;
  const std::uint64_t usual = ControlWord();
  for (const char* target : Targets()) {
    const ScopedTarget scoped(target);
    for (const gelu_form form : Forms()) {
      const Arrays expected = Call(form, in_);
      for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        for (const bool flush : {false, true}) {
          for (const bool traps : {false, true}) {
            std::fesetround(rounding);
            std::feclearexcept(FE_ALL_EXCEPT);
            const std::uint64_t rounded = ControlWord() | (flush ? kFlush : 0);
            const std::uint64_t set = traps ? WithTraps(rounded) : rounded;
            SetControlWord(set);
            const std::uint64_t before = ControlWord();  // not every processor can trap
            const Arrays got = Call(form, in_);
            const std::uint64_t after = ControlWord();
            SetControlWord(usual);
            EXPECT_EQ(after, before) << Describe(GetParam(), form, target);
            EXPECT_TRUE(got == expected) << Describe(GetParam(), form, target) << " rounding " << rounding << " flush "
                                         << flush << " traps " << traps;
          }
        }
      }
    }
  }
}

TEST(Parameters, AreCheckedWhateverTheControlWord) {
  const ScopedFloatingPoint restore;
  const std::uint64_t usual = ControlWord();
  const auto status = [&](double clip, std::uint64_t word) {
    const gelu_params params = ParamsOf(1.0, clip);
    const double x = 1.0;
    double y = 0.0;
    const void* in[] = {&x};
    void* out[] = {&y};
    std::feclearexcept(FE_ALL_EXCEPT);
    SetControlWord(word);
    const gelu_status result = gelu_apply(Functions().front(), gelu_form_forward, gelu_dtype_f64, &params, in, out, 1);
    SetControlWord(usual);
    return result;
  };
  for (const std::uint64_t word : {usual, usual | kFlush, WithTraps(usual)}) {
    EXPECT_EQ(status(0x1p-1074, word), GELU_OK) << word;
    EXPECT_EQ(status(std::nan(""), word), GELU_ERROR_CLIP) << word;
    EXPECT_EQ(status(-0.0, word), GELU_ERROR_CLIP) << word;
  }
  std::feclearexcept(FE_ALL_EXCEPT);
  status(std::nan(""), usual);
  EXPECT_EQ(std::fetestexcept(FE_INVALID), 0);
}

// The bits of f(x) for x = -1 of each function, as one number.
std::uint64_t Fingerprint() {
  std::uint64_t sum = 0;
  for (const gelu_function function : Functions()) {
    const double x = -1.0;
    double y = 0.0;
    if (gelu_forward(function, gelu_dtype_f64, 1.0, &x, &y, 1) != GELU_OK) return 0;
    sum = 31 * sum + std::bit_cast<std::uint64_t>(y);
  }
  return sum;
}

TEST(Process, FirstCallFromTwoThreadsAtOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fresh process
  const auto race = [] {
    std::atomic<int> waiting{2};
    std::uint64_t prints[2] = {0, 1};
    const auto run = [&](std::uint64_t& print) {
      --waiting;
      while (waiting > 0) {
      }
      print = Fingerprint();
    };
    std::thread first(run, std::ref(prints[0])), second(run, std::ref(prints[1]));
    first.join();
    second.join();
    return prints[0] != 0 && prints[0] == prints[1] && prints[0] == Fingerprint();
  };
  EXPECT_EXIT(std::exit(race() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST(Process, CallsWorkInTheChildOfAFork) {
  const std::uint64_t parent = Fingerprint();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(Fingerprint() == parent ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace gelu::proof
