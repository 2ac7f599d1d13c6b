// SPDX-License-Identifier: Apache-2.0
// Random words, decisions and variates, in one lane: against the vectors and the text of Random123, and against MPFR.
#define GELU_ONE_LANE
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "gelu/core/bernoulli-inl.h"
#include "gelu/core/philox-inl.h"
#include "gelu/core/variate-inl.h"

namespace {

using Words = std::array<uint32_t, 4>;
constexpr gelu::one_lane::Tag<uint64_t> kWords;
constexpr gelu::one_lane::Tag<double> kDoubles;

// As the paper has it.
Words Scalar(Words counter, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xd2511f53} * counter[0], b = uint64_t{0xcd9e8d57} * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key0, static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key1, static_cast<uint32_t>(a)};
    key0 += 0x9e3779b9;
    key1 += 0xbb67ae85;
  }
  return counter;
}

uint32_t ScalarWord(uint64_t seed, uint64_t stream, uint64_t index) {
  const uint64_t block = index / 4;
  return Scalar({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), static_cast<uint32_t>(stream),
                 static_cast<uint32_t>(stream >> 32)},
                static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32))[index % 4];
}

std::vector<uint32_t> RandomWords(uint64_t seed, uint64_t stream, uint64_t first, size_t n) {
  std::vector<uint32_t> out(n + 1, 0x5eed5eed);
  gelu::one_lane::RandomWords(kWords, seed, stream, first, out.data(), n);
  EXPECT_EQ(out.back(), 0x5eed5eed) << "a word too many";
  out.pop_back();
  return out;
}

