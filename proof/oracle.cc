// SPDX-License-Identifier: Apache-2.0
#include "proof/oracle.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gelu::proof {
namespace {

struct Gate {
  Interval value, first, second;  // gate, gate', gate''
  Interval third;                 // 3 gate'' + z gate''' as a whole, since at its exact roots a sum would never be zero
};

struct Sigmoid {
  Interval value, first, second, third;
};

Sigmoid LogisticOf(const Interval& z) {
  const Interval one(z.precision(), 1.0);
  const Interval e = Exp(z);
  const Interval s = Inverse(one + Inverse(e));
  const Interval t = Inverse(one + e);  // 1 - s
  const Interval first = s * t;
  const Interval m = Expm1(z);
  const Interval difference = m * Inverse(m + Interval(z.precision(), 2.0));  // s - t, also next to zero
  return {s, first, -(first * difference), first * (one + -(Interval(z.precision(), 6.0) * first))};
}

Interval Third(const Interval& z, const Interval& second, const Interval& third) {
  return Interval(z.precision(), 3.0) * second + z * third;
}

Gate Logistic(const Interval& z) {
  const Sigmoid s = LogisticOf(z);
  return {s.value, s.first, s.second, Third(z, s.second, s.third)};
}

Gate Normal(const Interval& z) {
  const Interval density = Density(z);
  const Interval slope = z * density;
  return {Phi(z), density, -slope, slope * (z * z + Interval(z.precision(), -4.0))};
}

// (1 + tanh(u)) / 2 = logistic(2u)
Gate Tanh(const Interval& z) {
  const mpfr_prec_t precision = z.precision();
  const Interval three(precision, 3.0), six(precision, 6.0);
  const Interval a = Scale(Sqrt(Scale(Inverse(Pi(precision)), 1)), 1);  // 2 sqrt(2/pi)
  const Interval b = Interval(precision, 44715.0) * Inverse(Interval(precision, 1e6));
  const Interval v = a * (z + b * z * z * z);
  const Interval v1 = a * (Interval(precision, 1.0) + three * b * z * z);
  const Interval v2 = a * (six * b * z);
  const Interval v3 = a * (six * b);
  const Sigmoid l = LogisticOf(v);
  const Interval second = l.second * v1 * v1 + l.first * v2;
  const Interval third = l.third * v1 * v1 * v1 + three * l.second * v1 * v2 + l.first * v3;
  return {l.value, l.first * v1, second, Third(z, second, third)};
}

Gate Step(const Interval& z) {
  const int sign = mpfr_sgn(z.lo.get());
  const Interval zero(z.precision(), 0.0);
  return {Interval(z.precision(), sign > 0 ? 1.0 : sign < 0 ? 0.0 : 0.5), zero, zero, zero};
}

// gate(-z), as that of z.
Gate Mirrored(const Gate& gate) {
  return {Interval(gate.value.precision(), 1.0) + -gate.value, gate.first, -gate.second, -gate.third};
}

struct Entry {
  const char* name;
  Gate (*gate)(const Interval& z);
  bool has_alpha;
};

constexpr Entry kOracle[] = {
    {"gelu", Normal, true},
    {"gelu_tanh", Tanh, true},
    {"silu", Logistic, true},
    {"relu", Step, false},
};

const Entry& Find(gelu_function function) {
  const char* name = kFamily[function].name;
  for (const Entry& entry : kOracle) {
    if (std::strcmp(entry.name, name) == 0) return entry;
  }
  std::fprintf(stderr, "gelu: oracle: no line for function %s; add one to kOracle in proof/oracle.cc\n", name);
  std::abort();
}

// MPFR's constants are cached per thread, and would be lost with it. Its exponents may go as far as the gates do.
struct ThreadCache {
  ThreadCache() {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  ~ThreadCache() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
};

constexpr mpfr_prec_t kFirstPrecision = 192;
constexpr mpfr_prec_t kLastPrecision = 1 << 14;  // x = alpha = 2^-1074 needs 2200 bits
constexpr mpfr_prec_t kExactBits = 120;
constexpr double kTail = 4096.0;
constexpr double kAllButOne = 8.0;  // from here on the gate is better known by what it lacks of one

void SetZero(Interval& interval, bool negative) {
  mpfr_set_zero(interval.lo.get(), negative ? -1 : 1);
  mpfr_set_zero(interval.hi.get(), negative ? -1 : 1);
}

void SetPoint(Interval& interval, double value) {
  mpfr_set_d(interval.lo.get(), value, MPFR_RNDN);
  mpfr_set_d(interval.hi.get(), value, MPFR_RNDN);
}

bool IsZero(const Interval& interval) { return mpfr_zero_p(interval.lo.get()) && mpfr_zero_p(interval.hi.get()); }

Interval Hull(const Interval& a, double b) {
  Interval r = a;
  const Real other(53, b);
  mpfr_min(r.lo.get(), r.lo.get(), other.get(), MPFR_RNDD);
  mpfr_max(r.hi.get(), r.hi.get(), other.get(), MPFR_RNDU);
  return r;
}

// At an infinite x: the limit of a quantity that was evaluated deep in the tail.
void SetLimit(Interval& interval) {
  if (IsZero(interval)) return;
  const double value = interval.Middle().ToDouble();
  SetPoint(interval, static_cast<float>(value));
}

}  // namespace

std::uint64_t RoundTo(gelu_dtype dtype, const Real& value) {
  const Format format = FormatOf(dtype);
  if (mpfr_nan_p(value.get())) return format.Nan();
  const std::uint64_t sign = mpfr_signbit(value.get()) ? format.Sign() : 0;
  if (mpfr_zero_p(value.get())) return sign;
  if (mpfr_inf_p(value.get())) return sign | format.Infinity();
  const mpfr_exp_t exponent = mpfr_get_exp(value.get()) - 1;  // 2^exponent <= |value|
  if (exponent > format.max_exponent) return sign | format.Infinity();
  const mpfr_exp_t binade = exponent < format.min_exponent ? format.min_exponent : exponent;
  Real scaled(value.precision());
  mpfr_mul_2si(scaled.get(), value.get(), format.precision - 1 - binade, MPFR_RNDN);
  mpfr_abs(scaled.get(), scaled.get(), MPFR_RNDN);
  Real integer(64);
  mpfr_rint(integer.get(), scaled.get(), MPFR_RNDN);
  // The hidden bit adds one to the exponent field, and so does a carry, up to infinity.
  const auto field = static_cast<std::uint64_t>(binade - format.min_exponent);
  return sign | ((field << (format.precision - 1)) + mpfr_get_uj(integer.get(), MPFR_RNDN));
}

Evaluation::Evaluation(gelu_function function, const gelu_params& params, double x, double b)
    : function_(function),
      params_(params),
      x_(x),
      b_(b),
      derivatives_{Interval(53), Interval(53), Interval(53), Interval(53), Interval(53)} {
  thread_local ThreadCache cache;
  static_cast<void>(cache);
  Compute(kFirstPrecision);
}

void Evaluation::Compute(mpfr_prec_t precision) {
  auto& [f, f1, f2, f3, by_alpha] = derivatives_;
  f = f1 = f2 = f3 = by_alpha = Interval(precision);  // NaN
  const double nearest = x_ + b_;                     // its kind and sign
  if (std::isnan(nearest)) return;

  const Entry& entry = Find(function_);
  const Interval alpha(precision, entry.has_alpha ? params_.alpha : 1.0);
  const bool negative = std::signbit(nearest), infinite = std::isinf(x_) || std::isinf(b_);
  const Interval x = Interval(precision, x_) + Interval(precision, b_);
  Interval z = alpha * (infinite ? Interval(precision, negative ? -kTail : kTail) : x);
  if (infinite && !IsZero(alpha)) SetPoint(z, mpfr_signbit(z.lo.get()) ? -kTail : kTail);
  if (mpfr_cmp_d(z.lo.get(), -kTail) < 0) SetPoint(z, -kTail);
  if (mpfr_cmp_d(z.hi.get(), kTail) > 0) SetPoint(z, kTail);

  const bool upper = mpfr_cmp_d(z.lo.get(), kAllButOne) > 0;
  const Interval side = upper ? -z : z;
  Gate gate = entry.gate(side);
  f1 = gate.value + side * gate.first;
  if (upper) {
    gate = Mirrored(gate);
    f1 = Interval(precision, 1.0) + -f1;  // on one side of 1, however near
  }
  f2 = alpha * (Scale(gate.first, 1) + z * gate.second);
  f3 = alpha * alpha * gate.third;
  for (Interval* derivative : {&f1, &f2, &f3}) {
    if (IsZero(*derivative)) SetZero(*derivative, false);
  }
  if (infinite) {
    for (Interval* limit : {&gate.value, &f1, &f2, &f3}) SetLimit(*limit);
    if (!IsZero(z)) SetLimit(gate.first);
  }
  f = x * gate.value;
  if (IsZero(x) || IsZero(gate.value)) SetZero(f, negative);
  by_alpha = x * x * gate.first;
  if (!entry.has_alpha || IsZero(x) || IsZero(gate.first)) SetZero(by_alpha, false);
  Clip();
}

void Evaluation::Clip() {
  clip_decides_ = false;
  if (std::isinf(params_.clip)) return;
  Interval& f = derivatives_[0];
  const Real clip(53, params_.clip), minus_clip(53, -params_.clip);
  const auto is_beyond = [&](const Real& value) {
    return mpfr_cmp(value.get(), clip.get()) > 0 || mpfr_cmp(value.get(), minus_clip.get()) < 0;
  };
  const int beyond = is_beyond(f.lo) + is_beyond(f.hi);
  clip_decides_ = beyond == 1;
  for (Interval& derivative : std::span(derivatives_).subspan(1)) {
    if (beyond == 2) SetZero(derivative, false);
    if (beyond == 1) derivative = Hull(derivative, 0.0);  // undecided at this precision: never tight
  }
  for (Real* end : {&f.lo, &f.hi}) {
    mpfr_min(end->get(), end->get(), clip.get(), MPFR_RNDN);
    mpfr_max(end->get(), end->get(), minus_clip.get(), MPFR_RNDN);
  }
}

void Evaluation::Refine() {
  const mpfr_prec_t precision = 2 * derivatives_[0].precision();
  if (precision > kLastPrecision) {
    std::fprintf(stderr, "gelu: oracle: %s at x = %a + %a, alpha = %a is undecided at %ld bits\n",
                 kFamily[function_].name, x_, b_, params_.alpha, static_cast<long>(kLastPrecision));
    std::abort();
  }
  Compute(precision);
}

Interval Evaluation::Enclose(int derivative, std::span<const double> factors) {
  const auto index = static_cast<std::size_t>(derivative);
  if (!factors.empty()) {
    while (!derivatives_[index].IsTight(1)) Refine();  // the sign, which a zero or infinite product needs
  }
  Interval product = derivatives_[index];
  for (const double factor : factors) product = product * Interval(product.precision(), factor);
  return product;
}

Real Evaluation::Exact(int derivative, std::span<const double> factors) {
  Interval result = Enclose(derivative, factors);
  while (!result.IsTight(kExactBits)) {
    Refine();
    result = Enclose(derivative, factors);
  }
  return result.Middle();
}

std::uint64_t Evaluation::Rounded(int derivative, gelu_dtype dtype, std::span<const double> factors) {
  while (true) {
    const Interval result = Enclose(derivative, factors);
    Real lo(result.precision() + 2), hi(result.precision() + 2);
    mpfr_set(lo.get(), result.lo.get(), MPFR_RNDN);
    mpfr_set(hi.get(), result.hi.get(), MPFR_RNDN);
    // A number that is not known exactly has more bits than a tie, so that it is none: where an end of the interval is
    // a tie it lies inside, as x b (1 - 2^-100000) does. But at a clip it may be the end.
    if (!result.IsPoint() && !clip_decides_) {
      mpfr_nextabove(lo.get());
      mpfr_nextbelow(hi.get());
    }
    const std::uint64_t bits = RoundTo(dtype, lo);
    if (bits == RoundTo(dtype, hi)) return bits;
    Refine();
  }
}

}  // namespace gelu::proof
