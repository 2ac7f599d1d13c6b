// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/statistics_moments.h"
#include "gelu/gelu.h"

namespace gelu::cli {

// Mean and variance of f(X), X normal with this mean and standard deviation.
Moments GaussianMoments(const gelu_activation& activation, double mean, double deviation);

}  // namespace gelu::cli
