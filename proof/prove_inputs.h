// SPDX-License-Identifier: Apache-2.0
// The inputs of a row by number, the same in every run: all bit patterns of f16 and bf16 (with two operands, 1024
// times), all of f32 with one operand for an alpha in use; otherwise a list of the places where errors hide, and then
// random numbers of several kinds. Of forms that the oracle must judge alone, fewer.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "proof/forms.h"
#include "proof/prove_plan.h"
#include "proof/reference.h"

namespace gelu::proof {

// Elements of 2, 4 or 8 bytes, as bits.
inline std::uint64_t Load(const std::byte* elements, gelu_dtype dtype, std::size_t i) {
  switch (gelu_dtype_size(dtype)) {
    case 8:
      return reinterpret_cast<const std::uint64_t*>(elements)[i];
    case 4:
      return reinterpret_cast<const std::uint32_t*>(elements)[i];
    default:
      return reinterpret_cast<const std::uint16_t*>(elements)[i];
  }
}

class Inputs {
 public:
  // quick: about 2^16 of them, or 2^10 for the oracle.
  Inputs(const Row& row, bool quick);

  std::uint64_t size() const { return size_; }

  // Inputs begin to begin + n - 1, an array for each that the form reads.
  void Fill(std::uint64_t begin, std::size_t n, std::span<std::byte* const> arrays) const;

 private:
  using Operands = std::array<std::uint64_t, kMostInputs>;

  void ChooseMany(bool quick);
  void ChooseFew(bool quick);
  std::uint64_t X(std::uint64_t i) const;
  std::uint64_t Dy(std::uint64_t i, std::uint64_t x) const;
  Operands At(std::uint64_t i) const;
  void Aim(std::uint64_t i, Operands& operands) const;

  Row row_;
  const Meaning& meaning_;
  bool exhaustive_;  // in x
  std::uint64_t size_;
  std::uint64_t stride_ = 1;
  std::vector<std::uint64_t> list_, landmarks_, gradients_;
  Reference reference_;
};

}  // namespace gelu::proof
