// SPDX-License-Identifier: Apache-2.0
#include "proof/reference.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "proof/double_double.h"
#include "proof/reference_tables.h"

namespace gelu::proof {
namespace {

constexpr double kTiny = 0x1p-40;  // below it two terms of the series at zero say more than 106 bits
constexpr int kScaleBelow = -900;  // results of a smaller exponent are scaled, to keep their low half
constexpr int kScale = 600;
constexpr double kInvisible = 0x1p-500;  // times 2^-kScale: below every format, above what is left beyond kEnd

// What differs between the two kinds of numbers.
struct Exact {
  using Number = DoubleDouble;
  static constexpr double kRelativeError = 0x1p-94;
  static Number Of(DoubleDouble a) { return a; }
  static Number Product(double a, double b) { return TwoProduct(a, b); }
  static double High(Number a) { return a.hi; }
  static double Low(Number a) { return a.lo; }
};

struct Quick {
  using Number = double;
  static constexpr double kRelativeError = 0x1p-40;
  static Number Of(DoubleDouble a) { return a.hi; }
  static Number Product(double a, double b) { return a * b; }
  static double High(Number a) { return a; }
  static double Low(Number) { return 0.0; }
};

inline double Inverse(double a) { return 1.0 / a; }

// On the side where the gate vanishes, at z = -t for t >= 0, all scaled by 2^-exponent: the gate and its derivatives.
template <class Kind>
struct Tail {
  typename Kind::Number gate{}, first{}, second{};
  int exponent = 0;
};

// exp(-v), scaled.
template <class Number>
Number Decay(const ReferenceTables& tables, Number v, int& scale) {
  int exponent = 0;
  const Number e = Exp(tables, -v, exponent);
  scale = exponent < kScaleBelow ? -kScale : 0;
  return e * PowerOfTwo(exponent - scale);
}

struct Normal {
  static constexpr bool kHasAlpha = true;
  static constexpr double kEnd = ReferenceTables::kMillsEnd;  // f, f' and f'' are below 2^-1140 beyond -kEnd
  template <class Kind>
  static Tail<Kind> At(const ReferenceTables& tables, typename Kind::Number t) {
    Tail<Kind> tail;
    tail.first = Decay(tables, t * t * 0.5, tail.exponent) * Kind::Of(tables.inverse_root_two_pi);
    tail.gate = Mills(tables, t) * tail.first;
    tail.second = t * tail.first;
    return tail;
  }
};

struct Logistic {
  static constexpr bool kHasAlpha = true;
  static constexpr double kEnd = 800.0;
  template <class Kind>
  static Tail<Kind> At(const ReferenceTables& tables, typename Kind::Number t) {
    Tail<Kind> tail;
    const auto e = Decay(tables, t, tail.exponent);
    const auto unscaled = e * PowerOfTwo(tail.exponent);
    const auto inverse = Inverse(unscaled + 1.0);
    tail.gate = e * inverse;
    tail.first = tail.gate * inverse;
    tail.second = tail.first * ((-unscaled + 1.0) * inverse);
    return tail;
  }
};

// (1 + tanh(u)) / 2 = logistic(2u)
struct Tanh {
  static constexpr bool kHasAlpha = true;
  static constexpr double kEnd = 23.0;
  template <class Kind>
  static Tail<Kind> At(const ReferenceTables& tables, typename Kind::Number t) {
    const auto linear = Kind::Of(tables.tanh_linear);
    const auto cubic = Kind::Of(tables.tanh_cubic);
    const auto part = cubic * (t * t);
    const auto v1 = linear * (part * 3.0 + 1.0);
    const auto v2 = linear * cubic * (t * 6.0);
    Tail<Kind> tail = Logistic::At<Kind>(tables, linear * (t * (part + 1.0)));
    tail.second = tail.second * (v1 * v1) - tail.first * v2;
    tail.first = tail.first * v1;
    return tail;
  }
};

struct Step {
  static constexpr bool kHasAlpha = false;
  static constexpr double kEnd = 1.0;
  template <class Kind>
  static Tail<Kind> At(const ReferenceTables&, typename Kind::Number t) {
    Tail<Kind> tail;
    tail.gate = Kind::Of({Kind::High(t) == 0.0 ? 0.5 : 0.0, 0.0});
    return tail;
  }
};

// f = x gate(+-0) + slope x^2 + O(x z^3), and its derivative. The second term is kept, in sign at least, when it is far
// below the first: it decides ties.
inline Ball NearZero(gelu_form form, const Reference::Constants& constants, double x, double z) {
  constexpr double kSmallest = 0x1p-1000;
  const double gate = std::signbit(z) ? constants.limit : 1.0 - constants.limit;
  const bool forward = form == gelu_form_forward;
  const int exponent = forward && std::abs(x) < 0x1p-400 ? -kScale : 0;
  const double scaled = x * PowerOfTwo(-exponent);
  const double hi = gate * (forward ? scaled : 1.0);
  const double lo = constants.slope * (forward ? x * scaled : 2.0 * x);
  if (constants.slope == 0.0) return {hi, 0.0, 0.0, exponent};
  if (std::abs(lo) < kSmallest) {
    const double side = std::copysign(kSmallest, forward ? constants.slope : constants.slope * x);
    return {hi, side, kSmallest, exponent};
  }
  const double next = std::abs(z * z * z * hi);
  return {hi, lo, 0x1p-50 * std::abs(lo) + next, exponent};
}

// Of the form at -t; its scale is the tail's. magnitude bounds the terms before they cancel.
template <class Kind>
typename Kind::Number Combine(gelu_form form, double alpha, typename Kind::Number t, const Tail<Kind>& tail,
                              double& magnitude) {
  if (form == gelu_form_forward) {
    magnitude = Kind::High(tail.gate);
    return tail.gate;
  }
  if (form == gelu_form_second_derivative) {
    const auto product = t * tail.second;
    magnitude = std::abs(alpha) * (2.0 * Kind::High(tail.first) + std::abs(Kind::High(product)));
    return (tail.first * 2.0 - product) * alpha;
  }
  const auto product = t * tail.first;
  magnitude = Kind::High(tail.gate) + Kind::High(product);
  return tail.gate - product;
}

template <class Gate, class Kind>
Ball At(const ReferenceTables& tables, const Reference::Constants& constants, gelu_form form, double x) {
  using Number = typename Kind::Number;
  const Number z = Kind::Product(constants.alpha, x);
  const double high = Kind::High(z);
  const bool even = form == gelu_form_second_derivative;
  if (x != 0.0 && std::abs(high) < kTiny && !even) return NearZero(form, constants, x, high);

  const bool left = std::signbit(high);
  const bool vanishes = left || even;
  const double factor = form == gelu_form_forward ? x : 1.0;
  if (std::abs(high) > Gate::kEnd) {
    if (!vanishes) return {factor, 0.0, kInvisible * std::abs(factor), 0};
    const double rest = constants.rest[form];
    return {std::copysign(rest, std::copysign(1.0, rest) * factor), 0.0, std::abs(rest), -kScale};
  }
  const Number t = left ? -z : z;
  const auto tail = Gate::template At<Kind>(tables, t);
  double magnitude = 0.0;
  const Number value = Combine<Kind>(form, constants.alpha, t, tail, magnitude);
  const int exponent = vanishes ? tail.exponent : 0;
  const Number result = (vanishes ? value : -(value * PowerOfTwo(tail.exponent)) + 1.0) * factor;
  if (Kind::High(result) == 0.0) return {std::copysign(0.0, factor), 0.0, 0.0, 0};
  if (!vanishes) magnitude = magnitude * PowerOfTwo(tail.exponent) + 1.0;
  return {Kind::High(result), Kind::Low(result), Kind::kRelativeError * magnitude * std::abs(factor), exponent};
}

template <class Gate, class Kind>
void All(const Reference::Constants& constants, gelu_form form, const double* x, Ball* balls, std::size_t n) {
  const ReferenceTables& tables = ReferenceTables::Get();
  for (std::size_t i = 0; i < n; ++i) balls[i] = At<Gate, Kind>(tables, constants, form, x[i]);
}

#if defined(__x86_64__)
// Without the instruction, fma() is a call that takes longer than all the rest.
template <class Gate, class Kind>
[[gnu::target("fma"), gnu::flatten]] void AllFma(const Reference::Constants& constants, gelu_form form, const double* x,
                                                 Ball* balls, std::size_t n) {
  All<Gate, Kind>(constants, form, x, balls, n);
}
template <class Gate, class Kind>
Reference::Batch Choose() {
  return __builtin_cpu_supports("fma") ? AllFma<Gate, Kind> : All<Gate, Kind>;
}
#else
template <class Gate, class Kind>
Reference::Batch Choose() {
  return All<Gate, Kind>;
}
#endif

template <class Gate>
Reference::Constants Describe(double alpha) {
  const ReferenceTables& tables = ReferenceTables::Get();
  if (!Gate::kHasAlpha) alpha = 1.0;
  Reference::Constants constants{};
  constants.alpha = alpha;
  constants.slope = alpha * Gate::template At<Exact>(tables, {0.0, 0.0}).first.hi;
  constants.limit = Gate::template At<Exact>(tables, {0x1p-1000, 0.0}).gate.hi;
  const DoubleDouble end = {Gate::kEnd, 0.0};
  const auto tail = Gate::template At<Exact>(tables, end);
  for (int form = 0; form < gelu_form_count_; ++form) {
    double magnitude = 0.0;
    const double value = Combine<Exact>(static_cast<gelu_form>(form), alpha, end, tail, magnitude).hi;
    constants.rest[form] = value == 0.0 ? 0.0 : std::copysign(kInvisible, value);
  }
  return constants;
}

struct Entry {
  const char* name;
  Reference::Batch (*exact)();
  Reference::Batch (*quick)();
  Reference::Constants (*describe)(double alpha);
};

template <class Gate>
constexpr Entry Line(const char* name) {
  return {name, Choose<Gate, Exact>, Choose<Gate, Quick>, Describe<Gate>};
}

constexpr Entry kReference[] = {
    Line<Normal>("gelu"),
    Line<Tanh>("gelu_tanh"),
    Line<Logistic>("silu"),
    Line<Step>("relu"),
};

const Entry& Find(gelu_function function) {
  const char* name = kFamily[function].name;
  for (const Entry& entry : kReference) {
    if (std::strcmp(entry.name, name) == 0) return entry;
  }
  std::fprintf(stderr, "gelu: reference: no line for function %s; add one to kReference in proof/reference.cc\n", name);
  std::abort();
}

}  // namespace

Reference::Reference(gelu_function function, double alpha)
    : exact_(Find(function).exact()), quick_(Find(function).quick()), constants_(Find(function).describe(alpha)) {}

}  // namespace gelu::proof
