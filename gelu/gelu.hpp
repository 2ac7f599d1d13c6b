// SPDX-License-Identifier: Apache-2.0
//
// gelu: the GELU family of activation functions. Door 2: C++20 over door 1 (gelu/gelu.h), header-only.
//
//   std::vector<float> x = ..., y(x.size());
//   gelu::forward(gelu::Function::gelu, x, y);                             // y[i] = x[i] Phi(x[i])
//   gelu::backward(gelu::Function::silu, x, dy, dx, {.alpha = 1.702});     // dx[i] = dy[i] f'(x[i])
//   gelu::gated(gelu::Function::silu, a, b, y);                            // y[i] = f(a[i]) b[i]
//   gelu::apply(form, function, gelu::in(x, dy), gelu::out(dx), params);   // any form, any types
//   double v = gelu::gelu_tanh(1.0);                                       // one value
//   auto [function, params] = gelu::resolve("gelu_new", "huggingface");    // what a framework means by a name
//
// The contract is that of gelu/gelu.h: f16 and bf16 correctly rounded (alpha 1 and 1.702; forms of several inputs at
// most 0.51 ULP), f32 and f64 at most 1 ULP, every input answered, the same bits on every machine. In place is allowed;
// arrays that overlap otherwise are refused.
//
// Every function throws std::invalid_argument, with a message that says what to do, where gelu.h gives a status other
// than GELU_OK or the arrays of one call differ in length; outputs are then untouched. Where exceptions are not wanted,
// gelu.h is the interface to use.
#ifndef GELU_GELU_HPP_
#define GELU_GELU_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gelu/arrays.hpp"
#include "gelu/gelu.h"

namespace gelu {

// ---- What can be asked for ----

// Function::gelu, Function::gelu_tanh, Function::silu, Function::relu: one per line of gelu/family.def.
enum class Function : int {
#define GELU_FUNCTION(name, Card, ...) name = gelu_fn_##name,
#include "gelu/family.def"
};

// Every function, to walk over.
inline constexpr std::array functions{
#define GELU_FUNCTION(name, Card, ...) Function::name,
#include "gelu/family.def"
};

// How a function is applied. Form::forward, Form::derivative, Form::gated, ...: those of gelu.h, which has their
// meanings.
enum class Form : int {
#define GELU_FORM(name, inputs, outputs, meaning) name = gelu_form_##name,
  GELU_FORMS(GELU_FORM)
#undef GELU_FORM
};

// Limits of a gated unit, y = f(min(a, gate_max)) * (max(-linear_max, min(b, linear_max)) + linear_offset).
struct Gate {
  double gate_max = std::numeric_limits<double>::infinity();
  double linear_max = std::numeric_limits<double>::infinity();
  double linear_offset = 0.0;
};

// Dropout of results: +0 with probability p, otherwise divided by 1 - p. Word first + i of the generator decides on
// element i.
struct Dropout {
  double p = 0.0;
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
  std::uint64_t first = 0;
};

// alpha: any finite number, taken exactly. clip: the value is limited to [-clip, clip]. gate: for Form::gated and
// Form::gated_backward. ceiling: the upper limit of the function's gate, which multiplies f and all its derivatives.
struct Params {
  double alpha = 1.0;
  double clip = std::numeric_limits<double>::infinity();
  std::optional<Gate> gate = std::nullopt;
  std::optional<Dropout> dropout = std::nullopt;
  double ceiling = 1.0;
};

// What a name of some framework means.
struct Activation {
  Function function;
  Params params;
};

namespace detail {

inline gelu_dropout ToC(const Dropout& random) { return {random.p, random.seed, random.stream, random.first}; }

// Params as door 1 takes them, for the elements from index `begin` on. They point into this object, which stays in
// place for as long as they are used.
class CParams {
 public:
  explicit CParams(const Params& params, std::size_t begin = 0) : ceiling_(params.ceiling) {
    c_.alpha = params.alpha;
    c_.clip = params.clip;
    if (params.gate) {
      gate_ = {params.gate->gate_max, params.gate->linear_max, params.gate->linear_offset};
      c_.gate = &gate_;
    }
    if (params.dropout) {
      dropout_ = ToC(*params.dropout);
      dropout_.first += begin;
      c_.dropout = &dropout_;
    }
    if (ceiling_ != 1.0) c_.ceiling = &ceiling_;
  }
  CParams(const CParams&) = delete;
  CParams& operator=(const CParams&) = delete;

