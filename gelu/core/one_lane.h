// SPDX-License-Identifier: Apache-2.0
// One lane of the vocabulary of lanes-inl.h: plain scalars, for machines without fused multiply-add, where fma() of the
// C library gives the same bits.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace gelu {
namespace one_lane {

template <class T>
struct Tag {
  using Lane = T;
};
template <class D>
using LaneOf = typename D::Lane;
template <class D>
using Vec = typename D::Lane;
template <class T, class D>
using Rebind = Tag<T>;
template <class D>
using RebindToUnsigned = Tag<std::conditional_t<sizeof(Vec<D>) == 8, uint64_t, uint32_t>>;
template <class D>
using RebindToSigned = Tag<std::conditional_t<sizeof(Vec<D>) == 8, int64_t, int32_t>>;

template <class D>
constexpr size_t Lanes(D) {
  return 1;
}
template <class T, class U>
inline T Set(Tag<T>, U x) {
  return static_cast<T>(x);
}
template <class T>
inline T Zero(Tag<T>) {
  return T{0};
}
template <class T>
inline T Iota(Tag<T>, T first) {
  return first;
}
template <class T>
inline T LoadU(Tag<T>, const T* p) {
  return *p;
}
template <class T>
inline void StoreU(T v, Tag<T>, T* p) {
  *p = v;
}

inline void LoadRows(Tag<float>, const void* base, const uint32_t* offset, float* c) {
  std::memcpy(c, static_cast<const char*>(base) + *offset, 4 * sizeof *c);
}
inline void LoadRows(Tag<double>, const void* base, const uint64_t* offset, double* c) {
  std::memcpy(c, static_cast<const char*>(base) + *offset, 8 * sizeof *c);
}
inline void LoadRowPairs(Tag<double>, const void* base, const uint64_t* offset, double* c) {
  std::memcpy(c, static_cast<const char*>(base) + *offset, 2 * sizeof *c);
}

inline uint64_t MulLower(uint64_t a, uint64_t b) { return (a & 0xffffffff) * (b & 0xffffffff); }
inline uint64_t IotaOfFours(Tag<uint64_t>) { return 0; }
inline void StoreFours(uint64_t a, uint64_t b, uint64_t c, uint64_t e, Tag<uint64_t>, uint32_t* p) {
  p[0] = static_cast<uint32_t>(a);
  p[1] = static_cast<uint32_t>(b);
  p[2] = static_cast<uint32_t>(c);
  p[3] = static_cast<uint32_t>(e);
}

template <class T>
inline T Add(T a, T b) {
  return static_cast<T>(a + b);
}
template <class T>
inline T Sub(T a, T b) {
  return static_cast<T>(a - b);
}
template <class T>
inline T Mul(T a, T b) {
  return a * b;
}
template <class T>
inline T Div(T a, T b) {
  return a / b;
}
template <class T>
inline T Neg(T a) {
  return -a;
}
template <class T>
inline T MulAdd(T a, T b, T c) {
  return std::fma(a, b, c);
}
template <class T>
inline T NegMulAdd(T a, T b, T c) {
  return std::fma(-a, b, c);
}
template <class T>
inline T Abs(T a) {
  return std::fabs(a);
}
template <class T>
inline T Min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
inline T Max(T a, T b) {
  return a > b ? a : b;
}

template <class T>
inline bool Eq(T a, T b) {
  return a == b;
}
template <class T>
inline bool Lt(T a, T b) {
  return a < b;
}
template <class T>
inline bool Ge(T a, T b) {
  return a >= b;
}
template <class T>
inline T And(T a, T b) {
  return a & b;
}
template <class T>
inline T AndNot(T a, T b) {
  return ~a & b;
}
template <class T>
inline T Or(T a, T b) {
  return a | b;
}
template <class T>
inline T Xor(T a, T b) {
  return a ^ b;
}
template <class T>
inline T Xor3(T a, T b, T c) {
  return a ^ b ^ c;
}
template <class D>
inline bool AllFalse(D, bool mask) {
  return !mask;
}
inline bool Not(bool a) { return !a; }
template <class T>
requires std::is_arithmetic_v<T>
inline T IfThenElse(bool mask, T yes, T no) { return mask ? yes : no; }
template <class T>
inline T IfThenElseZero(bool mask, T yes) {
  return mask ? yes : T{0};
}
template <class T>
inline bool IsFinite(T a) {
  return std::isfinite(a);
}
template <class T>
inline T IfNegativeThenElse(T a, T yes, T no) {
  return std::signbit(a) ? yes : no;
}
template <class D>
inline bool RebindMask(D, bool mask) {
  return mask;
}

template <int bits, class T>
inline T ShiftLeft(T a) {
  return static_cast<T>(a << bits);
}
template <int bits, class T>
inline T ShiftRight(T a) {
  return static_cast<T>(a >> bits);
}
template <class T, class U>
inline T BitCast(Tag<T>, U a) {
  static_assert(sizeof(T) == sizeof(U));
  T r;
  std::memcpy(&r, &a, sizeof r);
  return r;
}
template <class T, class U>
inline T PromoteTo(Tag<T>, U a) {
  return static_cast<T>(a);
}
template <class T, class U>
inline T DemoteTo(Tag<T>, U a) {
  return static_cast<T>(a);
}

}  // namespace one_lane
}  // namespace gelu
