// SPDX-License-Identifier: Apache-2.0
// gelu: arrays of any layout, over gelu_apply_strided of gelu/gelu.h, where the rules of aliasing stand.
//
//   float x[4][6], y[6][4];
//   const std::size_t shape[] = {4, 6};
//   const std::ptrdiff_t transposed[] = {1, 4};
//   using namespace gelu;
//   strided(Form::forward, Function::gelu, shape, {&x[0][0]}, Strided<float>{&y[0][0], transposed});
//   strided(Form::gated, Function::silu, shape, in(Strided{a}, Strided{b, transposed}), out(Strided{y}));
//   bias_rows(Function::gelu, x, b, y);                      // y[i][j] = f(x[i][j] + b[j])
//   gated_rows(Function::silu, GateHalf::first, x, d, y);    // y[i][j] = f(x[i][j]) x[i][d + j]
//
// None takes a dropout: elements have no index that is theirs in every layout.
#ifndef GELU_STRIDED_HPP_
#define GELU_STRIDED_HPP_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "gelu/gelu.hpp"

namespace gelu {

// Element (i0, i1, ...) lies at data + i0 strides[0] + i1 strides[1] + ...; no strides mean C order, without gaps.
template <class T>
struct Strided {
  T* data;
  std::span<const std::ptrdiff_t> strides = {};
};
template <class T>
Strided(T*) -> Strided<T>;
template <class T>
Strided(T*, std::span<const std::ptrdiff_t>) -> Strided<T>;

// The arrays of a call to strided, in the order in which gelu.h lists those of the form.
template <class T, class... Ts>
requires(std::same_as<std::remove_const_t<T>, std::remove_const_t<Ts>>&&...) std::array < Strided<const T>,
1 + sizeof...(Ts) > in(const Strided<T>& first, const Strided<Ts>&... others) {
  return {Strided<const T>{first.data, first.strides}, Strided<const T>{others.data, others.strides}...};
}
template <class T, std::same_as<T>... Ts>
std::array<Strided<T>, 1 + sizeof...(Ts)> out(const Strided<T>& first, const Strided<Ts>&... others) {
  return {first, others...};
}

namespace detail {

inline const std::ptrdiff_t* CheckedStrides(std::span<const std::ptrdiff_t> strides, std::size_t rank) {
  if (strides.empty()) return nullptr;
  if (strides.size() == rank) return strides.data();
  throw std::invalid_argument("gelu: strides: the shape has " + std::to_string(rank) + " dimensions and an array has " +
                              std::to_string(strides.size()) + " strides; give one for each dimension, or none");
}

}  // namespace detail

// Any form, for arrays of one shape and one element type.
template <Element T, std::size_t kInputs, std::size_t kOutputs>
void strided(Form form, Function function, std::span<const std::size_t> shape,
             const std::array<Strided<const T>, kInputs>& in, const std::array<Strided<T>, kOutputs>& out,
             const Params& params = {}) {
  const auto c_form = static_cast<gelu_form>(form);
  detail::CheckCounts(c_form, kInputs, kOutputs);
  std::array<const void*, kInputs> from;
  std::array<const std::ptrdiff_t*, kInputs> from_strides;
  for (std::size_t k = 0; k < kInputs; ++k) {
    from[k] = in[k].data;
    from_strides[k] = detail::CheckedStrides(in[k].strides, shape.size());
  }
  std::array<void*, kOutputs> to;
  std::array<const std::ptrdiff_t*, kOutputs> to_strides;
  for (std::size_t k = 0; k < kOutputs; ++k) {
    to[k] = out[k].data;
    to_strides[k] = detail::CheckedStrides(out[k].strides, shape.size());
  }
  detail::Check(gelu_apply_strided(static_cast<gelu_function>(function), c_form, dtype_of<T>,
                                   detail::CParams(params).get(), shape.size(), shape.data(), from.data(),
                                   from_strides.data(), to.data(), to_strides.data()));
}

// y = f(x), f'(x) or f''(x), as the form says
template <Element T>
void strided(Form form, Function function, std::span<const std::size_t> shape, std::type_identity_t<Strided<const T>> x,
             Strided<T> y, const Params& params = {}) {
  strided(form, function, shape, in(x), out(y), params);
}

// dx = dy * f'(x), form being Form::backward
template <Element T>
void strided(Form form, Function function, std::span<const std::size_t> shape, std::type_identity_t<Strided<const T>> x,
             std::type_identity_t<Strided<const T>> dy, Strided<T> dx, const Params& params = {}) {
  strided(form, function, shape, in(x, dy), out(dx), params);
}

// ---- Rows ----

namespace detail {

inline constexpr std::ptrdiff_t kOneForAllRows[] = {0, 1};

// Rows and columns of n elements, in rows of as many as b has.
inline std::array<std::size_t, 2> BiasShape(std::size_t n, std::size_t columns) {
  CheckRows("x", n, "b", columns);
  return {columns == 0 ? 0 : n / columns, columns};
}

inline bool Overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) {
  const auto x = reinterpret_cast<std::uintptr_t>(a), y = reinterpret_cast<std::uintptr_t>(b);
  return a_bytes != 0 && b_bytes != 0 && x < y + b_bytes && y < x + a_bytes;
}

}  // namespace detail

