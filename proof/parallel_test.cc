// SPDX-License-Identifier: Apache-2.0
// gelu::parallel: the bits of one call whatever the executor does, one task for each part, refusals before any of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "gelu/gelu.hpp"
#include "gelu/threads.hpp"

namespace {

using gelu::Form;
using gelu::Function;

constexpr std::size_t kLength = 300'007;  // several tasks, the last of them short

std::vector<float> Inputs(float scale) {
  std::vector<float> x(kLength);
  for (std::size_t i = 0; i < kLength; ++i) x[i] = scale * (static_cast<float>(i * 7919 % kLength) / kLength - 0.5F);
  return x;
}

class Parallel : public testing::Test {
 protected:
  // Every form, by run and by one call.
  template <class Executor>
  void ExpectTheSameBits(Executor&& run) const {
    std::vector<float> want(kLength);
    std::vector<float> got(kLength);
    const auto expect = [&](const char* form) {
      EXPECT_EQ(std::memcmp(got.data(), want.data(), kLength * sizeof(float)), 0) << form;
      std::ranges::fill(got, 7.0F);
    };
    gelu::forward(Function::gelu, x_, want);
    gelu::parallel(run, Form::forward, Function::gelu, x_, got);
    expect("forward");
    gelu::derivative(Function::gelu, x_, want);
    gelu::parallel(run, Form::derivative, Function::gelu, x_, got);
    expect("derivative");
    gelu::second_derivative(Function::silu, x_, want, {.alpha = 1.702});
    gelu::parallel(run, Form::second_derivative, Function::silu, x_, got, {.alpha = 1.702});
    expect("second_derivative");
    gelu::backward(Function::gelu_tanh, x_, dy_, want, {.clip = 3});
    gelu::parallel(run, Form::backward, Function::gelu_tanh, x_, dy_, got, {.clip = 3});
    expect("backward");
  }

  const std::vector<float> x_ = Inputs(30);
  const std::vector<float> dy_ = Inputs(2);
};

TEST_F(Parallel, AnyExecutorGivesTheSameBits) {
  ExpectTheSameBits([](std::size_t n, auto task) {
    for (std::size_t i = 0; i < n; ++i) task(i);
  });
  ExpectTheSameBits([](std::size_t n, auto task) {
    for (std::size_t i = n; i-- > 0;) task(i);
  });
  ExpectTheSameBits([](std::size_t n, auto task) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < n; ++i) threads.emplace_back(task, i);
  });
}

TEST_F(Parallel, AnyNumberOfThreadsGivesTheSameBits) {
  for (const unsigned count : {0U, 1U, 2U, 3U, 64U}) ExpectTheSameBits(gelu::Threads(count));
}

// Dropout included, whose words go by the index in the whole array.
TEST_F(Parallel, EveryFormWithAllParametersGivesTheBitsOfOneCall) {
  const gelu::Params params{.alpha = 1.702,
                            .gate = gelu::Gate{.gate_max = 5, .linear_max = 6, .linear_offset = 1},
                            .dropout = gelu::Dropout{.p = 0.25, .seed = 7, .stream = 3, .first = 5},
                            .ceiling = 1.5};
  const std::vector<float> x[] = {x_, dy_, Inputs(3)};
  const auto check = [&]<std::size_t... I, std::size_t... O>(Form form, std::index_sequence<I...>,
                                                             std::index_sequence<O...>) {
    std::vector<std::vector<float>> want(sizeof...(O), std::vector<float>(kLength));
    auto got = want;
    gelu::apply(form, Function::silu, gelu::in(x[I]...), gelu::out(want[O]...), params);
    gelu::parallel(gelu::Threads(2), form, Function::silu, gelu::in(x[I]...), gelu::out(got[O]...), params);
    EXPECT_TRUE(got == want) << static_cast<int>(form);
  };
#define GELU_FORM(name, inputs, outputs, meaning) \
  check(Form::name, std::make_index_sequence<inputs>(), std::make_index_sequence<outputs>());
  GELU_FORMS(GELU_FORM)
#undef GELU_FORM
  std::vector<float> y(kLength);
  gelu::parallel(gelu::Threads(2), Form::forward, Function::silu, x_, y, params);
  const auto zeros = static_cast<double>(std::ranges::count(std::span(y).last(kLength / 2), 0.0F));
  EXPECT_NEAR(zeros, 0.25 * kLength / 2, 1000) << "something is dropped, also in the last tasks";
}

