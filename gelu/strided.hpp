// SPDX-License-Identifier: Apache-2.0
// gelu: arrays of any layout, over gelu_apply_strided of gelu/gelu.h, where the rules of aliasing stand.
//
//   float x[4][6], y[6][4];
//   const std::size_t shape[] = {4, 6};
//   const std::ptrdiff_t transposed[] = {1, 4};
//   using namespace gelu;
//   strided(Form::forward, Function::gelu, shape, {&x[0][0]}, Strided<float>{&y[0][0], transposed});
#ifndef GELU_STRIDED_HPP_
#define GELU_STRIDED_HPP_

#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "gelu/gelu.hpp"

namespace gelu {

// Element (i0, i1, ...) lies at data + i0 strides[0] + i1 strides[1] + ...; no strides mean C order, without gaps.
template <class T>
struct Strided {
  T* data;
  std::span<const std::ptrdiff_t> strides = {};
};

namespace detail {

inline const std::ptrdiff_t* CheckedStrides(std::span<const std::ptrdiff_t> strides, std::size_t rank) {
  if (strides.empty()) return nullptr;
  if (strides.size() == rank) return strides.data();
  throw std::invalid_argument("gelu: strides: the shape has " + std::to_string(rank) + " dimensions and an array has " +
                              std::to_string(strides.size()) + " strides; give one for each dimension, or none");
}

template <class T, std::size_t kInputs>
void ApplyStrided(Form form, Function function, const Params& params, std::span<const std::size_t> shape,
                  const std::array<Strided<const T>, kInputs>& in, const Strided<T>& out) {
  const auto c_form = static_cast<gelu_form>(form);
  const gelu_params c_params{params.alpha, params.clip};
  CheckInputs(c_form, kInputs);
  std::array<const void*, kInputs> from;
  std::array<const std::ptrdiff_t*, kInputs> from_strides;
  for (std::size_t k = 0; k < kInputs; ++k) {
    from[k] = in[k].data;
    from_strides[k] = CheckedStrides(in[k].strides, shape.size());
  }
  void* const to = out.data;
  const std::ptrdiff_t* const to_strides = CheckedStrides(out.strides, shape.size());
  Check(gelu_apply_strided(static_cast<gelu_function>(function), c_form, dtype_of<T>, &c_params, shape.size(),
                           shape.data(), from.data(), from_strides.data(), &to, &to_strides));
}

}  // namespace detail

// y = f(x), f'(x) or f''(x), as the form says, for arrays of one shape.
template <Element T>
void strided(Form form, Function function, std::span<const std::size_t> shape, std::type_identity_t<Strided<const T>> x,
             Strided<T> y, Params params = {}) {
  detail::ApplyStrided<T, 1>(form, function, params, shape, {x}, y);
}

// dx = dy * f'(x), form being Form::backward
template <Element T>
void strided(Form form, Function function, std::span<const std::size_t> shape, std::type_identity_t<Strided<const T>> x,
             std::type_identity_t<Strided<const T>> dy, Strided<T> dx, Params params = {}) {
  detail::ApplyStrided<T, 2>(form, function, params, shape, {x, dy}, dx);
}

}  // namespace gelu

#endif  // GELU_STRIDED_HPP_
