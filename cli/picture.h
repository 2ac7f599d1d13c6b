// SPDX-License-Identifier: Apache-2.0
// Pictures of the family, drawn by gnuplot from values of gelu_apply.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gelu/gelu.h"

namespace gelu::cli {

// Equal bins over [low, high]. What a tensor holds outside of it counts in
// total alone.
struct Histogram {
  double low = 0;
  double high = 0;
  std::vector<uint64_t> counts;
  uint64_t total = 0;  // elements of the tensor; 0 means the sum of counts
  std::string name;    // of the tensor, for the axis; may be empty
};

struct Curve {
  gelu_activation activation;
  std::string name;  // shown beside the formula
  size_t style = 0;  // colour, dashes and width; 0 is the most prominent
};

struct PictureRequest {
  std::string kind = "family";           // one of PictureKinds()
  gelu_form form = gelu_form_forward;    // what "family" and "error" show; the other kinds are forms themselves
  gelu_dtype dtype = gelu_dtype_f64;     // the arithmetic that is drawn
  std::vector<Curve> curves;             // empty: the family, also at the other alphas that the registry knows
  const Histogram* histogram = nullptr;  // drawn in a panel below, on the same x axis
  double low = 0;                        // range of x; low == high: the default of the kind
  double high = 0;
  int width = 0;      // in pixels; 0: the default
  int height = 0;     // 0: what the panels need, which is best
  bool dark = false;  // light text on a dark ground; otherwise the ground is transparent in SVG and white in PNG
};

// "family", every derivative, and "error": the difference of each curve from the first function of the family.
std::vector<std::string> PictureKinds();

// Fills in low and high where they are equal.
void SetDefaultRange(PictureRequest& request);

// One <svg> element, to be written to a file or placed into HTML as it is: no ids, text and axes in currentColor.
// Both throw Failure on a request that cannot be drawn, and where gnuplot is missing or fails.
std::string RenderSvg(const PictureRequest& request);
std::string RenderPng(const PictureRequest& request);

}  // namespace gelu::cli
