// SPDX-License-Identifier: Apache-2.0
// Forms of two operands on files: bias, and gated from two files or the halves of one.
#include <fmt/format.h>

#include <filesystem>

#include "cli/number.h"
#include "cli/tests/tool.h"

namespace gelu::cli {
namespace {

using Strings = std::vector<std::string>;

const char* Descr(gelu_dtype dtype) {
  return dtype == gelu_dtype_f64 ? "<f8" : dtype == gelu_dtype_f32 ? "<f4" : "<f2";
}

std::string Elements(gelu_dtype dtype, const Strings& numbers) {
  std::string bytes(numbers.size() * gelu_dtype_size(dtype), '\0');
  for (size_t i = 0; i < numbers.size(); ++i) StoreElement(ParseNumber(numbers[i], dtype), dtype, bytes.data(), i);
  return bytes;
}

class OperandTest : public ToolTest {
 protected:
  Outcome Apply(const std::string& in, const Strings& words) const {
    Strings arguments = {"apply", "gelu", in, "-o", Path(out_)};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return RunTool(arguments);
  }
  // The output file of a command that succeeds.
  std::string Result(const std::string& in, const Strings& words) const {
    const Outcome outcome = Apply(in, words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out + outcome.err, "");
    return ReadFile(Path(out_));
  }
  std::string out_ = "y.npy";
};

constexpr gelu_dtype kNpyTypes[] = {gelu_dtype_f64, gelu_dtype_f32, gelu_dtype_f16};

// The elements of each row of 2 d: its first half, its second half, those at even places, those at odd ones.
struct Halves {
  std::string first, second, even, odd;
};
Halves HalvesOf(const std::string& elements, size_t size, size_t d) {
  Halves halves;
  for (size_t i = 0; i < elements.size() / size; ++i) {
    const std::string element = elements.substr(i * size, size);
    (i % (2 * d) < d ? halves.first : halves.second) += element;
    (i % 2 == 0 ? halves.even : halves.odd) += element;
  }
  return halves;
}

TEST_F(OperandTest, HalvesOfPublishedValues) {
  for (const gelu_dtype dtype : kNpyTypes) {
    const size_t size = gelu_dtype_size(dtype);
    const std::string in = Write("x.npy", Npy(Descr(dtype), "(1, 4)", Elements(dtype, {"1", "2", "3", "4"})));
    const auto expect = [&](const char* gate, const std::vector<double>& want, double bound) {
      const std::string file = Result(in, {"--form", "gated", "--gate", gate});
      const std::string header = Npy(Descr(dtype), "(1, 2)", "");
      ASSERT_EQ(file.size(), header.size() + 2 * size);
      EXPECT_EQ(file.substr(0, header.size()), header);
      for (size_t i = 0; i < 2; ++i) {
        std::string text;
        AppendNumber(LoadElement(file.data() + header.size(), i, dtype), dtype, text);
        EXPECT_NEAR(std::stod(text), want[i], bound) << gate;
      }
    };
    const double bound = dtype == gelu_dtype_f16 ? 4e-3 : dtype == gelu_dtype_f32 ? 1e-6 : 1e-9;
    expect("first", {2.524034238, 7.817998944}, bound);
    expect("second", {2.995950306, 7.999746630}, bound);
    expect("interleaved", {0.8413447461 * 2, 2.995950306 * 4}, 2 * bound);
  }
}

TEST_F(OperandTest, HalvesOfEveryLength) {
  for (const gelu_dtype dtype : kNpyTypes) {
    const size_t size = gelu_dtype_size(dtype);
    // From many rows in a chunk to many chunks in a row.
    for (const auto& shape :
         std::vector<std::pair<size_t, size_t>>{{70'001, 1}, {30'011, 3}, {3, 20'000}, {2, 150'001}}) {
      const size_t rows = shape.first, d = shape.second;
      const std::string both = Samples(dtype, rows * 2 * d);
      const std::string in = Write("x.npy", Npy(Descr(dtype), fmt::format("({}, 1, {})", rows, 2 * d), both));
      const auto [first, second, even, odd] = HalvesOf(both, size, d);
      const auto expect = [&](const char* gate, const std::string& a, const std::string& b) {
        const std::string y = Evaluate(gelu_fn_gelu, gelu_form_gated, dtype, 1, a, b);
        EXPECT_TRUE(SameBytes(Result(in, {"--form", "gated", "--gate", gate}),
                              Npy(Descr(dtype), fmt::format("({}, 1, {})", rows, d), y)))
            << gate << " " << rows << " " << d;
      };
      expect("first", first, second);
      expect("second", second, first);
      expect("interleaved", even, odd);
    }
  }
}

TEST_F(OperandTest, HalvesKeepTheByteOrderAndMayReplaceTheInput) {
  const std::string both = Samples(gelu_dtype_f32, 600'000);
  const auto [first, second, even, odd] = HalvesOf(both, 4, 300'000);
  const std::string in = Write("y.npy", Npy(">f4", "(600000,)", Reversed(both, 4)));
  const std::string y = Evaluate(gelu_fn_gelu, gelu_form_gated, gelu_dtype_f32, 1, first, second);
  EXPECT_TRUE(SameBytes(Result(in, {"--form", "gated", "--gate", "first"}), Npy(">f4", "(300000,)", Reversed(y, 4))));
  const std::string empty = Write("empty.npy", Npy("<f4", "(3, 0)", ""));
  EXPECT_EQ(Result(empty, {"--form", "gated", "--gate", "second"}), Npy("<f4", "(3, 0)", ""));
  const std::string small = Write("small.npy", Npy("<f4", "(2,)", Elements(gelu_dtype_f32, {"inf", "2"})));
  EXPECT_EQ(RunTool({"apply", "gelu", small, "-o", "-", "--form", "gated", "--gate", "first"}).out,
            Npy("<f4", "(1,)", Elements(gelu_dtype_f32, {"inf"})));
}

TEST_F(OperandTest, GatedFromTwoFilesWithLimits) {
  const std::string a = Write("a.npy", Npy("<f8", "(2, 2)", Elements(gelu_dtype_f64, {"9", "2", "-3", "8"})));
  const std::string b = Write("b.npy", Npy("<f8", "(2, 2)", Elements(gelu_dtype_f64, {"-8", "2", "1", "6"})));
  const auto relu = [&](const Strings& more) {
    Strings arguments = {"apply", "relu", a, "-o", Path("y.npy"), "--form", "gated", "--with", b};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = RunTool(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return ReadFile(Path("y.npy"));
  };
  const auto want = [](const Strings& y) { return Npy("<f8", "(2, 2)", Elements(gelu_dtype_f64, y)); };
  EXPECT_EQ(relu({}), want({"-72", "4", "-0", "48"}));
  EXPECT_EQ(relu({"--gate-max", "7", "--linear-max", "5", "--linear-offset", "-1"}), want({"-42", "2", "-0", "28"}));
  EXPECT_EQ(relu({"--gate-max", "inf", "--linear-max", "inf"}), relu({}));
}

TEST_F(OperandTest, LimitsApplyToHalves) {
  const std::string in = Write("x.npy", Npy("<f4", "(4,)", Elements(gelu_dtype_f32, {"9", "-8", "2", "3"})));
  EXPECT_EQ(RunTool({"apply", "relu", in, "-o", Path("y.npy"), "--form", "gated", "--gate", "interleaved", "--gate-max",
                     "7", "--linear-max", "5", "--linear-offset", "1"})
                .err,
            "");
  EXPECT_EQ(ReadFile(Path("y.npy")), Npy("<f4", "(2,)", Elements(gelu_dtype_f32, {"-28", "8"})));
}

TEST_F(OperandTest, BiasOfTheSameShapeOrOneRow) {
  for (const gelu_dtype dtype : kNpyTypes) {
    for (const auto& [rows, d] : std::vector<std::pair<size_t, size_t>>{{100'003, 3}, {300, 1'000}, {2, 200'001}}) {
      const std::string x = Samples(dtype, rows * d), row = Samples(dtype, d),
                        full = Samples(dtype, rows * d + 1).substr(gelu_dtype_size(dtype));
      std::string repeated;
      for (size_t i = 0; i < rows; ++i) repeated += row;
      const std::string shape = fmt::format("({}, {})", rows, d);
      const std::string in = Write("x.npy", Npy(Descr(dtype), shape, x));
      const auto expect = [&](const std::string& b_shape, const std::string& file, const std::string& b) {
        const std::string with = Write("b.npy", Npy(Descr(dtype), b_shape, file));
        EXPECT_TRUE(SameBytes(Result(in, {"--form", "bias", "--with", with}),
                              Npy(Descr(dtype), shape, Evaluate(gelu_fn_gelu, gelu_form_bias, dtype, 1, x, b))))
            << b_shape;
      };
      expect(shape, full, full);
      expect(fmt::format("({},)", d), row, repeated);
      expect(fmt::format("(1, {})", d), row, repeated);
    }
  }
}

TEST_F(OperandTest, Bfloat16InSafetensorsByName) {
  const std::string x = Samples(gelu_dtype_bf16, 6), b = Samples(gelu_dtype_bf16, 9);
  const std::string in =
      Write("x.safetensors", Safetensors(R"({"u":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,8]},)"
                                         R"("v":{"dtype":"BF16","shape":[2],"data_offsets":[8,12]}})",
                                         x));
  const std::string with =
      Write("b.safetensors", Safetensors(R"({"v":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},)"
                                         R"("u":{"dtype":"BF16","shape":[2],"data_offsets":[4,8]}})",
                                         b.substr(0, 8)));
  out_ = "y.safetensors";
  const std::string rows = b.substr(4, 4) + b.substr(4, 4) + b.substr(0, 4);
  std::string want = ReadFile(in);
  want.replace(want.size() - 12, 12, Evaluate(gelu_fn_gelu, gelu_form_bias, gelu_dtype_bf16, 1, x, rows));
  EXPECT_TRUE(SameBytes(Result(in, {"--form", "bias", "--with", with}), want));
  ExpectFailure(Apply(in, {"--form", "gated", "--with", with}), {"b.safetensors: u is bf16 (2), but u in", "--with"});
  ExpectFailure(Apply(in, {"--form", "gated", "--gate", "first"}),
                {"x.safetensors: --gate first halves a tensor", ".npy files alone; save the tensor with numpy.save"});
}

TEST_F(OperandTest, Errors) {
  const auto file = [&](const char* name, const char* shape, size_t n, bool fortran = false) {
    return Write(name, NpyHeader(NpyDictionary("<f4", shape, fortran)) + std::string(4 * n, '\0'));
  };
  const std::string x = file("x.npy", "(2, 4)", 8), row = file("row.npy", "(4,)", 4),
                    odd = file("odd.npy", "(2, 3)", 6);
  const std::string column = file("column.npy", "(4, 1)", 4), scalar = file("scalar.npy", "()", 1);
  const std::string fortran = file("fortran.npy", "(2, 4)", 8, true);
  const Strings files = Files();
  const auto refuse = [&](const std::string& in, Strings words, const Strings& message) {
    words.insert(words.begin(), "--form");
    ExpectFailure(Apply(in, words), message);
    EXPECT_EQ(Files(), files);
  };
  refuse(x, {"bias"}, {"--form bias: reads x, b; add --with FILE"});
  refuse(x, {"bias", "--grad", x, "--with", x}, {"--grad ", "form bias reads x, b only; leave it out", "backward"});
  refuse(x, {"derivative", "--with", x}, {"--with ", "form derivative reads x only", "--form bias or gated"});
  refuse(x, {"bias", "--with", Path("none.npy")}, {"none.npy"});
  for (const std::string& wrong : {odd, column, scalar, fortran}) {
    refuse(x, {"bias", "--with", wrong}, {wrong, "but x in", "--with needs the same type", "one row of 4"});
  }
  refuse(fortran, {"bias", "--with", row}, {"one row for all needs C order"});
  refuse(x, {"gated"}, {"--form gated: reads a, b; add --with FILE, or --gate first, second or interleaved"});
  refuse(x, {"gated", "--with", row}, {"row is f32 (4), but x in", "--with needs the same type, shape and order\n"});
  refuse(x, {"gated", "--gate", "third"}, {"--gate third: no such half; choose first, second or interleaved"});
  refuse(x, {"gated", "--gate", "first", "--with", x}, {"--gate first", "--with ", "leave one of the two out"});
  refuse(x, {"bias", "--gate", "first", "--with", row}, {"--gate first: form bias has no halves", "--form gated"});
  for (const char* gate : {"first", "second", "interleaved"}) {
    refuse(odd, {"gated", "--gate", gate}, {"odd is f32 (2, 3), whose last axis of 3 is odd", gate, "an even one"});
  }
  refuse(scalar, {"gated", "--gate", "first"}, {"scalar is f32 (), a scalar", "last axis"});
  refuse(fortran, {"gated", "--gate", "first"}, {"in Fortran order", "numpy.ascontiguousarray"});
  refuse(x, {"forward", "--gate-max", "7"}, {"--gate-max 7: form forward has no limits", "--form gated"});
  for (const char* option : {"--gate-max", "--linear-max"}) {
    for (const char* limit : {"0", "-7", "nan"}) {
      refuse(x, {"gated", "--gate", "first", option, limit}, {std::string(option) + " " + limit + ": not positive"});
    }
  }
  refuse(x, {"gated", "--gate", "first", "--linear-offset", "inf"}, {"--linear-offset inf: not finite"});
  refuse(x, {"gated", "--gate", "first", "--linear-max", "seven"}, {"\"seven\": not a number"});
}

TEST_F(OperandTest, MemoryDoesNotGrowWithRowsAndHalves) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory";
  constexpr size_t kMany = size_t{1} << 25;
  constexpr uint64_t kMost = 64 << 20;
  const auto sparse = [&](const char* name, const std::string& shape) {
    std::string path = Write(name, Npy("<f4", shape, ""));
    std::filesystem::resize_file(path, std::filesystem::file_size(path) + 4 * kMany);
    return path;
  };
  const std::string x = sparse("x.npy", fmt::format("(1, {})", kMany)),
                    b = sparse("b.npy", fmt::format("({},)", kMany));
  for (const Strings& form : {Strings{"bias", "--with", b}, Strings{"gated", "--gate", "second"},
                              Strings{"gated", "--gate", "interleaved"}}) {
    Strings arguments = {"apply", "relu", x, "-o", "/dev/null", "--form"};
    arguments.insert(arguments.end(), form.begin(), form.end());
    const Outcome outcome = RunTool(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_LT(outcome.peak_bytes, kMost) << form.back();
  }
}

}  // namespace
}  // namespace gelu::cli
