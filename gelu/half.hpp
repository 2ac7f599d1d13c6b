// SPDX-License-Identifier: Apache-2.0
// gelu: the 16-bit numbers of gelu/gelu.hpp, f16 and bf16.
#ifndef GELU_HALF_HPP_
#define GELU_HALF_HPP_

#include <algorithm>
#include <bit>
#include <cstdint>

namespace gelu {

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

}  // namespace gelu

#endif  // GELU_HALF_HPP_
