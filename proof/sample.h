// SPDX-License-Identifier: Apache-2.0
// Where errors hide: every binade and sign, the special numbers, and the neighbours of the places where a result
// crosses zero, becomes subnormal, underflows or reaches its limit. Those places are found with the oracle, not written
// down.
#pragma once
#include <cstdint>
#include <vector>

#include "gelu/gelu.h"
#include "proof/format.h"

namespace gelu::proof {

// Zeros, infinities, NaNs quiet and signalling with payloads, and the ends of the subnormal and normal ranges.
std::vector<std::uint64_t> Specials(gelu_dtype dtype);

// Neighbours on both sides of each root, threshold and boundary of f, f' and f'', or of the derivatives (forms.h) from
// the first up to the end.
std::vector<std::uint64_t> Landmarks(gelu_function function, gelu_dtype dtype, double alpha, int neighbours,
                                     int first = 0, int end = 3);

// per_binade random numbers of each sign in every binade, the subnormals included; dense in each where it is not far
// from 1/|alpha|.
std::vector<std::uint64_t> Binades(gelu_dtype dtype, double alpha, int per_binade, int dense, std::uint64_t seed);

// Upstream gradients: numbers near one, random patterns, special numbers.
std::vector<std::uint64_t> Gradients(gelu_dtype dtype, std::size_t n, std::uint64_t seed);

// As many inputs as any form reads: x, and gradients of different seeds.
std::vector<Array> Operands(gelu_dtype dtype, const std::vector<std::uint64_t>& x, std::uint64_t seed);

}  // namespace gelu::proof
