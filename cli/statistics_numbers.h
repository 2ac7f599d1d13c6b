// SPDX-License-Identifier: Apache-2.0
// Arrays of any element type to f64 (exact) and back (rounded once).
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>

#include "gelu/gelu.hpp"

namespace gelu::cli {

// Calls action with a value of the C++ type behind dtype.
template <class Action>
auto WithType(gelu_dtype dtype, Action action) {
  switch (dtype) {
    case gelu_dtype_f64:
      return action(double{});
    case gelu_dtype_f32:
      return action(float{});
    case gelu_dtype_f16:
      return action(f16{});
    default:
      return action(bf16{});
  }
}

inline void Widen(gelu_dtype dtype, const void* from, std::size_t n, double* to) {
  WithType(dtype, [&]<class T>(T) {
    const T* values = static_cast<const T*>(from);
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<double>(values[i]);
  });
}

inline void Narrow(gelu_dtype dtype, const double* from, std::size_t n, void* to) {
  WithType(dtype, [&]<class T>(T) {
    T* values = static_cast<T*>(to);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(from[i]);
  });
}

// The smallest positive normal number.
inline double SmallestNormal(gelu_dtype dtype) {
  switch (dtype) {
    case gelu_dtype_f64:
      return std::numeric_limits<double>::min();
    case gelu_dtype_f16:
      return std::ldexp(1.0, -14);
    default:
      return std::numeric_limits<float>::min();
  }
}

}  // namespace gelu::cli
