// SPDX-License-Identifier: Apache-2.0
// For its lifetime the floating-point unit rounds to nearest and keeps subnormals, whatever the host has chosen.
#pragma once
#include <cfenv>
#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace gelu {

#if defined(__x86_64__)

class DefaultControlWord {
 public:
  DefaultControlWord() : host_(_mm_getcsr()) {
    if ((host_ & kControl) != kDefault) _mm_setcsr((host_ & ~kControl) | kDefault);
  }
  // The exception flags raised meanwhile stay raised.
  ~DefaultControlWord() {
    if ((host_ & kControl) != kDefault) _mm_setcsr((_mm_getcsr() & ~kControl) | (host_ & kControl));
  }
  DefaultControlWord(const DefaultControlWord&) = delete;
  DefaultControlWord& operator=(const DefaultControlWord&) = delete;

 private:
  static constexpr unsigned kControl = 0xffc0;  // FTZ, rounding, exception masks, DAZ
  static constexpr unsigned kDefault = 0x1f80;  // all exceptions masked
  const unsigned host_;
};

#elif defined(__aarch64__)

class DefaultControlWord {
 public:
  DefaultControlWord() : host_(Read()) {
    if (host_ != 0) Write(0);
  }
  ~DefaultControlWord() {
    if (host_ != 0) Write(host_);
  }
  DefaultControlWord(const DefaultControlWord&) = delete;
  DefaultControlWord& operator=(const DefaultControlWord&) = delete;

 private:
  static uint64_t Read() {
    uint64_t word;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static void Write(uint64_t word) { asm volatile("msr fpcr, %0" : : "r"(word)); }
  const uint64_t host_;
};

#else

class DefaultControlWord {
 public:
  DefaultControlWord() : rounding_(std::fegetround()) {
    if (rounding_ != FE_TONEAREST) std::fesetround(FE_TONEAREST);
  }
  ~DefaultControlWord() {
    if (rounding_ != FE_TONEAREST) std::fesetround(rounding_);
  }
  DefaultControlWord(const DefaultControlWord&) = delete;
  DefaultControlWord& operator=(const DefaultControlWord&) = delete;

 private:
  const int rounding_;
};

#endif

}  // namespace gelu
