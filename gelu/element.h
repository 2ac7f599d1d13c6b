// SPDX-License-Identifier: Apache-2.0
// Elements as doubles, exactly, one by one: for what need not be fast.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

#include "gelu/gelu.h"

namespace gelu {

inline float FromBF16(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

inline float FromF16(uint16_t bits) {
  const uint32_t magnitude = bits & 0x7fff, sign = uint32_t{bits} >> 15 << 31;
  const uint32_t special = magnitude >= 0x7c00 ? 0x7f800000 : 0;
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;  // rebases the exponent
  return std::bit_cast<float>(std::bit_cast<uint32_t>(scaled) | special | sign);
}

template <class T>
T LoadElement(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

inline double ToDouble(gelu_dtype dtype, const char* p) {
  switch (dtype) {
    case gelu_dtype_f32:
      return double{LoadElement<float>(p)};
    case gelu_dtype_f16:
      return double{FromF16(LoadElement<uint16_t>(p))};
    case gelu_dtype_bf16:
      return double{FromBF16(LoadElement<uint16_t>(p))};
    default:
      return LoadElement<double>(p);
  }
}

}  // namespace gelu
