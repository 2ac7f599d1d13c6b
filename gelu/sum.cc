// SPDX-License-Identifier: Apache-2.0
// Sums over rows, exact, and so the same in whatever order: the gradients of a bias, and of an alpha.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "gelu/control_word.h"
#include "gelu/element.h"
#include "gelu/exact_sum.h"
#include "gelu/gelu.h"

namespace gelu {
namespace {

constexpr size_t kColumns = 128;  // of a block, whose sums lie on the stack

// An element type narrower than f64. Numbers whose exponents share a bin are added in f64, and for kRows rows without
// error: the bin spans 2^kBinBits exponents, and kRows 2^kBinBits mantissas fit into 53 bits.
struct F32 {
  using Bits = uint32_t;
  static constexpr SumFormat kFormat = {23, 127};
  static constexpr int kBinBits = 4;
  static constexpr size_t kBins = 16, kRows = 4096;
  static float Value(Bits bits) { return std::bit_cast<float>(bits); }
};
struct BF16 {
  using Bits = uint16_t;
  static constexpr SumFormat kFormat = {7, 127};
  static constexpr int kBinBits = 5;
  static constexpr size_t kBins = 8, kRows = 4096;
  static float Value(Bits bits) { return FromBF16(bits); }
};
struct F16 {
  using Bits = uint16_t;
  static constexpr SumFormat kFormat = {10, 15};
  static constexpr int kBinBits = 5;
  static constexpr size_t kBins = 1, kRows = 512;
  static float Value(Bits bits) { return FromF16(bits); }
};

template <class Type>
void AddRows(const char* x, size_t rows, size_t columns, size_t stride, ExactSum* sums) {
  using Bits = typename Type::Bits;
  for (size_t begin = 0; begin < rows; begin += Type::kRows) {
    double bins[Type::kBins][kColumns];  // so that the few bins in use stay in the first cache
    std::fill_n(&bins[0][0], kColumns * Type::kBins, -0.0);
    const size_t end = std::min(rows, begin + Type::kRows);
    for (size_t i = begin; i < end; ++i) {
      const char* const row = x + i * stride * sizeof(Bits);
      for (size_t j = 0; j < columns; ++j) {
        const Bits bits = LoadElement<Bits>(row + j * sizeof(Bits));
        bins[(bits >> (Type::kFormat.mantissa + Type::kBinBits)) % Type::kBins][j] += double{Type::Value(bits)};
      }
    }
    for (size_t j = 0; j < columns; ++j) {
      for (const auto& bin : bins) sums[j].Add(bin[j]);
    }
  }
}

struct F64 {
  static constexpr SumFormat kFormat = {52, 1023};
};
template <>
void AddRows<F64>(const char* x, size_t rows, size_t columns, size_t stride, ExactSum* sums) {
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      sums[j].Add(LoadElement<double>(x + (i * stride + j) * sizeof(double)));
    }
  }
}

struct Type {
  SumFormat format;
  void (*add_rows)(const char* x, size_t rows, size_t columns, size_t stride, ExactSum* sums);
};
template <class T>
constexpr Type kType = {T::kFormat, AddRows<T>};

const Type& Find(gelu_dtype dtype) {
  switch (dtype) {
    case gelu_dtype_f32:
      return kType<F32>;
    case gelu_dtype_f16:
      return kType<F16>;
    case gelu_dtype_bf16:
      return kType<BF16>;
    default:
      return kType<F64>;
  }
}

// Of rows * columns elements; false if they do not fit into the address space.
bool FindBytes(size_t rows, size_t columns, size_t size, size_t* bytes) {
  return !__builtin_mul_overflow(rows, columns, bytes) && !__builtin_mul_overflow(*bytes, size, bytes) &&
         *bytes <= static_cast<size_t>(std::numeric_limits<ptrdiff_t>::max());
}

bool Overlap(const void* a, size_t a_bytes, const void* b, size_t b_bytes) {
  const auto x = reinterpret_cast<uintptr_t>(a), y = reinterpret_cast<uintptr_t>(b);
  return x < y + b_bytes && y < x + a_bytes;
}

}  // namespace
}  // namespace gelu

gelu_status gelu_sum_rows(gelu_dtype dtype, const void* x, size_t rows, size_t columns, gelu_dtype sum_type,
                          void* sum) {
  const size_t size = gelu_dtype_size(dtype), sum_size = gelu_dtype_size(sum_type);
  if (size == 0 || sum_size == 0) return GELU_ERROR_DTYPE;
  size_t bytes, sum_bytes;
  if (rows > size_t{1} << 31 || !gelu::FindBytes(rows, columns, size, &bytes) ||
      !gelu::FindBytes(1, columns, sum_size, &sum_bytes)) {
    return GELU_ERROR_SIZE;
  }
  if (columns == 0) return GELU_OK;
  if (sum == nullptr || (x == nullptr && rows > 0)) return GELU_ERROR_NULL;
  if (gelu::Overlap(x, bytes, sum, sum_bytes)) return GELU_ERROR_OVERLAP;

  const gelu::DefaultControlWord control_word;
  const gelu::Type& type = gelu::Find(dtype);
  for (size_t begin = 0; begin < columns; begin += gelu::kColumns) {
    const size_t count = std::min(gelu::kColumns, columns - begin);
    gelu::ExactSum sums[gelu::kColumns];
    if (rows > 0) type.add_rows(static_cast<const char*>(x) + begin * size, rows, count, columns, sums);
    for (size_t j = 0; j < count; ++j) {
      const uint64_t result = sums[j].Round(gelu::Find(sum_type).format);
      std::memcpy(static_cast<char*>(sum) + (begin + j) * sum_size, &result, sum_size);  // little-endian
    }
  }
  return GELU_OK;
}
