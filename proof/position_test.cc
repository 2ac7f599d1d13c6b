// SPDX-License-Identifier: Apache-2.0
// One value has one result: at every lane, alignment and length, beside any neighbours, in place or not. Nothing beyond
// the arrays is written.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <fstream>
#include <numeric>
#include <thread>

#include "proof/reference.h"
#include "proof/sample.h"
#include "proof/walk.h"

namespace gelu::proof {
namespace {

using Bits = std::uint64_t;
using Bytes = std::vector<unsigned char>;

constexpr std::size_t kLine = 64;  // the widest vector, and a cache line
constexpr unsigned char kGuard = 0xa5;

// A span inside aligned storage, at a byte offset from a cache line, with guard bytes on both sides.
class Guarded {
 public:
  Guarded(std::size_t bytes, std::size_t offset) : storage_(bytes + 4 * kLine, kGuard), bytes_(bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data()) + kLine;
    begin_ = kLine + (kLine - address % kLine) % kLine + offset;
  }
  unsigned char* data() { return storage_.data() + begin_; }
  void Fill(const unsigned char* values) { std::memcpy(data(), values, bytes_); }
  bool Holds(const unsigned char* values) { return std::memcmp(data(), values, bytes_) == 0; }
  bool IsGuarded() const {
    const auto is_guard = [](unsigned char byte) { return byte == kGuard; };
    const auto begin = storage_.begin() + static_cast<std::ptrdiff_t>(begin_);
    return std::all_of(storage_.begin(), begin, is_guard) &&
           std::all_of(begin + static_cast<std::ptrdiff_t>(bytes_), storage_.end(), is_guard);
  }

 private:
  Bytes storage_;
  std::size_t bytes_, begin_ = 0;
};

// Inputs, and what a form makes of them one element at a time with the one-lane code; then an endless repetition.
struct Truth {
  Truth(const What& what, gelu_form form, std::size_t n) {
    std::vector<Bits> values = Specials(what.dtype);
    for (const double value : {-0.7517915, 1.4142135, -2.25, 0.001, -5.5, 3.25, -13.5, 0.3333333, -1.2784645}) {
      values.push_back(RoundTo(what.dtype, Real(53, value)));
    }
    period = values.size();
    Arrays one_period = Operands(what.dtype, values, 29);
    one_period.resize(gelu_form_inputs(form), Array(what.dtype, 0));
    Arrays results(gelu_form_outputs(form), Array(what.dtype, period));
    const ScopedTarget one_lane(Targets().back());
    for (std::size_t i = 0; i < period; ++i) {
      Arrays one;
      for (const Array& input : one_period) one.emplace_back(what.dtype, std::vector<Bits>{input[i]});
      const Arrays result = Apply(what.function, form, kDefaultParams, what.dtype, one);
      for (std::size_t o = 0; o < results.size(); ++o) results[o].Set(i, result[o][0]);
    }
    for (const Array& input : one_period) in.push_back(Repeat(what.dtype, input, n));
    for (const Array& result : results) out.push_back(Repeat(what.dtype, result, n));
  }

  static Array Repeat(gelu_dtype dtype, const Array& values, std::size_t n) {
    Array all(dtype, n);
    for (std::size_t i = 0; i < n; ++i) all.Set(i, values[i % values.size()]);
    return all;
  }

