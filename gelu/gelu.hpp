// SPDX-License-Identifier: Apache-2.0
//
// gelu: the GELU family of activation functions. Door 2: C++20 over door 1 (gelu/gelu.h), header-only.
//
//   std::vector<float> x = ..., y(x.size());
//   gelu::forward(gelu::Function::gelu, x, y);                             // y[i] = x[i] Phi(x[i])
//   gelu::backward(gelu::Function::silu, x, dy, dx, {.alpha = 1.702});     // dx[i] = dy[i] f'(x[i])
//   double v = gelu::gelu_tanh(1.0);                                       // one value
//   auto [function, params] = gelu::resolve("gelu_new", "huggingface");    // what a framework means by a name
//
// The contract is that of gelu/gelu.h: f16 and bf16 correctly rounded (alpha 1 and 1.702; backward at most 0.51 ULP),
// f32 and f64 at most 1 ULP, every input answered, the same bits on every machine. In place is allowed; arrays that
// overlap otherwise are refused.
//
// Every function throws std::invalid_argument, with a message that says what to do, where gelu.h gives a status other
// than GELU_OK or the arrays of one call differ in length; outputs are then untouched. Where exceptions are not wanted,
// gelu.h is the interface to use.
#ifndef GELU_GELU_HPP_
#define GELU_GELU_HPP_

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

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

// How a function is applied. Form::forward, Form::derivative, Form::second_derivative, Form::backward: those of gelu.h.
enum class Form : int {
#define GELU_FORM(name, inputs, outputs, meaning) name = gelu_form_##name,
  GELU_FORMS(GELU_FORM)
#undef GELU_FORM
};

// alpha: any finite number, taken exactly. clip: the value is limited to [-clip, clip].
struct Params {
  double alpha = 1.0;
  double clip = std::numeric_limits<double>::infinity();
};

// What a name of some framework means.
struct Activation {
  Function function;
  Params params;
};

// ---- 16-bit numbers ----

namespace detail {

// A binary floating-point number's bits in another format, rounded to nearest even. On integers alone, so that neither
// the host's rounding mode nor FTZ/DAZ has a say. A NaN keeps its sign and leading payload, and is made quiet.
struct Format {
  int exponent_bits;
  int fraction_bits;
};

constexpr std::uint64_t Convert(std::uint64_t bits, Format from, Format to) {
  const auto inf = [](Format f) { return ((std::uint64_t{1} << f.exponent_bits) - 1) << f.fraction_bits; };
  const auto min_exponent = [](Format f) { return 2 - (1 << (f.exponent_bits - 1)); };
  const std::uint64_t sign = bits >> (from.exponent_bits + from.fraction_bits) << (to.exponent_bits + to.fraction_bits);
  const std::uint64_t magnitude = bits & ((std::uint64_t{1} << (from.exponent_bits + from.fraction_bits)) - 1);
  if (magnitude > inf(from)) {
    const std::uint64_t payload = magnitude - inf(from);
    const int drop = from.fraction_bits - to.fraction_bits;
    return sign | inf(to) | std::uint64_t{1} << (to.fraction_bits - 1) |
           (drop > 0 ? payload >> drop : payload << -drop);
  }
  if (magnitude == inf(from)) return sign | inf(to);
  if (magnitude == 0) return sign;

  // The value is significand * 2^unit.
  const int field = static_cast<int>(magnitude >> from.fraction_bits);
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << from.fraction_bits) - 1);
  const std::uint64_t significand = field == 0 ? fraction : fraction | std::uint64_t{1} << from.fraction_bits;
  const int unit = std::max(field, 1) - 1 + min_exponent(from) - from.fraction_bits;

  const int exponent = std::max(unit + static_cast<int>(std::bit_width(significand)) - 1, min_exponent(to));
  if (exponent > 1 - min_exponent(to)) return sign | inf(to);
  const int drop = exponent - to.fraction_bits - unit;
  std::uint64_t rounded = 0;
  if (drop <= 0) {
    rounded = significand << -drop;
  } else if (drop < 64) {
    const std::uint64_t rest = significand & ((std::uint64_t{1} << drop) - 1);
    const std::uint64_t half = std::uint64_t{1} << (drop - 1);
    rounded = significand >> drop;
    rounded += rest > half || (rest == half && rounded % 2 == 1);
  }
  // A leading bit, or a carry out of the fraction, counts the exponent field up by one: into infinity if need be.
  return sign | ((static_cast<std::uint64_t>(exponent - min_exponent(to)) << to.fraction_bits) + rounded);
}

