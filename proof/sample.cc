// SPDX-License-Identifier: Apache-2.0
#include "proof/sample.h"

#include <algorithm>
#include <functional>
#include <random>

#include "proof/oracle.h"

namespace gelu::proof {
namespace {

using Bits = std::uint64_t;

// The first magnitude above lo at which the predicate has the value that it has at hi, for one that changes once.
Bits Boundary(Bits lo, Bits hi, const std::function<bool(Bits)>& predicate) {
  const bool target = predicate(hi);
  if (predicate(lo) == target) return lo;
  while (hi - lo > 1) {
    const Bits middle = lo + (hi - lo) / 2;
    (predicate(middle) == target ? hi : lo) = middle;
  }
  return hi;
}

// The magnitude of the element nearest to |z / alpha|, if that is in range.
Bits MagnitudeAt(gelu_dtype dtype, double alpha, double z) {
  const Format format = FormatOf(dtype);
  return std::min(RoundTo(dtype, Real(53, std::abs(z / alpha))), format.Infinity() - 1);
}

}  // namespace

std::vector<Bits> Specials(gelu_dtype dtype) {
  const Format format = FormatOf(dtype);
  const Bits quiet = Bits{1} << (format.precision - 2);
  const Bits smallest_normal = Bits{1} << (format.precision - 1);
  const Bits infinity = format.Infinity();
  std::vector<Bits> all = {0,
                           1,
                           2,
                           3,
                           smallest_normal - 1,
                           smallest_normal,
                           smallest_normal + 1,
                           infinity - 1,
                           infinity,
                           quiet | infinity,
                           quiet | infinity | 1,
                           infinity | 1,
                           infinity | (quiet >> 1),
                           format.Sign() - 1,
                           format.Sign() - 1 - quiet,
                           RoundTo(dtype, Real(53, 1.0)),
                           RoundTo(dtype, Real(53, 0.5))};
  for (std::size_t i = 0, n = all.size(); i < n; ++i) all.push_back(all[i] | format.Sign());
  return all;
}

std::vector<Bits> Landmarks(gelu_function function, gelu_dtype dtype, double alpha, int neighbours, int first,
                            int end) {
  const Format format = FormatOf(dtype);
  const gelu_params params = ParamsOf(alpha);
  std::vector<Bits> places;
  for (const Bits sign : {Bits{0}, format.Sign()}) {
    const auto at = [&](Bits magnitude) { return Evaluation(function, params, ToDouble(dtype, sign | magnitude)); };
    for (int derivative = first; derivative < end; ++derivative) {
      const Bits limit = at(format.Infinity()).Rounded(derivative, dtype, {});
      const auto is_negative = [&](Bits x) { return mpfr_signbit(at(x).Exact(derivative, {}).get()) != 0; };
      const auto rounded = [&](Bits x) { return at(x).Rounded(derivative, dtype, {}); };
      const auto is_zero = [&](Bits x) { return format.Magnitude(rounded(x)) == 0; };
      const auto is_subnormal = [&](Bits x) {
        return format.Magnitude(rounded(x)) < Bits{1} << (format.precision - 1);
      };
      const auto is_settled = [&](Bits x) { return rounded(x) == (derivative == 0 ? sign | x : limit); };
      for (double z = 0.25; z < 6; z += 0.25) {  // no root lies closer to zero or to another
        const Bits lo = MagnitudeAt(dtype, alpha, z), hi = MagnitudeAt(dtype, alpha, z + 0.25);
        if (is_negative(lo) != is_negative(hi)) places.push_back(sign | Boundary(lo, hi, is_negative));
      }
      const Bits lo = MagnitudeAt(dtype, alpha, 3), hi = format.Infinity() - 1;
      places.push_back(sign | Boundary(lo, hi, is_zero));
      places.push_back(sign | Boundary(lo, hi, is_subnormal));
      places.push_back(sign | Boundary(lo, hi, is_settled));
      if (derivative < 3) continue;  // the others vanish at zero
      const Bits one = MagnitudeAt(dtype, alpha, 1);
      places.push_back(sign | Boundary(0, one, is_zero));
      places.push_back(sign | Boundary(0, one, is_subnormal));
    }
  }
  std::vector<Bits> all;
  for (const Bits place : places) {
    for (int offset = -neighbours; offset <= neighbours; ++offset) {
      const Bits x = place + static_cast<Bits>(offset);
      if (format.Magnitude(x) <= format.Infinity()) all.push_back(x);
    }
  }
  return all;
}

std::vector<Bits> Binades(gelu_dtype dtype, double alpha, int per_binade, int dense, std::uint64_t seed) {
  const Format format = FormatOf(dtype);
  std::mt19937_64 random(seed);
  const int center = alpha == 0.0 ? 0 : -std::ilogb(alpha);
  const Bits fraction = (Bits{1} << (format.precision - 1)) - 1;
  std::vector<Bits> all;
  for (int exponent = format.min_exponent - 1; exponent <= format.max_exponent; ++exponent) {
    const Bits field = static_cast<Bits>(exponent - format.min_exponent + 1) << (format.precision - 1);
    const int count = exponent >= center - 12 && exponent <= center + 10 ? dense : per_binade;
    for (const Bits sign : {Bits{0}, format.Sign()}) {
      all.push_back(sign | field);
      all.push_back(sign | field | fraction);
      for (int i = 0; i < count; ++i) all.push_back(sign | field | (random() & fraction));
    }
  }
  return all;
}

std::vector<Bits> Gradients(gelu_dtype dtype, std::size_t n, std::uint64_t seed) {
  const Format format = FormatOf(dtype);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const std::vector<Bits> specials = Specials(dtype);
  std::vector<Bits> all(n);
  for (Bits& dy : all) {
    const auto kind = random() % 16;
    dy = kind == 0  ? specials[random() % specials.size()]
         : kind < 4 ? random() & (format.Sign() | (format.Sign() - 1))
                    : RoundTo(dtype, Real(53, normal(random)));
  }
  return all;
}

std::vector<Array> Operands(gelu_dtype dtype, const std::vector<Bits>& x, std::uint64_t seed) {
  std::vector<Array> all = {Array(dtype, x)};
  while (all.size() < kMostInputs) {
    all.emplace_back(dtype, Gradients(dtype, x.size(), seed));
    seed += std::uint64_t{1} << 32;
  }
  return all;
}

}  // namespace gelu::proof