  std::size_t period = 0;
  Arrays in, out;
};

constexpr int kApart = -1;

// One call at the given byte offsets; the inputs start at the given element of the repetition. The first output lies
// over an input, or apart.
bool IsRight(const What& what, gelu_form form, const Truth& truth, std::size_t start, std::size_t n,
             std::size_t x_offset, std::size_t y_offset, int over) {
  const std::size_t size = gelu_dtype_size(what.dtype), bytes = n * size, skip = start * size;
  const auto at = [&](const Array& array) { return static_cast<const unsigned char*>(array.data()) + skip; };
  std::vector<Guarded> inputs, outputs;
  for (std::size_t k = 0; k < truth.in.size(); ++k) {
    inputs.emplace_back(bytes, (x_offset + k * size) % kLine);
    inputs.back().Fill(at(truth.in[k]));
  }
  for (std::size_t o = 0; o < truth.out.size(); ++o) outputs.emplace_back(bytes, (y_offset + o * size) % kLine);
  std::vector<const void*> in;
  std::vector<void*> out;
  for (Guarded& input : inputs) in.push_back(input.data());
  for (Guarded& output : outputs) out.push_back(output.data());
  if (over != kApart) out[0] = inputs[static_cast<std::size_t>(over)].data();
  bool right = gelu_apply(what.function, form, what.dtype, nullptr, in.data(), out.data(), n) == GELU_OK;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const Array& want = static_cast<int>(k) == over ? truth.out[0] : truth.in[k];
    right = right && inputs[k].Holds(at(want)) && inputs[k].IsGuarded();
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const bool elsewhere = o == 0 && over != kApart;
    right = right && (elsewhere || outputs[o].Holds(at(truth.out[o]))) && outputs[o].IsGuarded();
  }
  return right;
}

class Position : public testing::TestWithParam<What> {};
INSTANTIATE_TEST_SUITE_P(Family, Position, testing::ValuesIn(Everything()), TestName);

TEST_P(Position, EveryLengthAndOffset) {
  const What what = GetParam();
  const std::size_t size = gelu_dtype_size(what.dtype);
  for (const gelu_form form : Forms()) {
    const Truth truth(what, form, 300);
    for (const char* target : Targets()) {
      const ScopedTarget scoped(target);
      Failures failures(Describe(what, form, target));
      for (std::size_t n = 1; n <= 130; ++n) {
        // Of forms that share their loops with others, a quarter of the pairs.
        const std::size_t step = Reference::Serves(form) ? 1 : 4;
        for (std::size_t offset = n % step * size; offset < kLine; offset += step * size) {
          const std::size_t start = (7 * n + offset) % truth.period, other = (5 * offset + size * n) % kLine;
          for (int over = kApart; over < static_cast<int>(truth.in.size()); ++over) {
            if (IsRight(what, form, truth, start, n, offset, other, over)) continue;
            failures.Add("length " + std::to_string(n) + ", offset " + std::to_string(offset) +
                         (over == kApart ? ", apart" : ", over input " + std::to_string(over)));
          }
        }
      }
    }
  }
}

TEST_P(Position, EveryLane) {
  const What what = GetParam();
  for (const gelu_form form : Forms()) {
    const Truth truth(what, form, 200);
    for (const char* target : Targets()) {
      const ScopedTarget scoped(target);
      Failures failures(Describe(what, form, target));
      for (std::size_t start = 0; start < truth.period; ++start) {  // each value comes to each lane
        if (!IsRight(what, form, truth, start, 64 + start % 5, 0, 0, kApart)) {
          failures.Add("start " + std::to_string(start));
        }
      }
    }
  }
}

TEST_P(Position, BesideEveryNeighbour) {
  const What what = GetParam();
  const Format format = FormatOf(what.dtype);
  constexpr std::size_t kLength = 67;
  for (const gelu_form form : Forms()) {
    const Truth truth(what, form, 64);
    for (const char* target : Targets()) {
      const ScopedTarget scoped(target);
      Failures failures(Describe(what, form, target));
      for (const Bits neighbour :
           {format.Nan(), format.Infinity() | 1, format.Infinity(), format.Infinity() | format.Sign(),
            format.Infinity() - 1, RoundTo(what.dtype, Real(53, -1e30)), Bits{1}}) {
        for (std::size_t i = 0; i < kLength; ++i) {
          const std::size_t value = (i * 3 + neighbour) % truth.period;
          Arrays in(truth.in.size(), Array(what.dtype, std::vector<Bits>(kLength, neighbour)));
          for (std::size_t k = 0; k < in.size(); ++k) in[k].Set(i, truth.in[k][value]);
          const Arrays out = Apply(what.function, form, kDefaultParams, what.dtype, in);
          for (std::size_t o = 0; o < out.size(); ++o) {
            if (out[o][i] == truth.out[o][value]) continue;
            failures.Add(HexOf(form, truth.in, value) + " at " + std::to_string(i) + " beside " + Hex(neighbour));
          }
        }
      }
    }
  }
}

