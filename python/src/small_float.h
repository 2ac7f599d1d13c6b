// SPDX-License-Identifier: Apache-2.0
// An 8-bit floating-point format, known by the values of its codes.
#ifndef GELU_PYTHON_SMALL_FLOAT_H_
#define GELU_PYTHON_SMALL_FLOAT_H_
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace gelu::python {

// For formats whose highest bit is the sign, and whose codes from 0 on have rising values, up to the largest finite one
// and then infinity or NaN: e4m3fn, e5m2, e4m3, e3m4.
class SmallFloat {
 public:
  SmallFloat() = default;
  explicit SmallFloat(const double* values) {
    std::copy(values, values + 256, values_.begin());
    while (std::isfinite(values_[count_])) ++count_;
    nan_ = std::find_if(values, values + 128, [](double v) { return std::isnan(v); }) - values;
  }

  double Decode(char code) const { return values_[static_cast<std::uint8_t>(code)]; }

  // Rounds to nearest, ties to even. What is too large becomes the code after the largest: infinity, or NaN in a format
  // that has none.
  char Encode(double v) const {
    if (std::isnan(v)) return static_cast<char>(nan_);
    const double size = std::fabs(v);
    const auto above = std::upper_bound(values_.begin(), values_.begin() + count_, size) - values_.begin();
    const auto below = above - 1;
    const double low = values_[below];
    const double high = above < count_ ? values_[above] : 2 * low - values_[below - 1];
    const double rest = size - low, gap = high - size;
    const auto code = rest < gap || (rest == gap && below % 2 == 0) ? below : above;
    return static_cast<char>(code | (std::signbit(v) ? 0x80 : 0));
  }

 private:
  std::array<double, 256> values_ = {};
  std::ptrdiff_t count_ = 0;  // finite codes of a sign
  std::ptrdiff_t nan_ = 0;
};

}  // namespace gelu::python
#endif  // GELU_PYTHON_SMALL_FLOAT_H_