// kat_vectors of Random123.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(Scalar({0, 0, 0, 0}, 0, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Scalar({~0U, ~0U, ~0U, ~0U}, ~0U, ~0U), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Scalar({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
  const std::vector<uint32_t> zeros = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  EXPECT_EQ(RandomWords(0, 0, 0, 4), zeros);
  uint32_t out[4];
  using namespace gelu::one_lane;
  const auto one = [&](uint64_t seed, uint64_t stream, uint64_t block) {
    uint64_t key[kPhiloxRounds][2];
    MakePhiloxKeys(kWords, seed, key);
    Philox<1>(kWords, key, MakePhiloxStart(kWords, key, stream, block >> 32), block, out);
    return Words{out[0], out[1], out[2], out[3]};
  };
  EXPECT_EQ(one(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(one(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, IsTheTranscription) {
  for (uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{0x0123456789abcdef}, ~uint64_t{0}}) {
    for (uint64_t stream : {uint64_t{0}, uint64_t{1} << 32, 0xfedcba9876543210}) {
      // The last but one carries into word 1 of the counter, the last begins anew at 0.
      for (uint64_t first : {uint64_t{0}, uint64_t{3}, uint64_t{4001}, (uint64_t{1} << 34) - 41, ~uint64_t{0} - 17}) {
        const auto words = RandomWords(seed, stream, first, 101);
        for (size_t i = 0; i < words.size(); ++i) ASSERT_EQ(words[i], ScalarWord(seed, stream, first + i)) << first + i;
      }
    }
  }
}

TEST(Philox, SplitsMakeNoDifference) {
  const uint64_t first = (uint64_t{1} << 34) - 515;
  const auto whole = RandomWords(7, 8, first, 1024);
  EXPECT_TRUE(RandomWords(7, 8, first, 0).empty());
  for (size_t n = 1; n < 80; ++n) {
    std::vector<uint32_t> joined;
    while (joined.size() < whole.size()) {
      const auto part = RandomWords(7, 8, first + joined.size(), std::min(n, whole.size() - joined.size()));
      joined.insert(joined.end(), part.begin(), part.end());
    }
    ASSERT_EQ(joined, whole) << n;
  }
}

// ---- decisions ----

TEST(Bernoulli, Threshold) {
  using gelu::one_lane::BernoulliThreshold;
  EXPECT_EQ(BernoulliThreshold(0), 0U);
  EXPECT_EQ(BernoulliThreshold(-0.0), 0U);
  EXPECT_EQ(BernoulliThreshold(std::numeric_limits<double>::denorm_min()), 0U);
  EXPECT_EQ(BernoulliThreshold(std::nextafter(0x1p-33, 0)), 0U);
  EXPECT_EQ(BernoulliThreshold(0x1p-33), 1U);
  EXPECT_EQ(BernoulliThreshold(0.5), uint64_t{1} << 31);
  EXPECT_EQ(BernoulliThreshold(0.9), 3865470566U);
  EXPECT_EQ(BernoulliThreshold(std::nextafter(1, 0)), uint64_t{1} << 32);
  EXPECT_EQ(BernoulliThreshold(1), uint64_t{1} << 32);
}

TEST(Bernoulli, Decisions) {
  const uint32_t words[] = {0, 1, 2, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
  std::vector<uint64_t> thresholds(std::begin(words), std::end(words));
  thresholds.push_back(uint64_t{1} << 32);
  for (const uint32_t word : words) {
    for (const uint64_t threshold : thresholds) {
      EXPECT_EQ(gelu::one_lane::Bernoulli(kDoubles, word, threshold), word < threshold) << word << ' ' << threshold;
      EXPECT_EQ(gelu::one_lane::Bernoulli(gelu::one_lane::Tag<float>(), word, threshold), word < threshold)
          << word << ' ' << threshold;
    }
  }
}

// ---- variates ----

double Variate(uint32_t word) { return gelu::one_lane::NormalVariate(kDoubles, uint64_t{word}); }

// Is the probability below -t (1 + relative) more than that of the word, which is below 2^31?
class Tail {
 public:
  Tail() { mpfr_inits2(200, t_, p_, nullptr); }
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;
  ~Tail() { mpfr_clears(t_, p_, nullptr); }
  bool IsMoreThan(uint32_t word, double t, double relative) {
    mpfr_set_d(t_, relative, MPFR_RNDN);
    mpfr_add_ui(t_, t_, 1, MPFR_RNDN);
    mpfr_mul_d(t_, t_, t, MPFR_RNDN);
    mpfr_sqrt_ui(p_, 2, MPFR_RNDN);
    mpfr_div(t_, t_, p_, MPFR_RNDN);
    mpfr_erfc(p_, t_, MPFR_RNDN);
    mpfr_mul_2ui(p_, p_, 31, MPFR_RNDN);
    return mpfr_cmp_d(p_, word + 0.5) > 0;
  }

 private:
  mpfr_t t_, p_;
};

TEST(Variate, IsTheQuantile) {
  Tail tail;
  const auto check = [&](uint32_t word) {
    const double t = -Variate(word);
    ASSERT_GT(t, 0) << word;
    ASSERT_EQ(Variate(~word), t) << word;
    ASSERT_TRUE(tail.IsMoreThan(word, t, -0x1p-42)) << word;
    ASSERT_FALSE(tail.IsMoreThan(word, t, 0x1p-42)) << word;
  };
  for (uint32_t word = 0; word < 100; ++word) check(word);
  for (uint32_t word = (uint32_t{1} << 31) - 100; word < uint32_t{1} << 31; ++word) check(word);
  for (int binade = 6; binade < 31; ++binade) {
    for (uint32_t i = 0; i < 8 * 16; ++i) {  // both ends of every row, and between
      const uint32_t word = (uint32_t{1} << binade) + (i << binade) / 128;
      check(word);
      check(word - 1);
    }
  }
  EXPECT_NEAR(Variate(~0U), 6.337957755, 1e-8) << "the largest";
}

TEST(Variate, Moments) {
  constexpr size_t kCount = size_t{1} << 20, kBlock = 1024;
  double sum[5] = {};
  for (size_t i = 0; i < kCount; i += kBlock) {
    for (const uint32_t word : RandomWords(20, 26, i, kBlock)) {
      double power = 1;
      for (int k = 1; k <= 4; ++k) sum[k] += power *= Variate(word);
    }
  }
  const double n = kCount, sigma = 5 / std::sqrt(n);
  EXPECT_NEAR(sum[1] / n, 0, sigma);
  EXPECT_NEAR(sum[2] / n, 1, sigma * std::sqrt(2));
  EXPECT_NEAR(sum[3] / n, 0, sigma * std::sqrt(15));
  EXPECT_NEAR(sum[4] / n, 3, sigma * std::sqrt(96));
  const double mean = sum[1] / n, variance = sum[2] / n - mean * mean;
  const double fourth = sum[4] / n - 4 * mean * sum[3] / n + 6 * mean * mean * sum[2] / n - 3 * std::pow(mean, 4);
  EXPECT_NEAR(fourth / (variance * variance), 3, sigma * std::sqrt(24)) << "kurtosis";
}

}  // namespace
