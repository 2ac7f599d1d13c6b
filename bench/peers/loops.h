// SPDX-License-Identifier: Apache-2.0
// Loops that are compiled here, once for AVX2 (x86-64-v3) and once for AVX-512 (x86-64-v4).
#pragma once
#include <cstddef>

#include "gelu/gelu.h"

namespace gelu::bench {

// y[i] = f(x[i]); n is a multiple of 16.
using Loop = void (*)(const void* x, void* y, size_t n);

// Null where there is none.
Loop NaiveLoopV3(gelu_function function, gelu_dtype dtype);
Loop NaiveLoopV4(gelu_function function, gelu_dtype dtype);
Loop SleefLoopV3(gelu_function function, gelu_dtype dtype);
Loop SleefLoopV4(gelu_function function, gelu_dtype dtype);

// The name that a file which is compiled for both gives its own.
#ifdef __AVX512F__
#define GELU_BENCH_LOOP(name) name##LoopV4
#else
#define GELU_BENCH_LOOP(name) name##LoopV3
#endif

}  // namespace gelu::bench
