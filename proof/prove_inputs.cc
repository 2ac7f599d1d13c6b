// SPDX-License-Identifier: Apache-2.0
#include "proof/prove_inputs.h"

#include <bit>
#include <cmath>

#include "proof/format.h"
#include "proof/oracle.h"
#include "proof/sample.h"

namespace gelu::proof {
namespace {

using Bits = std::uint64_t;

constexpr Bits kQuick = Bits{1} << 16;
constexpr Bits kSample = 100'000'000;
constexpr Bits kStride = 65'539;  // a prime
constexpr Bits kFew = Bits{1} << 16, kFewQuick = Bits{1} << 10, kFewStride = 63;

// A random number by its index (splitmix64).
Bits Random(Bits index) {
  Bits z = index * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double Uniform(Bits random, double lo, double hi) {
  return lo + (hi - lo) * std::ldexp(static_cast<double>(random), -64);
}

// The nearest element of f64 or f32: 16-bit types are never sampled.
Bits Nearest(gelu_dtype dtype, double value) {
  if (dtype == gelu_dtype_f64) return std::bit_cast<Bits>(value);
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

template <class Element>
void Store(std::byte* elements, std::size_t i, Bits value) {
  reinterpret_cast<Element*>(elements)[i] = static_cast<Element>(value);
}

}  // namespace

Inputs::Inputs(const Row& row, bool quick)
    : row_(row), meaning_(MeaningOf(row.form)), reference_(row.function, row.alpha) {
  if (meaning_.inputs > 1) gradients_ = Gradients(row.dtype, std::size_t{1} << 16, 2);
  if (Reference::Serves(row.form)) {
    ChooseMany(quick);
  } else {
    ChooseFew(quick);
  }
}

void Inputs::ChooseMany(bool quick) {
  const int bits = FormatOf(row_.dtype).bits;
  const bool two_operands = meaning_.inputs > 1;
  const Bits all = Bits{1} << (bits % 64);
  exhaustive_ = bits == 16 || (bits == 32 && !two_operands && IsInUse(row_.function, row_.alpha));
  if (exhaustive_) {
    size_ = two_operands ? (quick ? all : all << 10) : all;
    if (quick && size_ > kQuick) {
      size_ = all / kStride;
      stride_ = kStride;
    }
  } else {
    size_ = quick ? kQuick : kSample;
    landmarks_ = Landmarks(row_.function, row_.dtype, row_.alpha, 64);
    list_ = Specials(row_.dtype);
    list_.insert(list_.end(), landmarks_.begin(), landmarks_.end());
    const std::vector<Bits> binades = Binades(row_.dtype, row_.alpha, quick ? 1 : 64, quick ? 16 : 4096, 1);
    list_.insert(list_.end(), binades.begin(), binades.end());
  }
}

void Inputs::ChooseFew(bool quick) {
  exhaustive_ = FormatOf(row_.dtype).bits == 16;
  size_ = quick ? kFewQuick : exhaustive_ && meaning_.inputs == 1 ? Bits{1} << 16 : kFew;
  if (exhaustive_) {
    if (quick) stride_ = kFewStride;
    return;
  }
  landmarks_ = Landmarks(row_.function, row_.dtype, row_.alpha, quick ? 1 : 16, 0, kDerivatives);
  list_ = Specials(row_.dtype);
  list_.insert(list_.end(), landmarks_.begin(), landmarks_.end());
  if (quick) return;
  const std::vector<Bits> binades = Binades(row_.dtype, row_.alpha, 1, 64, 1);
  list_.insert(list_.end(), binades.begin(), binades.end());
}

Bits Inputs::X(Bits i) const {
  if (exhaustive_) return (i * stride_) & (FormatOf(row_.dtype).Sign() * 2 - 1);
  if (i < list_.size()) return list_[i];
  const gelu_dtype dtype = row_.dtype;
  const Bits random = Random(2 * i), more = Random(2 * i + 1);
  const double scale = 1.0 / row_.alpha;
  switch (i % 8) {
    case 0:  // any pattern
      return random & (FormatOf(dtype).Sign() | (FormatOf(dtype).Sign() - 1));
    case 1:  // near a landmark, at any distance
      return landmarks_[more % landmarks_.size()] + (random >> (40 + random % 24)) - (more >> (40 + random % 24));
    case 2:  // beside the bounds of a table
      return Nearest(dtype, std::nearbyint(Uniform(more, -2560.0, 2560.0)) / 64) + random % 5 - 2;
    case 3:  // every magnitude in use
      return Nearest(dtype, std::copysign(scale, Uniform(random, -1.0, 1.0)) * std::exp2(Uniform(more, -60.0, 11.0)));
    case 4:  // as far as the slowest tail goes
      return Nearest(dtype, scale * Uniform(random, -760.0, 40.0));
    case 5:
      return Nearest(dtype, scale * Uniform(random, -40.0, 40.0));
    default:
      return Nearest(dtype, scale * Uniform(random, -6.0, 6.0));
  }
}

Bits Inputs::Dy(Bits i, Bits x) const {
  const Bits random = Random(~i);
  const double value = ToDouble(row_.dtype, x);
  if (exhaustive_ || i % 2 == 0 || !std::isfinite(value)) return gradients_[random % gradients_.size()];
  // A product just below a power of two, where the error of f' weighs most: up to twice its own ULP.
  Ball slope{};
  reference_.Estimate(gelu_form_derivative, &value, &slope, 1);
  int exponent = 0;
  const double significand = std::frexp(slope.hi, &exponent);
  return significand == 0 ? random % 4 : Nearest(row_.dtype, 1 / significand) - 1 - random % 4;
}

// A sum of x and b that is distributed as x is, and the last factor as in Dy; of each, in every second input.
void Inputs::Aim(Bits i, Operands& operands) const {
  const gelu_dtype dtype = row_.dtype;
  std::array<double, kMostInputs> values;
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = ToDouble(dtype, operands[k]);
  if (meaning_.biased && i % 4 < 2) {
    const double b = ToDouble(dtype, X(size_ + i)) - values[0];
    if (std::isfinite(b)) operands[1] = RoundTo(dtype, Real(53, b));
    values[1] = ToDouble(dtype, operands[1]);
  }
  const std::size_t last = meaning_.inputs - 1;
  const Output& output = meaning_.output[i / 2 % meaning_.outputs];
  if (exhaustive_ || i % 2 == 0 || !output.times[last]) return;
  values[last] = 1.0;
  Evaluation evaluation = EvaluationAt(row_.function, ParamsOf(row_.alpha), meaning_, values);
  const Real product = evaluation.Exact(output, values);
  if (!mpfr_regular_p(product.get())) return;
  long exponent = 0;
  const double significand = std::abs(mpfr_get_d_2exp(&exponent, product.get(), MPFR_RNDN));
  operands[last] = Nearest(dtype, 1 / significand) - 1 - Random(~i) % 4;
}

Inputs::Operands Inputs::At(Bits i) const {
  Operands operands{X(i)};
  if (meaning_.inputs == 1) return operands;
  if (Reference::Serves(row_.form)) {
    operands[1] = Dy(i, operands[0]);
    return operands;
  }
  for (std::size_t k = 1; k < meaning_.inputs; ++k) {
    operands[k] = gradients_[Random(~(kMostInputs * i + k)) % gradients_.size()];
  }
  Aim(i, operands);
  return operands;
}

void Inputs::Fill(std::uint64_t begin, std::size_t n, std::span<std::byte* const> arrays) const {
  const auto fill = [&]<class Element>(Element) {
    for (std::size_t i = 0; i < n; ++i) {
      const Operands operands = At(begin + i);
      for (std::size_t k = 0; k < arrays.size(); ++k) Store<Element>(arrays[k], i, operands[k]);
    }
  };
  switch (gelu_dtype_size(row_.dtype)) {
    case 8:
      return fill(std::uint64_t{});
    case 4:
      return fill(std::uint32_t{});
    default:
      return fill(std::uint16_t{});
  }
}

}  // namespace gelu::proof
