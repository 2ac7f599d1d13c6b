// SPDX-License-Identifier: Apache-2.0
// What becomes of the output when things go wrong, and what a large file costs.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "cli/tests/tool.h"

namespace gelu::cli {
namespace {

class OutputTest : public ToolTest {
 protected:
  // n zeros that take no room on the disk.
  std::string Sparse(const std::string& name, uint64_t n) const {
    const std::string header = NpyHeader(NpyDictionary("<f4", fmt::format("({},)", n)));
    std::string path = Write(name, header);
    std::filesystem::resize_file(path, header.size() + 4 * n);
    return path;
  }

  const std::string in_ = Write("x.npy", Npy("<f4", "(10000,)", Samples(gelu_dtype_f32, 10000)));
  const std::string y_ = Npy(
      "<f4", "(10000,)", Evaluate(gelu_fn_gelu, gelu_form_forward, gelu_dtype_f32, 1, Samples(gelu_dtype_f32, 10000)));
};

// A pseudo terminal; master() is what a user would see of it.
class Terminal {
 public:
  Terminal() : master_(posix_openpt(O_RDWR | O_NOCTTY)) {
    EXPECT_EQ(grantpt(master_), 0);
    EXPECT_EQ(unlockpt(master_), 0);
    name_ = ptsname(master_);
    slave_ = open(name_.c_str(), O_RDWR | O_NOCTTY);
  }
  ~Terminal() {
    close(slave_);
    close(master_);
  }
  const std::string& name() const { return name_; }
  int slave() const { return slave_; }

  // All that was written so far. The kernel hands it over in its own time and in pieces, but in order: what is
  // written last tells that nothing is under way.
  std::string Seen() const {
    const std::string last = "<the end>";
    EXPECT_EQ(write(slave_, last.data(), last.size()), static_cast<ssize_t>(last.size()));
    std::string text;
    char piece[4096];
    while (!text.ends_with(last)) {
      const ssize_t got = read(master_, piece, sizeof piece);
      if (got <= 0) return text + " and then no more could be read";
      text.append(piece, static_cast<size_t>(got));
    }
    return text.substr(0, text.size() - last.size());
  }

