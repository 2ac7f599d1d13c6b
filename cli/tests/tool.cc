// SPDX-License-Identifier: Apache-2.0
#include "cli/tests/tool.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

namespace gelu::cli {
namespace {

class TemporaryFile {
 public:
  TemporaryFile() : file_(mkstemp(path_.data())) { unlink(path_.c_str()); }
  ~TemporaryFile() { close(file_); }
  int file() const { return file_; }

  std::string Contents() const {
    std::string text(static_cast<size_t>(lseek(file_, 0, SEEK_END)), '\0');
    if (pread(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) text = "unreadable";
    return text;
  }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() / "gelu-test-XXXXXX").string();
  int file_;
};

}  // namespace

Outcome RunTool(const std::vector<std::string>& arguments, const Setting& setting) {
  std::vector<char*> argv = {const_cast<char*>(GELU_TOOL)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const TemporaryFile in, out, err;
  EXPECT_EQ(write(in.file(), setting.input.data(), setting.input.size()), static_cast<ssize_t>(setting.input.size()));
  lseek(in.file(), 0, SEEK_SET);
  const pid_t child = fork();
  if (child == 0) {
    const int to = setting.out_path.empty() ? out.file() : open(setting.out_path.c_str(), O_WRONLY | O_NOCTTY);
    dup2(in.file(), STDIN_FILENO);
    dup2(to, STDOUT_FILENO);
    dup2(err.file(), STDERR_FILENO);
    setting.in_child();
    execv(GELU_TOOL, argv.data());
    _exit(127);
  }
  if (setting.meanwhile) setting.meanwhile(child);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  Outcome outcome;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  outcome.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.out = out.Contents();
  outcome.err = err.Contents();
  outcome.peak_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  return outcome;
}

ToolTest::ToolTest() {
  std::string pattern = (std::filesystem::temp_directory_path() / "gelu-test-XXXXXX").string();
  folder_ = mkdtemp(pattern.data());
}

ToolTest::~ToolTest() {
  for (const std::string& name : Files()) EXPECT_FALSE(name.starts_with(".gelu-")) << name << " was left behind";
  std::filesystem::remove_all(folder_);
}

std::string ToolTest::Write(const std::string& name, const std::string& bytes) const {
  std::ofstream(Path(name), std::ios::binary) << bytes;
  return Path(name);
}

std::vector<std::string> ToolTest::Files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

testing::AssertionResult SameBytes(const std::string& got, const std::string& want) {
  if (got == want) return testing::AssertionSuccess();
  const auto at = std::ranges::mismatch(got, want).in1 - got.begin();
  return testing::AssertionFailure() << "got " << got.size() << " bytes, want " << want.size()
                                     << ", and the first to differ is byte " << at;
}

void ExpectFailure(const Outcome& outcome, const std::vector<std::string>& words) {
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("gelu: ")) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  for (const std::string& word : words)
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << "\n" << outcome.err;
}

std::string Samples(gelu_dtype dtype, size_t n) {
  std::mt19937_64 random(n);
  std::string bytes;
  for (size_t i = 0; i < n; ++i) {
    const uint64_t bits = random();  // every pattern of 16 bits is likely; of the others mostly the tails
    const double value = std::ldexp(static_cast<double>(bits >> 12), -50) - 2.0;
    const auto single = static_cast<float>(value);
    const size_t size = gelu_dtype_size(dtype);
    const void* from = i % 2 == 0 || size == 2 ? static_cast<const void*>(&bits)
                       : size == 4             ? static_cast<const void*>(&single)
                                               : &value;
    bytes.append(static_cast<const char*>(from), size);
  }
  return bytes;
}

std::string Evaluate(gelu_function function, gelu_form form, gelu_dtype dtype, double alpha, const std::string& x,
                     const std::string& dy) {
  const gelu_params params = {alpha, HUGE_VAL};
  const std::array<const void*, 2> in = {x.data(), dy.data()};
  std::string y(x.size(), '\0');
  void* out = y.data();
  EXPECT_EQ(gelu_apply(function, form, dtype, &params, in.data(), &out, x.size() / gelu_dtype_size(dtype)), GELU_OK);
  return y;
}

std::string Reversed(std::string elements, size_t size) {
  for (size_t i = 0; i < elements.size(); i += size) {
    std::reverse(elements.begin() + static_cast<ptrdiff_t>(i), elements.begin() + static_cast<ptrdiff_t>(i + size));
  }
  return elements;
}

std::string NpyHeader(const std::string& dictionary, int version) {
  const size_t before = version == 1 ? 10 : 12;
  const size_t length = (before + dictionary.size() + 1 + 63) / 64 * 64 - before;
  std::string header = "\x93NUMPY";
  header += static_cast<char>(version);
  header += '\0';
  for (size_t i = 0; i < before - 8; ++i) header += static_cast<char>(length >> (8 * i));
  return header + dictionary + std::string(length - dictionary.size() - 1, ' ') + '\n';
}

std::string NpyDictionary(const std::string& descr, const std::string& shape, bool fortran_order) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': " + shape +
         ", }";
}

std::string Npy(const std::string& descr, const std::string& shape, const std::string& data) {
  return NpyHeader(NpyDictionary(descr, shape)) + data;
}

std::string Safetensors(const std::string& json, const std::string& data) {
  std::string bytes;
  for (size_t i = 0; i < 8; ++i) bytes += static_cast<char>(uint64_t{json.size()} >> (8 * i));
  return bytes + json + data;
}

}  // namespace gelu::cli
