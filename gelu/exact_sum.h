// SPDX-License-Identifier: Apache-2.0
// Sums of doubles without error: an integer so long that every finite double is a multiple of its last bit. Addition of
// such integers is associative, so that a sum does not depend on its order.
// U. Kulisch, Very fast and exact accumulation of products, Computing 91 (2011).
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

namespace gelu {

// A binary format: explicit bits of the mantissa, and the bias of the exponent.
struct SumFormat {
  int mantissa, bias;
  constexpr uint64_t Infinity() const { return static_cast<uint64_t>(2 * bias + 1) << mantissa; }
  constexpr uint64_t Nan() const { return Infinity() | uint64_t{1} << (mantissa - 1); }
  constexpr uint64_t Sign() const { return std::bit_floor(Infinity()) << 1; }
};

// Of at most 2^31 numbers.
class ExactSum {
 public:
  void Add(double value) {
    const auto bits = std::bit_cast<uint64_t>(value);
    const bool negative = bits >> 63 != 0;
    const auto field = static_cast<int>(bits >> 52) & kSpecial;
    const uint64_t fraction = bits & (kHidden - 1);
    added_ |= bits == uint64_t{1} << 63 ? kNegativeZero : kOther;
    if (field == kSpecial) {
      added_ |= fraction != 0 ? kNan : negative ? kNegativeInfinity : kInfinity;
      return;
    }
    const int place = field == 0 ? 0 : field - 1;
    const uint64_t number = field == 0 ? fraction : fraction | kHidden;
    const uint64_t low = number << (place % 32);
    const uint64_t high = place % 32 == 0 ? 0 : number >> (64 - place % 32);
    const int64_t sign = negative ? -1 : 1;
    int64_t* const digit = digits_ + place / 32;
    digit[0] += sign * static_cast<int64_t>(low & kDigit);
    digit[1] += sign * static_cast<int64_t>(low >> 32);
    digit[2] += sign * static_cast<int64_t>(high);
  }

  // Rounded once, to nearest even, as bits of the given format; then the sum is of no more use. Zero is -0 where -0 was
  // added and nothing else.
  uint64_t Round(SumFormat to) {
    constexpr unsigned kBothInfinities = kInfinity | kNegativeInfinity;
    if ((added_ & kNan) != 0 || (added_ & kBothInfinities) == kBothInfinities) return to.Nan();
    if ((added_ & kBothInfinities) != 0) return to.Infinity() | ((added_ & kInfinity) != 0 ? 0 : to.Sign());
    const bool negative = Normalise();
    int top = kDigits - 1;
    while (top >= 0 && digits_[top] == 0) --top;
    if (top < 0) return added_ == kNegativeZero ? to.Sign() : 0;
    // The leading bits, more than of any format, and a last one that is set if anything follows.
    const int length = 32 * top + static_cast<int>(std::bit_width(static_cast<uint64_t>(digits_[top])));
    const int taken = length < 63 ? length : 63;
    uint64_t number = 0;
    for (int i = length - 1; i >= length - taken; --i) number = number << 1 | BitAt(i);
    bool rest = false;
    for (int i = length - taken - 1; i >= 0 && !rest; --i) rest = BitAt(i) != 0;
    constexpr int kLastBit = -1074;
    return (negative ? to.Sign() : 0) | RoundTo(to, number << 1 | (rest ? 1 : 0), kLastBit + length - taken - 1);
  }

 private:
  static constexpr int kSpecial = 0x7ff;
  static constexpr uint64_t kHidden = uint64_t{1} << 52;
  static constexpr int64_t kDigit = 0xffffffff;
  static constexpr int kDigits = (kSpecial + 52) / 32 + 3;
  enum : unsigned { kNegativeZero = 1, kOther = 2, kNan = 4, kInfinity = 8, kNegativeInfinity = 16 };

  uint64_t BitAt(int i) const { return static_cast<uint64_t>(digits_[i / 32] >> (i % 32)) & 1; }

  // Makes the digits those of the magnitude, of 32 bits each; true if the number is negative.
  bool Normalise() {
    const auto carry = [&] {
      for (int i = 0; i + 1 < kDigits; ++i) {
        digits_[i + 1] += digits_[i] >> 32;
        digits_[i] &= kDigit;
      }
    };
    carry();
    if (digits_[kDigits - 1] >= 0) return false;
    for (int64_t& digit : digits_) digit = -digit;
    carry();
    return true;
  }

  // number * 2^exponent, number > 0.
  static uint64_t RoundTo(SumFormat to, uint64_t number, int exponent) {
    const int leading = exponent + static_cast<int>(std::bit_width(number)) - 1;
    if (leading > to.bias) return to.Infinity();
    const int binade = leading < 1 - to.bias ? 1 - to.bias : leading;
    const int drop = binade - to.mantissa - exponent;  // bits below the last of the result
    uint64_t kept = 0;
    if (drop <= 0) {
      kept = number << -drop;
    } else if (drop <= 64) {
      const uint64_t half = uint64_t{1} << (drop - 1), below = number & (half | (half - 1));
      kept = drop == 64 ? 0 : number >> drop;
      kept += below > half || (below == half && kept % 2 == 1);
    }
    // The hidden bit counts the exponent field up by one, and so does a carry, up to infinity.
    return (static_cast<uint64_t>(binade + to.bias - 1) << to.mantissa) + kept;
  }

  int64_t digits_[kDigits] = {};
  unsigned added_ = 0;
};

}  // namespace gelu
