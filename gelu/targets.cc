// SPDX-License-Identifier: Apache-2.0
#include "gelu/targets.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "hwy/detect_targets.h"
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace gelu {
namespace {

struct Target {
  const char* name;
  int64_t bit;          // Highway's; 0 for one lane
  bool (*available)();  // does this machine, and its system, support what Highway's code for it uses?
};

#if defined(__x86_64__) || defined(__i386__)
bool HaveF16c() {  // for which clang 14 has no name
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
bool HaveAvx2() {
  return HaveF16c() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("aes") &&
         __builtin_cpu_supports("pclmul");
}
bool HaveAvx3() {
  return HaveAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
}
#endif
bool Always() { return true; }

// Best first. Highway's own detection lives in its library, which would be a link dependency.
constexpr Target kTargets[] = {
#if defined(__x86_64__) || defined(__i386__)
    {"AVX3", HWY_AVX3, HaveAvx3},
    {"AVX2", HWY_AVX2, HaveAvx2},
#endif
#if defined(__aarch64__)
    {"NEON", GELU_HIGHWAY_NEON, Always},
#endif
    {"ONE_LANE", 0, Always},
};

const Kernels* Table(const Target& target) { return target.bit == 0 ? &OneLaneKernels() : KernelsOfTarget(target.bit); }

bool Usable(const Target& target) { return Table(target) != nullptr && target.available(); }

const Target* Find(const char* name) {
  for (const Target& target : kTargets) {
    if (Usable(target) && (name == nullptr || std::strcmp(target.name, name) == 0)) return &target;
  }
  return nullptr;
}

// The table in use, or null before the first call. kUnusable stands for a GELU_TARGET that cannot be used.
std::atomic<const Kernels*> chosen{nullptr};
constexpr Kernels kUnusable{};

// The first call chooses, unless gelu_set_target in another thread has by then.
const Kernels* Choose() {
  const char* wanted = std::getenv("GELU_TARGET");
  const Target* target = Find(wanted != nullptr && *wanted != '\0' ? wanted : nullptr);
  const Kernels* table = target != nullptr ? Table(*target) : &kUnusable;
  const Kernels* earlier = nullptr;
  return chosen.compare_exchange_strong(earlier, table, std::memory_order_relaxed) ? table : earlier;
}

}  // namespace

const Kernels* CurrentKernels() {
  const Kernels* table = chosen.load(std::memory_order_relaxed);
  if (table == nullptr) table = Choose();
  return table != &kUnusable ? table : nullptr;
}

}  // namespace gelu

size_t gelu_target_count(void) { return std::size(gelu::kTargets); }

const char* gelu_target_name(size_t index) {
  return index < std::size(gelu::kTargets) ? gelu::kTargets[index].name : nullptr;
}

int gelu_target_available(size_t index) {
  return index < std::size(gelu::kTargets) && gelu::Usable(gelu::kTargets[index]) ? 1 : 0;
}

const char* gelu_target(void) {
  const gelu::Kernels* table = gelu::CurrentKernels();
  for (const gelu::Target& target : gelu::kTargets) {
    if (table != nullptr && gelu::Table(target) == table) return target.name;
  }
  return nullptr;
}

gelu_status gelu_set_target(const char* name) {
  const gelu::Target* target = gelu::Find(name);
  if (target == nullptr) return GELU_ERROR_TARGET;
  gelu::chosen.store(gelu::Table(*target), std::memory_order_relaxed);
  return GELU_OK;
}