TEST_P(Position, AMillionAndThree) {
  const What what = GetParam();
  const std::size_t size = gelu_dtype_size(what.dtype);
  for (const gelu_form form : Forms()) {
    const std::size_t length = Reference::Serves(form) ? 1000003 : 100003;
    const Truth truth(what, form, length);
    for (const char* target : Targets()) {
      const ScopedTarget scoped(target);
      EXPECT_TRUE(IsRight(what, form, truth, 0, length, size, 0, kApart)) << Describe(what, form, target);
      EXPECT_TRUE(IsRight(what, form, truth, 0, length, 0, 0, 0)) << Describe(what, form, target);
    }
  }
}

TEST_P(Position, OneArraySplitAmongThreads) {
  const What what = GetParam();
  constexpr std::size_t kLength = 1021;
  const std::size_t size = gelu_dtype_size(what.dtype);
  for (const gelu_form form : Forms()) {
    const Truth truth(what, form, kLength);
    for (const std::size_t count : {2, 3, 7, 16, 64}) {
      Arrays y(truth.out.size(), Array(what.dtype, kLength));
      const auto run = [&](std::size_t begin, std::size_t end) {
        std::vector<const void*> in;
        std::vector<void*> out;
        for (const Array& input : truth.in) {
          in.push_back(static_cast<const unsigned char*>(input.data()) + begin * size);
        }
        for (Array& output : y) out.push_back(static_cast<unsigned char*>(output.data()) + begin * size);
        EXPECT_EQ(gelu_apply(what.function, form, what.dtype, nullptr, in.data(), out.data(), end - begin), GELU_OK);
      };
      std::vector<std::thread> threads;
      threads.reserve(count);
      for (std::size_t t = 0; t < count; ++t) {
        threads.emplace_back(run, kLength * t / count, kLength * (t + 1) / count);
      }
      for (std::thread& thread : threads) thread.join();
      EXPECT_TRUE(y == truth.out) << Describe(what, form) << ", " << count << " threads";
    }
  }
}

std::size_t AvailableMemory() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  for (std::size_t kib = 0; file >> key >> kib >> unit;) {
    if (key == "MemAvailable:") return kib * 1024;
  }
  return 0;
}

TEST(LargeArrays, MoreThanTwoToThe31Elements) {
  constexpr std::size_t kLength = (std::size_t{1} << 31) + 67, kStride = (std::size_t{1} << 20) - 3;
  if (AvailableMemory() < std::size_t{5} << 30) GTEST_SKIP() << "needs 5 GiB of free memory";
  const What what = {Functions().front(), gelu_dtype_bf16};
  const Truth truth(what, gelu_form_forward, 64);
  void* const memory = mmap(nullptr, kLength * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const auto values = static_cast<std::uint16_t*>(memory);
  const auto expected = [&](std::size_t i, const Array& array) {  // something now and then, and zeros in between
    return i % kStride == 0 || i + 64 > kLength ? static_cast<std::uint16_t>(array[i % truth.period])
                                                : std::uint16_t{0};
  };
  const auto for_each_set = [&](auto&& visit) {
    for (std::size_t i = 0; i < kLength; i += kStride) visit(i);
    for (std::size_t i = kLength - 63; i < kLength; ++i) visit(i);
  };
  for_each_set([&](std::size_t i) { values[i] = expected(i, truth.in[0]); });
  EXPECT_EQ(gelu_forward(what.function, what.dtype, 1.0, values, values, kLength), GELU_OK);
  Failures failures("in place");
  for_each_set([&](std::size_t i) {
    if (values[i] != expected(i, truth.out[0])) failures.Add("element " + std::to_string(i) + ": " + Hex(values[i]));
    values[i] = 0;
  });
  EXPECT_EQ(std::accumulate(values, values + kLength, std::size_t{0}), 0U) << "f(0) = 0 in between";
  munmap(memory, kLength * 2);
}

}  // namespace
}  // namespace gelu::proof
