// SPDX-License-Identifier: Apache-2.0
// The element types as number formats, and their bits as doubles. Written for the proof alone: it shares nothing with
// the conversions under test.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "gelu/gelu.h"

namespace gelu::proof {

// Normal numbers are m * 2^e with 2^(precision-1) <= |m| < 2^precision and min_exponent <= e + precision - 1 <=
// max_exponent; the exponent field of 2^min_exponent is 1.
struct Format {
  int precision;
  int min_exponent;
  int max_exponent;
  int bits;

  constexpr std::uint64_t Sign() const { return std::uint64_t{1} << (bits - 1); }
  constexpr std::uint64_t Infinity() const {
    return static_cast<std::uint64_t>(max_exponent - min_exponent + 2) << (precision - 1);
  }
  constexpr std::uint64_t Nan() const { return Infinity() | std::uint64_t{1} << (precision - 2); }  // canonical
  constexpr std::uint64_t Magnitude(std::uint64_t value) const { return value & (Sign() - 1); }
  constexpr bool IsNan(std::uint64_t value) const { return Magnitude(value) > Infinity(); }
  constexpr bool IsInfinite(std::uint64_t value) const { return Magnitude(value) == Infinity(); }
  constexpr bool IsNegative(std::uint64_t value) const { return (value & Sign()) != 0; }
};

constexpr Format FormatOf(gelu_dtype dtype) {
  switch (dtype) {
    case gelu_dtype_f64:
      return {53, -1022, 1023, 64};
    case gelu_dtype_f32:
      return {24, -126, 127, 32};
    case gelu_dtype_f16:
      return {11, -14, 15, 16};
    default:
      return {8, -126, 127, 16};  // bf16
  }
}

// The value of the bits, exactly; a NaN keeps being one, without its payload.
inline double ToDouble(gelu_dtype dtype, std::uint64_t value) {
  const Format format = FormatOf(dtype);
  if (format.bits == 64) return std::bit_cast<double>(value);
  if (format.IsNan(value)) return std::numeric_limits<double>::quiet_NaN();
  const double sign = format.IsNegative(value) ? -1.0 : 1.0;
  if (format.IsInfinite(value)) return sign * std::numeric_limits<double>::infinity();
  const std::uint64_t magnitude = format.Magnitude(value);
  const int field = static_cast<int>(magnitude >> (format.precision - 1));
  const std::uint64_t hidden = field == 0 ? 0 : std::uint64_t{1} << (format.precision - 1);
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << (format.precision - 1)) - 1);
  const int exponent = format.min_exponent + (field == 0 ? 0 : field - 1) - (format.precision - 1);
  return sign * std::ldexp(static_cast<double>(fraction | hidden), exponent);
}

// An array of elements of any type, as bytes; elements are read and written as bits.
class Array {
 public:
  Array(gelu_dtype dtype, std::size_t n) : size_(gelu_dtype_size(dtype)), bytes_(n * size_) {}
  Array(gelu_dtype dtype, const std::vector<std::uint64_t>& values) : Array(dtype, values.size()) {
    for (std::size_t i = 0; i < values.size(); ++i) Set(i, values[i]);
  }

  void* data() { return bytes_.data(); }
  const void* data() const { return bytes_.data(); }
  std::size_t size() const { return bytes_.size() / size_; }
  void Set(std::size_t i, std::uint64_t value) { std::memcpy(bytes_.data() + i * size_, &value, size_); }
  std::uint64_t operator[](std::size_t i) const {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + i * size_, size_);
    return value;
  }
  bool operator==(const Array&) const = default;

 private:
  std::size_t size_;
  std::vector<unsigned char> bytes_;
};

}  // namespace gelu::proof