// Two bytes, trivially copyable, without arithmetic. From float and double with one correct rounding; back exactly.
template <int kExponentBits, int kFractionBits>
class Half {
 public:
  Half() = default;
  constexpr explicit Half(float value) : bits_(Narrow(Convert(std::bit_cast<std::uint32_t>(value), kF32, kThis))) {}
  constexpr explicit Half(double value) : bits_(Narrow(Convert(std::bit_cast<std::uint64_t>(value), kF64, kThis))) {}
  static constexpr Half from_bits(std::uint16_t bits) {
    Half half{};
    half.bits_ = bits;
    return half;
  }

  constexpr std::uint16_t bits() const { return bits_; }
  constexpr explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(Convert(bits_, kThis, kF32)));
  }
  constexpr explicit operator double() const { return std::bit_cast<double>(Convert(bits_, kThis, kF64)); }

 private:
  static constexpr Format kThis{kExponentBits, kFractionBits}, kF32{8, 23}, kF64{11, 52};
  static constexpr std::uint16_t Narrow(std::uint64_t bits) { return static_cast<std::uint16_t>(bits); }

  std::uint16_t bits_;
};

}  // namespace detail

using f16 = detail::Half<5, 10>;  // IEEE binary16
using bf16 = detail::Half<8, 7>;  // bfloat16, the upper half of binary32

// ---- Element types ----

// The element type behind a C++ type. Specialise it for another library's 16-bit type to pass arrays of that one:
//   template <> inline constexpr gelu_dtype gelu::dtype_of<Eigen::bfloat16> = gelu_dtype_bf16;
template <class T>
inline constexpr gelu_dtype dtype_of = gelu_dtype_count_;
template <>
inline constexpr gelu_dtype dtype_of<double> = gelu_dtype_f64;
template <>
inline constexpr gelu_dtype dtype_of<float> = gelu_dtype_f32;
template <>
inline constexpr gelu_dtype dtype_of<f16> = gelu_dtype_f16;
template <>
inline constexpr gelu_dtype dtype_of<bf16> = gelu_dtype_bf16;

template <class T>
concept Element = (dtype_of<T> != gelu_dtype_count_) && std::is_trivially_copyable_v<T>;

// A std::vector, std::array, std::span, C array, ... of elements.
template <class R>
concept Array =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && Element<std::ranges::range_value_t<R>>;

// An array of the same element type as X.
template <class R, class X>
concept Like = Array<R> && std::same_as<std::ranges::range_value_t<R>, std::ranges::range_value_t<X>>;

// The same, and writable.
template <class R, class X>
concept OutputLike = Like<R, X> && !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;

namespace detail {

inline void Check(gelu_status status) {
  if (status != GELU_OK) throw std::invalid_argument(gelu_status_message(status));
}

inline std::string_view Text(const char* text) {
  if (text == nullptr) Check(GELU_ERROR_FUNCTION);
  return text;
}

inline void CheckSize(std::string_view name, std::size_t size, std::size_t n) {
  if (size == n) return;
  throw std::invalid_argument("gelu: size: x has " + std::to_string(n) + " elements and " + std::string(name) +
                              " has " + std::to_string(size) + "; give arrays of one length");
}

inline void CheckInputs(gelu_form form, std::size_t inputs) {
  const std::size_t wanted = gelu_form_inputs(form);  // 0: no such form, which gelu_check tells
  if (wanted == inputs || wanted == 0) return;
  throw std::invalid_argument("gelu: form: " + std::string(gelu_form_name(form)) + " reads " + std::to_string(wanted) +
                              " arrays and " + std::to_string(inputs) + " are given; give x, and dy for backward");
}

template <std::size_t kInputs>
void Apply(gelu_form form, Function function, const Params& params, gelu_dtype dtype,
           const std::array<const void*, kInputs>& in, void* out, std::size_t n) {
  const gelu_params c_params{params.alpha, params.clip};
  Check(gelu_apply(static_cast<gelu_function>(function), form, dtype, &c_params, in.data(), &out, n));
}

// Elements of one task: some 10 us of work, worth handing over, and still small against a core's cache.
inline constexpr std::size_t kTaskElements = std::size_t{1} << 16;

template <std::size_t kInputs, class Executor>
void ApplyInTasks(Executor&& run, Form form, Function function, const Params& params, gelu_dtype dtype,
                  const std::array<const void*, kInputs>& in, void* out, std::size_t n) {
  const auto c_form = static_cast<gelu_form>(form);
  const auto c_function = static_cast<gelu_function>(function);
  const gelu_params c_params{params.alpha, params.clip};
  CheckInputs(c_form, kInputs);
  Check(gelu_check(c_function, c_form, dtype, &c_params, in.data(), &out, n));
  const auto task = [&](std::size_t i) noexcept {
    const std::size_t begin = i * kTaskElements, offset = begin * gelu_dtype_size(dtype);
    std::array<const void*, kInputs> from;
    for (std::size_t k = 0; k < kInputs; ++k) from[k] = static_cast<const std::byte*>(in[k]) + offset;
    void* const to = static_cast<std::byte*>(out) + offset;
    gelu_apply(c_function, c_form, dtype, &c_params, from.data(), &to, std::min(kTaskElements, n - begin));
  };
  const std::size_t n_tasks = n / kTaskElements + (n % kTaskElements != 0);
  if (n_tasks == 1) {
    task(0);
  } else if (n_tasks > 1) {
    run(n_tasks, task);
  }
}

template <class X, class Y>
void Unary(gelu_form form, Function function, const Params& params, X& x, Y& y) {
  const std::size_t n = std::ranges::size(x);
  CheckSize("y", std::ranges::size(y), n);
  Apply<1>(form, function, params, dtype_of<std::ranges::range_value_t<X>>, {std::ranges::data(x)},
           std::ranges::data(y), n);
}

template <class T>
T Single(gelu_form form, Function function, const Params& params, const T& x) {
  T y;
  Apply<1>(form, function, params, dtype_of<T>, {&x}, &y, 1);
  return y;
}

}  // namespace detail