  const gelu_params* get() const { return &c_; }

 private:
  gelu_gate gate_{};
  gelu_dropout dropout_{};
  double ceiling_;
  gelu_params c_{};
};

inline Params FromC(const gelu_params& c) {
  Params params{.alpha = c.alpha, .clip = c.clip};
  if (c.gate != nullptr) params.gate = {c.gate->gate_max, c.gate->linear_max, c.gate->linear_offset};
  if (c.dropout != nullptr) params.dropout = {c.dropout->p, c.dropout->seed, c.dropout->stream, c.dropout->first};
  if (c.ceiling != nullptr) params.ceiling = *c.ceiling;
  return params;
}

// Elements of one task: some 10 us of work, worth handing over, and still small against a core's cache.
inline constexpr std::size_t kTaskElements = std::size_t{1} << 16;

}  // namespace detail

// ---- Description ----

inline std::string_view name(Function function) {
  return detail::Text(gelu_function_name(static_cast<gelu_function>(function)));
}
inline std::string_view formula(Function function) {
  return detail::Text(gelu_function_formula(static_cast<gelu_function>(function)));
}

// ---- Arrays ----

// Any form: apply(Form::gated_backward, Function::silu, in(a, b, dy), out(da, db), params). Each array may have an
// element type of its own; results are rounded once, to theirs.
template <std::size_t kInputs, std::size_t kOutputs>
void apply(Form form, Function function, const Inputs<kInputs>& in, const Outputs<kOutputs>& out,
           const Params& params = {}) {
  const auto c_form = static_cast<gelu_form>(form);
  const std::size_t n = detail::CheckedLength(c_form, in, out);
  const detail::CParams c_params(params);
  detail::Check(gelu_apply_mixed(static_cast<gelu_function>(function), c_form, in.dtype.data(), out.dtype.data(),
                                 c_params.get(), in.data.data(), out.data.data(), n));
}

// The forms by name, with one element type for all arrays.

// y[i] = f(x[i])
template <Array X, OutputLike<X> Y>
void forward(Function function, X&& x, Y&& y, const Params& params = {}) {
  apply(Form::forward, function, in(x), out(y), params);
}

// y[i] = f'(x[i])
template <Array X, OutputLike<X> Y>
void derivative(Function function, X&& x, Y&& y, const Params& params = {}) {
  apply(Form::derivative, function, in(x), out(y), params);
}

// y[i] = f''(x[i])
template <Array X, OutputLike<X> Y>
void second_derivative(Function function, X&& x, Y&& y, const Params& params = {}) {
  apply(Form::second_derivative, function, in(x), out(y), params);
}

// y[i] = f(x[i]), y1[i] = f'(x[i]), and, if given, y2[i] = f''(x[i]), y3[i] = f'''(x[i])
template <Array X, OutputLike<X> Y, OutputLike<X> Y1>
void value_and_derivatives(Function function, X&& x, Y&& y, Y1&& y1, const Params& params = {}) {
  apply(Form::value_and_derivative, function, in(x), out(y, y1), params);
}
template <Array X, OutputLike<X> Y, OutputLike<X> Y1, OutputLike<X> Y2>
void value_and_derivatives(Function function, X&& x, Y&& y, Y1&& y1, Y2&& y2, const Params& params = {}) {
  apply(Form::value_and_two_derivatives, function, in(x), out(y, y1, y2), params);
}
template <Array X, OutputLike<X> Y, OutputLike<X> Y1, OutputLike<X> Y2, OutputLike<X> Y3>
void value_and_derivatives(Function function, X&& x, Y&& y, Y1&& y1, Y2&& y2, Y3&& y3, const Params& params = {}) {
  apply(Form::value_and_three_derivatives, function, in(x), out(y, y1, y2, y3), params);
}

// dx[i] = dy[i] * f'(x[i]), rounded once
template <Array X, Like<X> DY, OutputLike<X> DX>
void backward(Function function, X&& x, DY&& dy, DX&& dx, const Params& params = {}) {
  apply(Form::backward, function, in(x, dy), out(dx), params);
}

// gx[i] = dy[i] * ddx[i] * f''(x[i]), gdy[i] = ddx[i] * f'(x[i]): the gradients of backward, given that of its dx
template <Array X, Like<X> DY, Like<X> DDX, OutputLike<X> GX, OutputLike<X> GDY>
void double_backward(Function function, X&& x, DY&& dy, DDX&& ddx, GX&& gx, GDY&& gdy, const Params& params = {}) {
  apply(Form::double_backward, function, in(x, dy, ddx), out(gx, gdy), params);
}

// y[i] = f(x[i] + b[i]), the sum exact. For a bias shorter than x: bias_rows of gelu/strided.hpp.
template <Array X, Like<X> B, OutputLike<X> Y>
void bias(Function function, X&& x, B&& b, Y&& y, const Params& params = {}) {
  apply(Form::bias, function, in(x, b), out(y), params);
}

// dx[i] = dy[i] * f'(x[i] + b[i])
template <Array X, Like<X> B, Like<X> DY, OutputLike<X> DX>
void bias_backward(Function function, X&& x, B&& b, DY&& dy, DX&& dx, const Params& params = {}) {
  apply(Form::bias_backward, function, in(x, b, dy), out(dx), params);
}

// y[i] = f(a[i]) * b[i], limited as params.gate says. For a and b in one array: gated_rows of gelu/strided.hpp.
template <Array A, Like<A> B, OutputLike<A> Y>
void gated(Function function, A&& a, B&& b, Y&& y, const Params& params = {}) {
  apply(Form::gated, function, in(a, b), out(y), params);
}

// da[i] = b[i] * dy[i] * f'(a[i]), db[i] = dy[i] * f(a[i])
template <Array A, Like<A> B, Like<A> DY, OutputLike<A> DA, OutputLike<A> DB>
void gated_backward(Function function, A&& a, B&& b, DY&& dy, DA&& da, DB&& db, const Params& params = {}) {
  apply(Form::gated_backward, function, in(a, b, dy), out(da, db), params);
}

// sum[j] = x[j] + x[columns + j] + ..., x being rows of as many columns as sum has. Exact, rounded once, to sum's type.
template <Array X, OutputArray Y>
void sum_rows(X&& x, Y&& sum) {
  const Inputs<1> from = in(x);
  const Outputs<1> to = out(sum);
  const std::size_t n = from.size[0], columns = to.size[0];
  detail::CheckRows("x", n, "sum", columns);
  detail::Check(
      gelu_sum_rows(from.dtype[0], from.data[0], columns == 0 ? 0 : n / columns, columns, to.dtype[0], to.data[0]));
}

// y[i] = x[i] with probability gate(alpha x[i]), otherwise +0. Of `random`, p means nothing.
template <Array X, OutputLike<X> Y>
void stochastic(Function function, const Dropout& random, X&& x, Y&& y, double alpha = 1.0) {
  const std::size_t n = detail::CheckedLength(gelu_form_forward, in(x), out(y));
  const gelu_dropout c_random = detail::ToC(random);
  detail::Check(gelu_stochastic(static_cast<gelu_function>(function), dtype_of<std::ranges::range_value_t<X>>, alpha,
                                &c_random, std::ranges::data(x), std::ranges::data(y), n));
}

// y[i] = max(0, x[i] + e[i]), e[i] standard normal. Of `random`, p means nothing.
template <Array X, OutputLike<X> Y>
void noisy_relu(const Dropout& random, X&& x, Y&& y) {
  const std::size_t n = detail::CheckedLength(gelu_form_forward, in(x), out(y));
  const gelu_dropout c_random = detail::ToC(random);
  detail::Check(gelu_noisy_relu(dtype_of<std::ranges::range_value_t<X>>, &c_random, std::ranges::data(x),
                                std::ranges::data(y), n));
}

// ---- Arrays, by many threads ----

// The same, split among the threads of an executor: any callable run(n_tasks, task) that calls task(i) once for each i
// below n_tasks, on whichever threads and in whichever order, and returns when all have ended. task does not throw.
// gelu/threads.hpp has an executor. The bits depend neither on it nor on how it goes about it, with dropout too.

// Any form, as apply has it
template <class Executor, std::size_t kInputs, std::size_t kOutputs>
void parallel(Executor&& run, Form form, Function function, const Inputs<kInputs>& in, const Outputs<kOutputs>& out,
              const Params& params = {}) {
  const auto c_form = static_cast<gelu_form>(form);
  const auto c_function = static_cast<gelu_function>(function);
  const std::size_t n = detail::CheckedLength(c_form, in, out);
  detail::Check(gelu_check_mixed(c_function, c_form, in.dtype.data(), out.dtype.data(), detail::CParams(params).get(),
                                 in.data.data(), out.data.data(), n));
  const auto task = [&](std::size_t i) noexcept {
    const std::size_t begin = i * detail::kTaskElements;
    const detail::CParams c_params(params, begin);
    gelu_apply_mixed(c_function, c_form, in.dtype.data(), out.dtype.data(), c_params.get(), in.From(begin).data(),
                     out.From(begin).data(), std::min(detail::kTaskElements, n - begin));
  };
  const std::size_t n_tasks = n / detail::kTaskElements + (n % detail::kTaskElements != 0);
  if (n_tasks == 1) {
    task(0);
  } else if (n_tasks > 1) {
    run(n_tasks, task);
  }
}

// y[i] = f(x[i]), f'(x[i]) or f''(x[i]), as the form says
template <class Executor, Array X, OutputLike<X> Y>
void parallel(Executor&& run, Form form, Function function, X&& x, Y&& y, const Params& params = {}) {
  parallel(run, form, function, in(x), out(y), params);
}

// dx[i] = dy[i] * f'(x[i]), form being Form::backward
template <class Executor, Array X, Like<X> DY, OutputLike<X> DX>
void parallel(Executor&& run, Form form, Function function, X&& x, DY&& dy, DX&& dx, const Params& params = {}) {
  parallel(run, form, function, in(x, dy), out(dx), params);
}

// ---- One value: the same bits as in an array, at the price of a call for each value ----

namespace detail {

template <class T>
T Single(Form form, Function function, const Params& params, const T& x) {
  T y;
  apply(form, function, Inputs<1>{{&x}, {dtype_of<T>}, {1}}, Outputs<1>{{&y}, {dtype_of<T>}, {1}}, params);
  return y;
}

}  // namespace detail

template <Element T>
T value(Function function, T x, const Params& params = {}) {
  return detail::Single(Form::forward, function, params, x);
}

template <Element T>
T derivative(Function function, T x, const Params& params = {}) {
  return detail::Single(Form::derivative, function, params, x);
}

template <Element T>
T second_derivative(Function function, T x, const Params& params = {}) {
  return detail::Single(Form::second_derivative, function, params, x);
}

// gelu::gelu(x), gelu::gelu_tanh(x), gelu::silu(x, 1.702), ...: one per line of gelu/family.def.
#define GELU_FUNCTION(name, Card, ...)                       \
  template <Element T>                                       \
  T name(T x, double alpha = 1.0) {                          \
    return value(Function::name, x, Params{.alpha = alpha}); \
  }
#include "gelu/family.def"

// ---- Names ----

// What a framework ("torch", "jax", "huggingface", "onnx", ...; "" for any) means by a name. Throws with a message that
// lists what could be meant if the name is unknown, or if it means different functions in different frameworks.
inline Activation resolve(const std::string& name, const std::string& framework = "") {
  gelu_activation found;
  std::array<char, 4096> message{};
  const gelu_status status = gelu_resolve(name.c_str(), framework.empty() ? nullptr : framework.c_str(), &found,
                                          message.data(), message.size());
  if (status != GELU_OK && message[0] != '\0') throw std::invalid_argument(message.data());
  detail::Check(status);
  return {static_cast<Function>(found.function), detail::FromC(found.params)};
}

}  // namespace gelu

#endif  // GELU_GELU_HPP_
