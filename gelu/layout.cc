// SPDX-License-Identifier: Apache-2.0
#include "gelu/layout.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gelu {
namespace {

size_t Size(ptrdiff_t stride) {
  return stride < 0 ? size_t{0} - static_cast<size_t>(stride) : static_cast<size_t>(stride);
}

// The bytes before and behind the element at index 0 that an array's other elements reach, and itself.
struct Reach {
  size_t before, behind;
};

// False if it is larger than the address space.
bool FindReach(const Layout& layout, size_t array, Reach* reach) {
  size_t left = std::numeric_limits<ptrdiff_t>::max() / layout.size - 1;  // elements of the address space
  *reach = {0, layout.size};
  for (size_t k = 0; k < layout.rank; ++k) {
    const ptrdiff_t stride = layout.at[k].stride[array];
    const size_t steps = layout.at[k].length - 1;
    if (stride == 0) continue;
    if (steps > left / Size(stride)) return false;
    left -= steps * Size(stride);
    (stride < 0 ? reach->before : reach->behind) += steps * Size(stride) * layout.size;
  }
  return true;
}

bool SameLayout(const Layout& layout, size_t a, size_t b) {
  return std::all_of(layout.at, layout.at + layout.rank,
                     [&](const Layout::Dimension& dimension) { return dimension.stride[a] == dimension.stride[b]; });
}

// Do two elements of one array share a place? Yes, too, where strides interlock so that only a search could tell.
bool OverlapsItself(const Layout& layout, size_t array) {
  const Layout::Dimension* order[GELU_MAX_RANK];
  for (size_t k = 0; k < layout.rank; ++k) order[k] = &layout.at[k];
  std::sort(order, order + layout.rank,
            [&](const auto* a, const auto* b) { return Size(a->stride[array]) < Size(b->stride[array]); });
  size_t extent = 0;  // of the smaller dimensions
  for (size_t k = 0; k < layout.rank; ++k) {
    const size_t stride = Size(order[k]->stride[array]);
    if (stride <= extent) return true;
    extent += stride * (order[k]->length - 1);
  }
  return false;
}

// Of two arrays of the first output's layout, `distance` bytes apart: do they share a byte, by index differences in
// dimensions k and after? Each stride is larger than all that follow it reach, so few differences come into question.
bool Meet(const Layout& layout, size_t array, ptrdiff_t distance, size_t k) {
  const auto size = static_cast<ptrdiff_t>(layout.size);
  ptrdiff_t rest = size - 1;
  for (size_t j = k; j < layout.rank; ++j) {
    rest += static_cast<ptrdiff_t>((layout.at[j].length - 1) * Size(layout.at[j].stride[array])) * size;
  }
  if (distance < -rest || rest < distance) return false;
  if (k == layout.rank) return true;
  const ptrdiff_t stride = layout.at[k].stride[array] * size;
  const auto most = static_cast<ptrdiff_t>(layout.at[k].length - 1);
  const ptrdiff_t nearest = distance / stride;
  for (ptrdiff_t difference = nearest - 1; difference <= nearest + 1; ++difference) {
    if (-most <= difference && difference <= most && Meet(layout, array, distance - difference * stride, k + 1))
      return true;
  }
  return false;
}

bool Overlap(const Layout& layout, size_t a, const Reach& reach_a, size_t b, const Reach& reach_b) {
  const auto x = reinterpret_cast<uintptr_t>(layout.data[a]), y = reinterpret_cast<uintptr_t>(layout.data[b]);
  if (x + reach_a.behind <= y - reach_b.before || y + reach_b.behind <= x - reach_a.before) return false;
  constexpr size_t kMaxSearch = 8;  // dimensions
  if (layout.rank > kMaxSearch || !SameLayout(layout, a, b) || !SameLayout(layout, b, layout.inputs)) return true;
  return Meet(layout, b, static_cast<ptrdiff_t>(x - y), 0);
}

void Collapse(Layout& layout) {
  const size_t output = layout.inputs;
  Layout::Dimension* const end =
      std::remove_if(layout.at, layout.at + layout.rank, [](const Layout::Dimension& d) { return d.length == 1; });
  layout.rank = static_cast<size_t>(end - layout.at);
  for (Layout::Dimension* d = layout.at; d != end; ++d) {
    if (d->stride[output] >= 0) continue;
    for (size_t a = 0; a < layout.arrays; ++a) {
      layout.data[a] += d->stride[a] * static_cast<ptrdiff_t>((d->length - 1) * layout.size);
      d->stride[a] = -d->stride[a];
    }
  }
  std::stable_sort(layout.at, end, [&](const Layout::Dimension& a, const Layout::Dimension& b) {
    return a.stride[output] > b.stride[output];
  });
  size_t last = 0;
  for (size_t k = 1; k < layout.rank; ++k) {
    Layout::Dimension& outer = layout.at[last];
    const Layout::Dimension& inner = layout.at[k];
    bool joins = true;
    for (size_t a = 0; a < layout.arrays; ++a) {
      joins = joins && outer.stride[a] == inner.stride[a] * static_cast<ptrdiff_t>(inner.length);
    }
    if (joins) {
      const size_t length = outer.length * inner.length;
      outer = inner;
      outer.length = length;
    } else {
      layout.at[++last] = inner;
    }
  }
  if (layout.rank > 0) layout.rank = last + 1;
}

gelu_status CheckOverlap(const Layout& layout) {
  Reach reach[kMaxArrays];
  for (size_t a = 0; a < layout.arrays; ++a) FindReach(layout, a, &reach[a]);
  for (size_t out = layout.inputs; out < layout.arrays; ++out) {
    if (OverlapsItself(layout, out)) return GELU_ERROR_OVERLAP;
    for (size_t a = 0; a < out; ++a) {
      const bool in_place = a < layout.inputs && layout.data[a] == layout.data[out] && SameLayout(layout, a, out);
      if (!in_place && Overlap(layout, a, reach[a], out, reach[out])) return GELU_ERROR_OVERLAP;
    }
  }
  return GELU_OK;
}

}  // namespace

gelu_status Normalise(Layout& layout) {
  Reach reach;
  for (size_t a = 0; a < layout.arrays; ++a) {
    if (!FindReach(layout, a, &reach)) return GELU_ERROR_SIZE;
  }
  Collapse(layout);
  return CheckOverlap(layout);
}

}  // namespace gelu
