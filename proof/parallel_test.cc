// SPDX-License-Identifier: Apache-2.0
// gelu::parallel: the bits of one call whatever the executor does, one task for each part, refusals before any of them.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <span>
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
  EXPECT_EQ(thrown(Form::forward, Function(99), x_, y), gelu_status_message(GELU_ERROR_FUNCTION));
  EXPECT_EQ(thrown(Form(99), Function::gelu, x_, y), gelu_status_message(GELU_ERROR_FORM));
  EXPECT_EQ(thrown(Form::forward, Function::gelu, x_, y, gelu::Params{.clip = -1}),
            gelu_status_message(GELU_ERROR_CLIP));
  EXPECT_EQ(thrown(Form::backward, Function::gelu, x_, y),
            "gelu: form: backward reads 2 arrays and 1 are given; give x, and dy for backward");
  EXPECT_EQ(thrown(Form::forward, Function::gelu, x_, dy_, y),
            "gelu: form: forward reads 1 arrays and 2 are given; give x, and dy for backward");
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
