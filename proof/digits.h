// SPDX-License-Identifier: Apache-2.0
// Published decimals as tests.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "proof/interval.h"

namespace gelu::proof {

// |exact - digits| is at most one unit of the last printed digit.
inline void ExpectDigits(const Real& exact, const std::string& digits) {
  Real printed(200), unit(200);
  mpfr_set_str(printed.get(), digits.c_str(), 10, MPFR_RNDN);
  std::string one = digits;
  const std::size_t mantissa_end = std::min(digits.find('e'), digits.size());
  for (std::size_t i = 0; i < mantissa_end; ++i) {
    if (std::isdigit(one[i])) one[i] = i + 1 == mantissa_end ? '1' : '0';
  }
  mpfr_set_str(unit.get(), one.c_str(), 10, MPFR_RNDN);
  mpfr_sub(printed.get(), printed.get(), exact.get(), MPFR_RNDN);
  EXPECT_LE(mpfr_cmpabs(printed.get(), unit.get()), 0) << digits;
}

}  // namespace gelu::proof