 private:
  int master_, slave_;
  std::string name_;
};

TEST_F(OutputTest, StandardOutputAndPipes) {
  EXPECT_TRUE(SameBytes(RunTool({"apply", "gelu", in_, "-o", "-"}).out, y_));
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  std::string seen;
  const auto meanwhile = [&](pid_t) { seen = ReadFile(Path("pipe")); };
  EXPECT_EQ(RunTool({"apply", "gelu", in_, "-o", Path("pipe")}, {.meanwhile = meanwhile}).exit_code, 0);
  EXPECT_TRUE(SameBytes(seen, y_));
}

TEST_F(OutputTest, ATerminalIsRefused) {
  const Terminal terminal;
  ExpectFailure(RunTool({"apply", "gelu", in_, "-o", terminal.name()}), {terminal.name() + ": is a terminal"});
  const Outcome outcome = RunTool({"apply", "gelu", in_, "-o", "-"}, {.out_path = terminal.name()});
  ExpectFailure(outcome, {"standard output: is a terminal"});
  EXPECT_EQ(terminal.Seen(), "");
}

TEST_F(OutputTest, AClosedPipeIsSuccess) {
  const auto close_reader = [] {
    int ends[2];
    if (pipe(ends) != 0) _exit(126);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
  };
  const Outcome outcome = RunTool({"apply", "gelu", in_, "-o", "-"}, {.in_child = close_reader});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(OutputTest, AFullDiskLeavesTheOldFile) {
  ExpectFailure(RunTool({"apply", "gelu", in_, "-o", "/dev/full"}), {"/dev/full: cannot be written: No space left"});
  const std::string out = Write("y.npy", "old");
  const auto limit = [] {
    const rlimit bytes = {20'000, 20'000};
    setrlimit(RLIMIT_FSIZE, &bytes);
  };
  const Outcome outcome = RunTool({"apply", "gelu", in_, "-o", out}, {.in_child = limit});
  ExpectFailure(outcome, {out, "cannot be written: File too large; free some space or write elsewhere"});
  EXPECT_EQ(ReadFile(out), "old");
  EXPECT_EQ(Files(), (std::vector<std::string>{"x.npy", "y.npy"}));
}

TEST_F(OutputTest, FoldersThatCannotBeWritten) {
  ExpectFailure(RunTool({"apply", "gelu", in_, "-o", Path("none/y.npy")}),
                {"none/y.npy", "No such file", "check the folder"});
  ExpectFailure(RunTool({"apply", "gelu", in_, "-o", folder_.string()}),
                {folder_.string(), "is a folder; name a file"});
}

TEST_F(OutputTest, SignalsLeaveTheOldFile) {
  const std::string in = Sparse("large.npy", uint64_t{1} << 30);
  const std::string out = Write("y.npy", "old");
  const auto temporary_has_bytes = [&] {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      std::error_code ignored;
      if (entry.path().filename().string().starts_with(".gelu-") && entry.file_size(ignored) > 0) return true;
    }
    return false;
  };
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    bool started = false;
    const auto interrupt = [&](pid_t child) {
      for (int i = 0; i < 3000 && !started; ++i) {
        started = temporary_has_bytes();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      kill(child, signal);
    };
    const Outcome outcome = RunTool({"apply", "gelu", in, "-o", out}, {.meanwhile = interrupt});
    EXPECT_TRUE(started);
    EXPECT_EQ(outcome.signal, signal);
    EXPECT_EQ(ReadFile(out), "old");
    EXPECT_EQ(Files(), (std::vector<std::string>{"large.npy", "x.npy", "y.npy"}));
  }
}

TEST_F(OutputTest, MemoryDoesNotGrowWithTheFile) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory";
  const std::string in = Sparse("large.npy", uint64_t{1} << 26);
  constexpr uint64_t kMost = 64 << 20;
  const Outcome to_file = RunTool({"apply", "relu", in, "-o", Path("y.npy")});
  EXPECT_EQ(to_file.exit_code, 0) << to_file.err;
  EXPECT_LT(to_file.peak_bytes, kMost);
  const Outcome backward =
      RunTool({"apply", "relu", in, "-o", "/dev/null", "--form", "backward", "--grad", Path("y.npy")});
  EXPECT_EQ(backward.exit_code, 0) << backward.err;
  EXPECT_LT(backward.peak_bytes, kMost);
}

TEST_F(OutputTest, ProgressShowsOnATerminalAfterASecond) {
  const Terminal terminal;
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  const std::string in = Sparse("large.npy", 1 << 20);
  const auto to_terminal = [&] { dup2(terminal.slave(), STDERR_FILENO); };
  const auto read_after = [&](std::chrono::milliseconds delay) {
    return [this, delay](pid_t) {
      std::ifstream pipe(Path("pipe"), std::ios::binary);
      std::this_thread::sleep_for(delay);
      pipe.ignore(std::numeric_limits<std::streamsize>::max());
    };
  };
  const std::vector<std::string> arguments = {"apply", "relu", in, "-o", Path("pipe")};
  using std::chrono_literals::operator""ms;
  EXPECT_EQ(RunTool(arguments, {.in_child = to_terminal, .meanwhile = read_after(1500ms)}).exit_code, 0);
  const std::string seen = terminal.Seen();
  EXPECT_NE(seen.find("large.npy ["), std::string::npos) << seen;
  EXPECT_TRUE(seen.ends_with("\r\033[K")) << "the bar is wiped out in the end";
  EXPECT_EQ(RunTool(arguments, {.meanwhile = read_after(1500ms)}).err, "") << "no bar in a log file";
}

}  // namespace
}  // namespace gelu::cli
