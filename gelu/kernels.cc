// SPDX-License-Identifier: Apache-2.0
// Compiles the kernels once for every instruction set that has fused multiply-add.
#include "gelu/kernels.h"

#include <utility>

#include "gelu/targets.h"

#define HWY_DISABLED_TARGETS (~(GELU_HIGHWAY_TARGETS | HWY_EMU128 | HWY_SCALAR))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gelu/kernels.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef GELU_KERNELS_CC_ONCE_
#define GELU_KERNELS_CC_ONCE_
namespace gelu {
template <int64_t target>
const Kernels* KernelsOf() {
  return nullptr;
}
}  // namespace gelu
#endif

#if HWY_NATIVE_FMA
#include "gelu/table-inl.h"
namespace gelu {
template <>
const Kernels* KernelsOf<HWY_TARGET>() {
  return &HWY_NAMESPACE::kKernels;
}
}  // namespace gelu
#endif

#if HWY_ONCE
namespace gelu {

const Kernels* KernelsOfTarget(int64_t target) {
  const Kernels* found = nullptr;
  const auto look = [&]<size_t... bit>(std::index_sequence<bit...>) {
    ((target == (int64_t{1} << bit) ? void(found = KernelsOf<(int64_t{1} << bit)>()) : void()), ...);
  };
  look(std::make_index_sequence<63>());
  return found;
}

}  // namespace gelu
#endif
