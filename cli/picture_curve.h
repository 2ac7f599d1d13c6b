// SPDX-License-Identifier: Apache-2.0
// What a picture shows: which functions, and their values.
#pragma once
#include <string>
#include <vector>

#include "cli/picture.h"
#include "gelu/gelu.h"

namespace gelu::cli {

// n + 1 points from low to high, evenly spread.
std::vector<double> Grid(double low, double high, int n);

// x rounded to a dtype, the way it would reach the function in an array of that type.
std::vector<double> Round(gelu_dtype dtype, const std::vector<double>& x);

// The values of gelu_apply in the arithmetic of a dtype.
std::vector<double> Evaluate(const gelu_activation& activation, gelu_form form, gelu_dtype dtype,
                             const std::vector<double>& x);

// The first function of the family, which the others are compared with.
gelu_activation Reference();

// The family, and of each member every other alpha that the registry knows, under its first name there.
std::vector<Curve> FamilyCurves();

// What is compared with the reference: of each other function the alpha that comes nearest to it.
std::vector<Curve> ApproximationCurves();

}  // namespace gelu::cli
