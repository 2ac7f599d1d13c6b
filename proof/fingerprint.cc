// SPDX-License-Identifier: Apache-2.0
// Prints a hash of the results of every function, form and element type on fixed inputs, by the target in use. On every
// machine it prints the same: cross.sh compares it with that of emulated ones.
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "gelu/gelu.h"

namespace {

// An eighth of the 16-bit patterns; of wider types, patterns from all over, with those of few bits among them.
std::vector<unsigned char> Inputs(size_t size, uint64_t seed) {
  constexpr size_t kInputs = 8192;
  std::vector<unsigned char> bytes(kInputs * size);
  for (size_t i = 0; i < kInputs; ++i) {
    const uint64_t scattered = (i * seed + seed) * 0x9e3779b97f4a7c15;
    const uint64_t spread = size == 2 ? i * 8 * seed + i % 8 : scattered >> (i % 8);
    std::memcpy(bytes.data() + i * size, &spread, size);
  }
  return bytes;
}

// FNV-1a
uint64_t Hash(const std::vector<unsigned char>& bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

}  // namespace

int main() {
  const gelu_params all_params[] = {{1.0, HUGE_VAL}, {1.702, HUGE_VAL}, {-0.75, 3.0}};
  for (size_t function = 0; function < gelu_function_count(); ++function) {
    for (int form = 0; form < gelu_form_count_; ++form) {
      for (int dtype = 0; dtype < gelu_dtype_count_; ++dtype) {
        for (const gelu_params& params : all_params) {
          const auto f = static_cast<gelu_function>(function);
          const auto as = static_cast<gelu_form>(form);
          const auto type = static_cast<gelu_dtype>(dtype);
          const size_t size = gelu_dtype_size(type);
          const std::vector<unsigned char> inputs[] = {Inputs(size, 1), Inputs(size, 40503), Inputs(size, 60493)};
          std::vector<unsigned char> y(gelu_form_outputs(as) * inputs[0].size());  // one output after the other
          const void* in[] = {inputs[0].data(), inputs[1].data(), inputs[2].data()};
          std::vector<void*> out;
          for (size_t o = 0; o < gelu_form_outputs(as); ++o) out.push_back(y.data() + o * inputs[0].size());
          const gelu_status status = gelu_apply(f, as, type, &params, in, out.data(), inputs[0].size() / size);
          if (status != GELU_OK) {
            std::fprintf(stderr, "gelu: fingerprint: %s\n", gelu_status_message(status));
            return 2;
          }
          std::printf("%s %s %s %g %016" PRIx64 "\n", gelu_function_name(f), gelu_form_name(as), gelu_dtype_name(type),
                      params.alpha, Hash(y));
        }
      }
    }
  }
  return 0;
}
