// SPDX-License-Identifier: Apache-2.0
// The tool as a process, and files written byte by byte.
#pragma once
#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gelu/gelu.h"

namespace gelu::cli {

// Sanitizers multiply time and memory, of which some tests have bounds.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

struct Outcome {
  int exit_code = -1;  // -1 where a signal ended it
  int signal = 0;
  std::string out, err;
  double cpu_seconds = 0;   // unlike the time on the wall, the same on a busy machine
  uint64_t peak_bytes = 0;  // of resident memory
};

struct Setting {
  std::string input = {};                     // its standard input
  std::string out_path = {};                  // its standard output; empty: captured
  std::function<void()> in_child = [] {};     // limits, environment, streams
  std::function<void(pid_t)> meanwhile = {};  // runs here while it runs
};

Outcome RunTool(const std::vector<std::string>& arguments, const Setting& setting = {});

// A test with a folder of its own, which must hold no temporary files in the end.
class ToolTest : public testing::Test {
 protected:
  ToolTest();
  ~ToolTest() override;

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string Write(const std::string& name, const std::string& bytes) const;  // returns the path
  std::vector<std::string> Files() const;                                      // names, sorted

  std::filesystem::path folder_;
};

std::string ReadFile(const std::string& path);

// Says where binary data differ, which EXPECT_EQ would print in full.
testing::AssertionResult SameBytes(const std::string& got, const std::string& want);

// Fails unless the tool exits with 2, prints nothing, and names all the words in one line "gelu: ...; ...".
void ExpectFailure(const Outcome& outcome, const std::vector<std::string>& words);

// n elements that cover tails, subnormals, infinities and NaN, little-endian.
std::string Samples(gelu_dtype dtype, size_t n);
// What the library makes of them.
std::string Evaluate(gelu_function function, gelu_form form, gelu_dtype dtype, double alpha, const std::string& x,
                     const std::string& dy = "");
std::string Reversed(std::string elements, size_t size);  // the bytes of each element

// A header as numpy.save writes it, padded to 64 bytes.
std::string NpyHeader(const std::string& dictionary, int version = 1);
std::string NpyDictionary(const std::string& descr, const std::string& shape, bool fortran_order = false);
std::string Npy(const std::string& descr, const std::string& shape, const std::string& data);
std::string Safetensors(const std::string& json, const std::string& data);

}  // namespace gelu::cli
