// SPDX-License-Identifier: Apache-2.0
// The host's floating-point control word, as a program may have left it.
#pragma once
#include <cfenv>
#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace gelu::proof {

#if defined(__SSE2__)
inline std::uint64_t ControlWord() { return _mm_getcsr() & ~0x3fU; }  // without the sticky flags
inline void SetControlWord(std::uint64_t word) { _mm_setcsr(static_cast<unsigned>(word)); }
inline constexpr std::uint64_t kFlush = 0x8040;   // flush to zero, denormals are zero
inline constexpr std::uint64_t kTrapped = 0x680;  // traps on invalid, division by zero and overflow when cleared
inline std::uint64_t WithTraps(std::uint64_t word) { return word & ~kTrapped; }
#elif defined(__aarch64__)
inline std::uint64_t ControlWord() {
  std::uint64_t word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
inline void SetControlWord(std::uint64_t word) { __asm__ volatile("msr fpcr, %0" : : "r"(word)); }
inline constexpr std::uint64_t kFlush = 1U << 24;
inline std::uint64_t WithTraps(std::uint64_t word) { return word | 0x700; }
#endif

// Restores the control word and the sticky flags at the end of a scope.
class ScopedFloatingPoint {
 public:
  ScopedFloatingPoint() { std::fegetenv(&saved_); }
  ~ScopedFloatingPoint() { std::fesetenv(&saved_); }
  ScopedFloatingPoint(const ScopedFloatingPoint&) = delete;
  ScopedFloatingPoint& operator=(const ScopedFloatingPoint&) = delete;

 private:
  std::fenv_t saved_;
};

}  // namespace gelu::proof