TEST_F(Parallel, TypesMayDiffer) {
  std::vector<gelu::bf16> want(kLength), got(kLength);
  std::vector<double> want_db(kLength), got_db(kLength);
  const auto in = gelu::in(x_, want_db, dy_);
  gelu::apply(Form::bias_backward, Function::gelu, in, gelu::out(want));
  gelu::parallel(gelu::Threads(2), Form::bias_backward, Function::gelu, in, gelu::out(got));
  EXPECT_EQ(std::memcmp(got.data(), want.data(), kLength * sizeof(gelu::bf16)), 0);
  gelu::apply(Form::value_and_derivative, Function::gelu, gelu::in(x_), gelu::out(want, want_db));
  gelu::parallel(gelu::Threads(2), Form::value_and_derivative, Function::gelu, gelu::in(x_), gelu::out(got, got_db));
  EXPECT_EQ(std::memcmp(got.data(), want.data(), kLength * sizeof(gelu::bf16)), 0);
  EXPECT_EQ(got_db, want_db);
}

TEST_F(Parallel, InPlace) {
  std::vector<float> want(kLength);
  gelu::forward(Function::gelu, x_, want);
  std::vector<float> x = x_;
  gelu::parallel(gelu::Threads(2), Form::forward, Function::gelu, x, x);
  EXPECT_EQ(x, want);
}

TEST_F(Parallel, ShortArraysDoNotReachTheExecutor) {
  const auto never = [](std::size_t n, const auto&) { FAIL() << n; };
  std::array<double, 3> x{-1, 0, 1};
  std::array<double, 3> want{};
  gelu::forward(Function::gelu, x, want);
  gelu::parallel(never, Form::forward, Function::gelu, x, x);
  EXPECT_EQ(x, want);
  std::vector<double> none;
  gelu::parallel(never, Form::forward, Function::gelu, none, none);
}

TEST_F(Parallel, RefusesBeforeAnythingIsWritten) {
  const auto never = [](std::size_t n, const auto&) { FAIL() << n; };
  std::vector<float> y(kLength, 7.0F);
  const std::span all(y);
  const auto thrown = [&](auto&&... arguments) -> std::string {
    try {
      gelu::parallel(never, arguments...);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing thrown";
  };
  EXPECT_EQ(thrown(Form::forward, Function::gelu, all.first(kLength - 1), all.last(kLength - 1)),
            gelu_status_message(GELU_ERROR_OVERLAP));
  EXPECT_EQ(thrown(Form::gated, Function::gelu, gelu::in(x_, dy_), gelu::out(all.first(2))),
            "gelu: size: a has 300007 elements and y has 2; give arrays of one length");
  EXPECT_EQ(thrown(Form::value_and_derivative, Function::gelu, gelu::in(x_), gelu::out(y, y)),
            gelu_status_message(GELU_ERROR_OVERLAP));
  EXPECT_EQ(thrown(Form::forward, Function::gelu, x_, y, gelu::Params{.dropout = gelu::Dropout{.p = -1}}),
            gelu_status_message(GELU_ERROR_DROPOUT));
  EXPECT_EQ(thrown(Form::forward, Function(99), x_, y), gelu_status_message(GELU_ERROR_FUNCTION));
  EXPECT_EQ(thrown(Form(99), Function::gelu, x_, y), gelu_status_message(GELU_ERROR_FORM));
  EXPECT_EQ(thrown(Form::forward, Function::gelu, x_, y, gelu::Params{.clip = -1}),
            gelu_status_message(GELU_ERROR_CLIP));
  EXPECT_EQ(thrown(Form::backward, Function::gelu, x_, y),
            "gelu: form: backward reads 2 and writes 1 arrays, and 1 and 1 are given; "
            "give those of x, dy -> dx = dy * f'(x)");
  EXPECT_EQ(thrown(Form::forward, Function::gelu, x_, dy_, y),
            "gelu: form: forward reads 1 and writes 1 arrays, and 2 and 1 are given; give those of x -> y = f(x)");
  EXPECT_EQ(thrown(Form::forward, Function::gelu, x_, all.first(2)),
            "gelu: size: x has 300007 elements and y has 2; give arrays of one length");
  EXPECT_EQ(y, std::vector<float>(kLength, 7.0F));
}

TEST(ThreadsTest, RunsEachTaskOnceAndNoMoreThreadsThanAsked) {
  for (const unsigned count : {1U, 2U, 5U}) {
    const gelu::Threads threads(count);
    for (const std::size_t n_tasks : {0, 1, 2, 100}) {
      std::vector<std::thread::id> by(n_tasks);
      std::vector<int> calls(n_tasks);
      threads(n_tasks, [&](std::size_t i) {
        ++calls[i];
        by[i] = std::this_thread::get_id();
      });
      EXPECT_EQ(calls, std::vector<int>(n_tasks, 1));
      EXPECT_LE(std::set(by.begin(), by.end()).size(), count);
    }
  }
  EXPECT_GE(gelu::Threads().count(), 1U);
}

}  // namespace