// y[i][j] = f(x[i][j] + b[j]), x and y being rows of as many elements as b has
template <Array X, Like<X> B, OutputLike<X> Y>
void bias_rows(Function function, X&& x, B&& b, Y&& y, const Params& params = {}) {
  const std::size_t n = std::ranges::size(x);
  const auto shape = detail::BiasShape(n, std::ranges::size(b));
  detail::CheckSize("x", n, "y", std::ranges::size(y));
  strided(Form::bias, function, shape,
          in(Strided{std::ranges::data(x)}, Strided{std::ranges::data(b), detail::kOneForAllRows}),
          out(Strided{std::ranges::data(y)}), params);
}

// dx[i][j] = dy[i][j] * f'(x[i][j] + b[j]); db[j] = dx[0][j] + dx[1][j] + ..., the exact sum of the dx that are stored,
// rounded once, to the type of db. db may be b, and otherwise lies apart.
template <Array X, Like<X> B, Like<X> DY, OutputLike<X> DX, OutputArray DB>
void bias_backward_rows(Function function, X&& x, B&& b, DY&& dy, DX&& dx, DB&& db, const Params& params = {}) {
  const std::size_t n = std::ranges::size(x), columns = std::ranges::size(b);
  const auto shape = detail::BiasShape(n, columns);
  detail::CheckSize("x", n, "dy", std::ranges::size(dy));
  detail::CheckSize("x", n, "dx", std::ranges::size(dx));
  detail::CheckSize("b", columns, "db", std::ranges::size(db));
  // What would stop the sum, before dx is written.
  if (shape[0] > std::size_t{1} << 31) detail::Check(GELU_ERROR_SIZE);
  const auto bytes = [](auto& r) { return std::ranges::size(r) * sizeof(*std::ranges::data(r)); };
  const auto meets_db = [&](auto& r) {
    return detail::Overlap(std::ranges::data(r), bytes(r), std::ranges::data(db), bytes(db));
  };
  const bool is_b = static_cast<const void*>(std::ranges::data(db)) == std::ranges::data(b) && bytes(db) == bytes(b);
  if (meets_db(x) || meets_db(dy) || meets_db(dx) || (meets_db(b) && !is_b)) detail::Check(GELU_ERROR_OVERLAP);
  strided(Form::bias_backward, function, shape,
          in(Strided{std::ranges::data(x)}, Strided{std::ranges::data(b), detail::kOneForAllRows},
             Strided{std::ranges::data(dy)}),
          out(Strided{std::ranges::data(dx)}), params);
  sum_rows(dx, db);
}

// Which half of a row of 2d elements is a, the one that goes through f, of a gated unit; the other is b.
enum class GateHalf {
  first,        // row[0], ..., row[d - 1]
  second,       // row[d], ..., row[2d - 1]
  interleaved,  // row[0], row[2], ...
};

namespace detail {

// Rows of 2d elements, and their halves.
template <class T>
struct Halves {
  Halves(GateHalf half, T* row, std::size_t n, std::size_t d, std::string_view name, std::size_t size)
      : shape{d == 0 ? 0 : size / d, d} {
    if (half != GateHalf::first && half != GateHalf::second && half != GateHalf::interleaved) {
      throw std::invalid_argument("gelu: half: no such half of a row; give a value of GateHalf");
    }
    if (n % 2 != 0 || size != n / 2 || (d == 0 ? n != 0 : size % d != 0)) {
      throw std::invalid_argument("gelu: size: x has " + std::to_string(n) + " elements, " + std::string(name) +
                                  " has " + std::to_string(size) + ", and d is " + std::to_string(d) +
                                  "; give rows of 2d and of d");
    }
    const auto stride = static_cast<std::ptrdiff_t>(d);
    const bool apart = half != GateHalf::interleaved;
    strides = {2 * stride, apart ? 1 : 2};
    T* const other = n == 0 ? row : row + (apart ? stride : 1);
    a = half == GateHalf::second ? other : row;
    b = half == GateHalf::second ? row : other;
  }

  std::array<std::size_t, 2> shape;
  std::array<std::ptrdiff_t, 2> strides;
  T *a, *b;
};

}  // namespace detail

// y[i][j] = f(a) * b, x being rows of 2d elements of which one half is a, the other b; y being rows of d
template <Array X, OutputLike<X> Y>
void gated_rows(Function function, GateHalf half, X&& x, std::size_t d, Y&& y, const Params& params = {}) {
  const detail::Halves from(half, std::ranges::data(x), std::ranges::size(x), d, "y", std::ranges::size(y));
  strided(Form::gated, function, from.shape, in(Strided{from.a, from.strides}, Strided{from.b, from.strides}),
          out(Strided{std::ranges::data(y)}), params);
}

// dx, rows of 2d as x is: da = b * dy * f'(a) where a lies in x, and db = dy * f(a) where b does. In place: dx is x.
template <Array X, Like<X> DY, OutputLike<X> DX>
void gated_backward_rows(Function function, GateHalf half, X&& x, std::size_t d, DY&& dy, DX&& dx,
                         const Params& params = {}) {
  const std::size_t n = std::ranges::size(x), size = std::ranges::size(dy);
  detail::CheckSize("x", n, "dx", std::ranges::size(dx));
  const detail::Halves from(half, std::ranges::data(x), n, d, "dy", size);
  const detail::Halves to(half, std::ranges::data(dx), n, d, "dy", size);
  strided(Form::gated_backward, function, from.shape,
          in(Strided{from.a, from.strides}, Strided{from.b, from.strides}, Strided{std::ranges::data(dy)}),
          out(Strided{to.a, to.strides}, Strided{to.b, to.strides}), params);
}

}  // namespace gelu

#endif  // GELU_STRIDED_HPP_
