// SPDX-License-Identifier: Apache-2.0
#include "cli/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cfenv>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cli/failure.h"

namespace gelu::cli {
namespace {

constexpr std::string_view kBitsPrefix = "bits:";

// The 16-bit formats: a sign, 16 - precision bits of exponent, precision - 1 bits of fraction.
int PrecisionOf(gelu_dtype dtype) { return dtype == gelu_dtype_f16 ? 11 : 8; }
uint64_t InfinityOf(int precision) { return 0x8000u - (1u << (precision - 1)); }
// The exponent of the last bit of a subnormal.
int LastExponentOf(int precision) { return 3 - precision - (1 << (15 - precision)); }

uint64_t Narrow(double value, int precision) {
  const uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const uint64_t infinity = InfinityOf(precision);
  if (std::isnan(value)) return sign | infinity | (1u << (precision - 2));
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  int exponent;
  std::frexp(value, &exponent);
  const int subnormal = LastExponentOf(precision);
  const int last = std::max(exponent - precision, subnormal);
  const auto rounded = static_cast<uint64_t>(std::nearbyint(std::ldexp(std::fabs(value), -last)));
  // A fraction that rounds up to the next power of two carries into the exponent, up to infinity.
  const uint64_t magnitude = (static_cast<uint64_t>(last - subnormal) << (precision - 1)) + rounded;
  return sign | std::min(magnitude, infinity);
}

double Widen(uint64_t bits, int precision) {
  const uint64_t magnitude = bits & 0x7fff;
  if (magnitude >= InfinityOf(precision)) {
    return magnitude > InfinityOf(precision) ? std::nan("") : std::copysign(HUGE_VAL, bits & 0x8000 ? -1.0 : 1.0);
  }
  const int exponent = static_cast<int>(magnitude >> (precision - 1));
  const auto fraction = static_cast<double>(magnitude & ((1u << (precision - 1)) - 1));
  const double implicit = exponent == 0 ? 0.0 : std::ldexp(1.0, precision - 1);
  const double value = std::ldexp(fraction + implicit, std::max(exponent, 1) - 1 + LastExponentOf(precision));
  return bits & 0x8000 ? -value : value;
}

// The text as a double whose last bit is set if anything was cut off. Such a value rounds to a narrower format as the
// text itself does, where the nearest double can be a tie that the text is not.
double ParseToOdd(const char* text, char** end) {
  const int mode = std::fegetround();
  std::fesetround(FE_DOWNWARD);
  const double low = std::strtod(text, end);
  std::fesetround(FE_UPWARD);
  const double high = std::strtod(text, end);
  std::fesetround(mode);
  if (low == high || std::isnan(low)) return low;
  const double shorter = std::fabs(low) < std::fabs(high) ? low : high;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(shorter) | 1);
}

uint64_t ParseFloat(const char* text, gelu_dtype dtype, char** end) {
  switch (dtype) {
    case gelu_dtype_f64:
      return std::bit_cast<uint64_t>(std::strtod(text, end));
    case gelu_dtype_f32:
      return std::bit_cast<uint32_t>(std::strtof(text, end));
    default:
      return Narrow(ParseToOdd(text, end), PrecisionOf(dtype));
  }
}

template <class T>
std::string Shortest(T value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

// Decimals of 1, 2, ... digits: the nearest one, then its neighbours, since beside a power of two the nearest may miss
// the narrow side while a neighbour hits the wide one.
std::string ShortestOf16(uint64_t bits, gelu_dtype dtype) {
  const double value = Widen(bits, PrecisionOf(dtype));
  if (value == 0 || !std::isfinite(value)) return Shortest(value);
  for (int after_first = 0;; ++after_first) {
    const std::string text = fmt::format("{:.{}e}", value, after_first);
    const size_t e = text.find('e');
    std::string digits = text.substr(0, e);
    std::erase(digits, '.');
    const int nearest = std::stoi(digits);
    const int exponent = std::stoi(text.substr(e + 1)) - after_first;
    for (int step : {0, 1, -1}) {
      const std::string decimal = fmt::format("{}e{}", nearest + step, exponent);
      if (ParseFloat(decimal.c_str(), dtype, nullptr) == bits) return Shortest(std::strtod(decimal.c_str(), nullptr));
    }
  }
}

const std::string& CachedShortestOf16(uint64_t bits, gelu_dtype dtype) {
  thread_local std::array<std::vector<std::string>, gelu_dtype_count_> caches;
  std::vector<std::string>& cache = caches[dtype];
  cache.resize(0x10000);
  std::string& text = cache[bits];
  if (text.empty()) text = ShortestOf16(bits, dtype);
  return text;
}

uint64_t ParseBits(std::string_view digits, std::string_view text, gelu_dtype dtype) {
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  uint64_t bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (digits.empty() || error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    throw Failure(fmt::format("{}: not a bit pattern; write bits: and hexadecimal digits, such as bits:3f80", text));
  }
  const size_t width = 8 * gelu_dtype_size(dtype);
  if (error == std::errc::result_out_of_range || (width < 64 && bits >> width != 0)) {
    throw Failure(fmt::format("{}: more than the {} bits of {}; give at most {} hexadecimal digits", text, width,
                              gelu_dtype_name(dtype), width / 4));
  }
  return bits;
}

}  // namespace

std::string_view Trimmed(std::string_view text) {
  const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

uint64_t ParseNumber(std::string_view text, gelu_dtype dtype) {
  text = Trimmed(text);
  if (text.starts_with(kBitsPrefix)) return ParseBits(text.substr(kBitsPrefix.size()), text, dtype);
  const std::string terminated(text);
  char* end = nullptr;
  const uint64_t bits = ParseFloat(terminated.c_str(), dtype, &end);
  if (terminated.empty() || end != terminated.c_str() + terminated.size()) {
    throw Failure(
        fmt::format("\"{}\": not a number; write a decimal (-1.5e-3), a hexadecimal float (0x1.8p-4), "
                    "inf, nan or bits:...",
                    text));
  }
  return bits;
}

void AppendNumber(uint64_t bits, gelu_dtype dtype, std::string& out) {
  switch (dtype) {
    case gelu_dtype_f64:
      out += Shortest(std::bit_cast<double>(bits));
      break;
    case gelu_dtype_f32:
      out += Shortest(std::bit_cast<float>(static_cast<uint32_t>(bits)));
      break;
    default:
      out += CachedShortestOf16(bits, dtype);
  }
}

void AppendHex(uint64_t bits, gelu_dtype dtype, std::string& out) {
  fmt::format_to(std::back_inserter(out), "0x{:0{}x}", bits, 2 * gelu_dtype_size(dtype));
}

bool IsNegativeNumber(std::string_view argument) {
  if (argument.size() < 2 || argument[0] != '-') return false;
  const auto second = static_cast<unsigned char>(argument[1]);
  if (std::isdigit(second) || second == '.') return true;
  std::string word(argument.substr(1, 3));
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "inf" || word == "nan";
}

uint64_t LoadElement(const void* elements, size_t index, gelu_dtype dtype) {
  const auto load = [&]<class T>(T bits) -> uint64_t {
    std::memcpy(&bits, static_cast<const T*>(elements) + index, sizeof bits);
    return bits;
  };
  switch (gelu_dtype_size(dtype)) {
    case 8:
      return load(uint64_t{});
    case 4:
      return load(uint32_t{});
    default:
      return load(uint16_t{});
  }
}

void StoreElement(uint64_t bits, gelu_dtype dtype, void* elements, size_t index) {
  const auto store = [&]<class T>(T narrow) { std::memcpy(static_cast<T*>(elements) + index, &narrow, sizeof narrow); };
  switch (gelu_dtype_size(dtype)) {
    case 8:
      return store(bits);
    case 4:
      return store(static_cast<uint32_t>(bits));
    default:
      return store(static_cast<uint16_t>(bits));
  }
}

}  // namespace gelu::cli