// ---- Description ----

inline std::string_view name(Function function) {
  return detail::Text(gelu_function_name(static_cast<gelu_function>(function)));
}
inline std::string_view formula(Function function) {
  return detail::Text(gelu_function_formula(static_cast<gelu_function>(function)));
}

// ---- Arrays ----

// y[i] = f(x[i])
template <Array X, OutputLike<X> Y>
void forward(Function function, X&& x, Y&& y, Params params = {}) {
  detail::Unary(gelu_form_forward, function, params, x, y);
}

// y[i] = f'(x[i])
template <Array X, OutputLike<X> Y>
void derivative(Function function, X&& x, Y&& y, Params params = {}) {
  detail::Unary(gelu_form_derivative, function, params, x, y);
}

// y[i] = f''(x[i])
template <Array X, OutputLike<X> Y>
void second_derivative(Function function, X&& x, Y&& y, Params params = {}) {
  detail::Unary(gelu_form_second_derivative, function, params, x, y);
}

// dx[i] = dy[i] * f'(x[i]), rounded once
template <Array X, Like<X> DY, OutputLike<X> DX>
void backward(Function function, X&& x, DY&& dy, DX&& dx, Params params = {}) {
  const std::size_t n = std::ranges::size(x);
  detail::CheckSize("dy", std::ranges::size(dy), n);
  detail::CheckSize("dx", std::ranges::size(dx), n);
  detail::Apply<2>(gelu_form_backward, function, params, dtype_of<std::ranges::range_value_t<X>>,
                   {std::ranges::data(x), std::ranges::data(dy)}, std::ranges::data(dx), n);
}

// ---- Arrays, by many threads ----

// The same, split among the threads of an executor: any callable run(n_tasks, task) that calls task(i) once for each i
// below n_tasks, on whichever threads and in whichever order, and returns when all have ended. task does not throw.
// gelu/threads.hpp has an executor. The bits depend neither on it nor on how it goes about it.

// y[i] = f(x[i]), f'(x[i]) or f''(x[i]), as the form says
template <class Executor, Array X, OutputLike<X> Y>
void parallel(Executor&& run, Form form, Function function, X&& x, Y&& y, Params params = {}) {
  const std::size_t n = std::ranges::size(x);
  detail::CheckSize("y", std::ranges::size(y), n);
  detail::ApplyInTasks<1>(run, form, function, params, dtype_of<std::ranges::range_value_t<X>>, {std::ranges::data(x)},
                          std::ranges::data(y), n);
}

// dx[i] = dy[i] * f'(x[i]), form being Form::backward
template <class Executor, Array X, Like<X> DY, OutputLike<X> DX>
void parallel(Executor&& run, Form form, Function function, X&& x, DY&& dy, DX&& dx, Params params = {}) {
  const std::size_t n = std::ranges::size(x);
  detail::CheckSize("dy", std::ranges::size(dy), n);
  detail::CheckSize("dx", std::ranges::size(dx), n);
  detail::ApplyInTasks<2>(run, form, function, params, dtype_of<std::ranges::range_value_t<X>>,
                          {std::ranges::data(x), std::ranges::data(dy)}, std::ranges::data(dx), n);
}

// ---- One value: the same bits as in an array, at the price of a call for each value ----

template <Element T>
T value(Function function, T x, Params params = {}) {
  return detail::Single(gelu_form_forward, function, params, x);
}

template <Element T>
T derivative(Function function, T x, Params params = {}) {
  return detail::Single(gelu_form_derivative, function, params, x);
}

template <Element T>
T second_derivative(Function function, T x, Params params = {}) {
  return detail::Single(gelu_form_second_derivative, function, params, x);
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
  return {static_cast<Function>(found.function), {found.params.alpha, found.params.clip}};
}

}  // namespace gelu

#endif  // GELU_GELU_HPP_
