// SPDX-License-Identifier: Apache-2.0
// gelu: what gelu/gelu.hpp takes as arrays, and how many of them each form.
#ifndef GELU_ARRAYS_HPP_
#define GELU_ARRAYS_HPP_

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "gelu/gelu.h"
#include "gelu/half.hpp"

namespace gelu {

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

// An array that may be written to.
template <class R>
concept OutputArray = Array<R> && !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;
template <class R, class X>
concept OutputLike = Like<R, X> && OutputArray<R>;

namespace detail {

// The arrays of a call that are read (Void is const void) or written (void), without their types.
template <class Void, std::size_t kCount>
struct Arrays {
  std::array<Void*, kCount> data;
  std::array<gelu_dtype, kCount> dtype;
  std::array<std::size_t, kCount> size;

  // Where their elements from index `begin` on lie.
  std::array<Void*, kCount> From(std::size_t begin) const {
    using Byte = std::conditional_t<std::is_const_v<Void>, const std::byte, std::byte>;
    std::array<Void*, kCount> from;
    for (std::size_t k = 0; k < kCount; ++k) from[k] = static_cast<Byte*>(data[k]) + begin * gelu_dtype_size(dtype[k]);
    return from;
  }
};

}  // namespace detail

// The arrays of a call to apply or parallel, in the order in which gelu.h lists those of the form:
// in(x, dy), out(dx). They refer to what they are given.
template <std::size_t kCount>
using Inputs = detail::Arrays<const void, kCount>;
template <std::size_t kCount>
using Outputs = detail::Arrays<void, kCount>;

template <Array... X>
requires(sizeof...(X) > 0) Inputs<sizeof...(X)> in(X&&... x) {
  return {{std::ranges::data(x)...}, {dtype_of<std::ranges::range_value_t<X>>...}, {std::ranges::size(x)...}};
}
template <OutputArray... Y>
requires(sizeof...(Y) > 0) Outputs<sizeof...(Y)> out(Y&&... y) {
  return {{std::ranges::data(y)...}, {dtype_of<std::ranges::range_value_t<Y>>...}, {std::ranges::size(y)...}};
}

namespace detail {

inline void Check(gelu_status status) {
  if (status != GELU_OK) throw std::invalid_argument(gelu_status_message(status));
}

inline std::string_view Text(const char* text) {
  if (text == nullptr) Check(GELU_ERROR_FUNCTION);
  return text;
}

// What gelu.h says of a form, which exists: "x, dy -> dx = dy * f'(x)".
inline std::string_view Meaning(gelu_form form) {
  constexpr std::string_view kMeanings[] = {
#define GELU_FORM(name, inputs, outputs, meaning) meaning,
      GELU_FORMS(GELU_FORM)
#undef GELU_FORM
  };
  return kMeanings[form];
}

// The name of array k, outputs counted after inputs: the words after ", " and "-> ".
inline std::string_view ArrayName(gelu_form form, std::size_t k) {
  std::string_view rest = Meaning(form);
  for (; k > 0; --k) {
    std::size_t next = 1;
    while (rest[next] != ' ' || (rest[next - 1] != ',' && rest[next - 1] != '>')) ++next;
    rest.remove_prefix(next + 1);
  }
  return rest.substr(0, rest.find_first_of(", "));
}

// Throws unless the form takes so many arrays; for no form at all, too.
inline void CheckCounts(gelu_form form, std::size_t inputs, std::size_t outputs) {
  if (gelu_form_name(form) == nullptr) Check(GELU_ERROR_FORM);
  const std::size_t reads = gelu_form_inputs(form), writes = gelu_form_outputs(form);
  if (inputs == reads && outputs == writes) return;
  const auto text = [](std::size_t n) { return std::to_string(n); };
  throw std::invalid_argument("gelu: form: " + std::string(gelu_form_name(form)) + " reads " + text(reads) +
                              " and writes " + text(writes) + " arrays, and " + text(inputs) + " and " + text(outputs) +
                              " are given; give those of " + std::string(Meaning(form)));
}

inline void CheckSize(std::string_view first, std::size_t n, std::string_view name, std::size_t size) {
  if (size == n) return;
  throw std::invalid_argument("gelu: size: " + std::string(first) + " has " + std::to_string(n) + " elements and " +
                              std::string(name) + " has " + std::to_string(size) + "; give arrays of one length");
}

// Throws unless n elements are rows of so many columns.
inline void CheckRows(std::string_view name, std::size_t n, std::string_view row_name, std::size_t columns) {
  if (columns == 0 ? n == 0 : n % columns == 0) return;
  throw std::invalid_argument("gelu: size: " + std::string(name) + " has " + std::to_string(n) + " elements and " +
                              std::string(row_name) + " has " + std::to_string(columns) + "; give whole rows of " +
                              std::string(row_name) + "'s length");
}

// The length of all arrays of a call; throws unless they are those of the form, and equally long.
template <std::size_t kInputs, std::size_t kOutputs>
std::size_t CheckedLength(gelu_form form, const Inputs<kInputs>& in, const Outputs<kOutputs>& out) {
  CheckCounts(form, kInputs, kOutputs);
  const std::size_t n = in.size.front();
  for (std::size_t k = 0; k < kInputs + kOutputs; ++k) {
    CheckSize(ArrayName(form, 0), n, ArrayName(form, k), k < kInputs ? in.size[k] : out.size[k - kInputs]);
  }
  return n;
}

}  // namespace detail
}  // namespace gelu

#endif  // GELU_ARRAYS_HPP_
