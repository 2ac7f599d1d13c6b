// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/tensor.h"
#include "cli/tests/tool.h"

namespace gelu::cli {
namespace {

class SafetensorsTest : public ToolTest {
 protected:
  Outcome Apply(const std::string& bytes, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"apply", "silu", Write("x.safetensors", bytes), "-o", Path("y.safetensors")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunTool(arguments);
  }
  std::string Output() const { return ReadFile(Path("y.safetensors")); }
};

std::string Entry(const std::string& name, const std::string& dtype, const std::string& shape, uint64_t begin,
                  uint64_t end) {
  return fmt::format(R"("{}":{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})", name, dtype, shape, begin, end);
}

std::string Silu(gelu_dtype dtype, const std::string& x) {
  return Evaluate(gelu_fn_silu, gelu_form_forward, dtype, 1, x);
}

// One tensor of each type, the header in another order than the elements, and one that is not evaluated.
struct Model {
  std::string b = Samples(gelu_dtype_bf16, 5), f = Samples(gelu_dtype_f32, 6), d = Samples(gelu_dtype_f64, 1),
              h = Samples(gelu_dtype_f16, 4), i = "01234567";
  std::string json = "{" + Entry("d", "F64", "[]", 42, 50) + R"(,"__metadata__":{"dtype":"x","format":"pt"},)" +
                     Entry("b", "BF16", "[5]", 0, 10) + "," + Entry("i", "I64", "[1]", 34, 42) + "," +
                     Entry("f", "F32", "[2,3]", 10, 34) + "," + Entry("h", "F16", "[1,4]", 50, 58) + "," +
                     Entry("none", "F32", "[0,9]", 58, 58) + "}  ";
  std::string File() const { return Safetensors(json, b + f + i + d + h); }
};

TEST_F(SafetensorsTest, EveryTypeIsEvaluatedAndTheRestCopied) {
  const Model model;
  const Outcome outcome = Apply(model.File());
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find("copied unchanged because of their type: 1 (I64)"), std::string::npos) << outcome.err;
  EXPECT_TRUE(SameBytes(
      Output(), Safetensors(model.json, Silu(gelu_dtype_bf16, model.b) + Silu(gelu_dtype_f32, model.f) + model.i +
                                            Silu(gelu_dtype_f64, model.d) + Silu(gelu_dtype_f16, model.h))));
  const TensorFile file(Path("x.safetensors"));
  EXPECT_EQ(file.format(), "safetensors");
  ASSERT_EQ(file.tensors().size(), 5u);
  EXPECT_EQ(file.tensors()[1].name, "f");
  EXPECT_EQ(file.tensors()[1].shape, (std::vector<uint64_t>{2, 3}));
  ASSERT_EQ(file.skipped().size(), 1u);
  EXPECT_EQ(file.skipped()[0].name, "i");
}

TEST_F(SafetensorsTest, OneTensorAlone) {
  const Model model;
  EXPECT_EQ(Apply(model.File(), {"--tensor", "f"}).exit_code, 0);
  EXPECT_TRUE(SameBytes(
      Output(), Safetensors(model.json, model.b + Silu(gelu_dtype_f32, model.f) + model.i + model.d + model.h)));
  ExpectFailure(Apply(model.File(), {"--tensor", "i"}), {"x.safetensors", "tensor i is of type I64", "BF16"});
  ExpectFailure(Apply(model.File(), {"--tensor", "z"}), {"x.safetensors", "no tensor z; choose one of b, f, d, h"});
}

TEST_F(SafetensorsTest, TypesThatNobodyEvaluates) {
  const std::string file = Path("x.safetensors");
  ExpectFailure(Apply(Safetensors("{" + Entry("q", "F8_E4M3", "[4]", 0, 4) + "}", "abcd")),
                {file, "tensors of type F8_E4M3 alone; name a file with some of F64"});
  ExpectFailure(
      Apply(Safetensors("{" + Entry("q", "I8", "[1]", 0, 1) + "," + Entry("r", "U8", "[1]", 1, 2) + "}", "ab"),
            {"--tensor", "s"}),
      {file, "tensors of type I8, U8 alone"});
  ExpectFailure(Apply(Safetensors("{}", "")), {file, "holds no tensors; name another file"});
}

TEST_F(SafetensorsTest, Backward) {
  const Model x, dy;
  const std::string gradients = Write("dy.safetensors", dy.File());
  EXPECT_EQ(Apply(x.File(), {"--form", "backward", "--grad", gradients, "--alpha", "2"}).exit_code, 0);
  const auto dx = [](gelu_dtype dtype, const std::string& at, const std::string& upstream) {
    return Evaluate(gelu_fn_silu, gelu_form_backward, dtype, 2, at, upstream);
  };
  EXPECT_TRUE(
      SameBytes(Output(), Safetensors(x.json, dx(gelu_dtype_bf16, x.b, dy.b) + dx(gelu_dtype_f32, x.f, dy.f) + x.i +
                                                  dx(gelu_dtype_f64, x.d, dy.d) + dx(gelu_dtype_f16, x.h, dy.h))));
  const std::string lone = Write("one.safetensors", Safetensors("{" + Entry("g", "F32", "[2,3]", 0, 24) + "}", dy.f));
  EXPECT_EQ(Apply(x.File(), {"--form", "backward", "--grad", lone, "--tensor", "f"}).exit_code, 0);
  ExpectFailure(Apply(x.File(), {"--form", "backward", "--grad", lone}), {lone, "holds no tensor b; choose one of g"});
  ExpectFailure(Apply(x.File(), {"--form", "backward", "--grad", lone, "--tensor", "h"}),
                {lone, "g is f32 (2, 3)", "h in", "is f16 (1, 4)", "the same type, shape and order"});
}

TEST_F(SafetensorsTest, DamagedFiles) {
  const std::string file = Path("x.safetensors");
  const std::string good = Safetensors("{" + Entry("a", "F32", "[2]", 0, 8) + "}", "abcdefgh");
  ASSERT_EQ(Apply(good).exit_code, 0);
  std::filesystem::remove(Path("y.safetensors"));
  for (size_t length = 0; length < good.size(); ++length) ExpectFailure(Apply(good.substr(0, length)), {file, "; "});
  ExpectFailure(Apply(good.substr(0, 20)), {file, "a header of", "in a file of 20", "cut short"});
  ExpectFailure(Apply(good.substr(0, good.size() - 1)), {file, "tensor a ends at byte 8 of 7", "cut short"});
  ExpectFailure(Apply(good + "x"), {file, "1 bytes at the end belong to no tensor"});
  EXPECT_EQ(Files(), std::vector<std::string>{"x.safetensors"});
}

TEST_F(SafetensorsTest, HeadersThatLie) {
  const std::string file = Path("x.safetensors");
  const auto apply = [&](const std::string& entries) { return Apply(Safetensors("{" + entries + "}", "abcdefgh")); };
  ExpectFailure(apply(Entry("a", "F32", "[3]", 0, 8)), {file, "tensor a has 8 bytes, which its shape and F32"});
  ExpectFailure(apply(Entry("a", "F32", "[4294967296,4294967296,4]", 0, 8)), {file, "tensor a has 8 bytes"});
  ExpectFailure(apply(Entry("a", "F32", "[2]", 8, 0)), {file, "tensor a from byte 8 to 0"});
  ExpectFailure(apply(Entry("a", "I8", "[9]", 0, 9)), {file, "tensor a ends at byte 9 of 8"});
  ExpectFailure(apply(Entry("a", "F32", "[1]", 0, 4) + "," + Entry("b", "F32", "[1]", 2, 6)), {file, "b overlaps"});
  ExpectFailure(apply(Entry("a", "F32", "[1]", 0, 4) + "," + Entry("b", "I8", "[2]", 6, 8)), {file, "2 bytes before"});
  ExpectFailure(apply(Entry("a", "F32", "[1]", 0, 4) + "," + Entry("a", "F32", "[1]", 4, 8)),
                {file, "two entries \"a\""});
  ExpectFailure(apply(R"("a":{"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]})"), {file, "\"dtype\""});
}

// What would take more memory than a file of any size may.
TEST_F(SafetensorsTest, HeadersThatAreTooLarge) {
  const std::string file = Path("x.safetensors");
  const auto header = [](const std::string& json) { return Safetensors(json, "abcdefgh"); };
  const std::string entry = "{" + Entry("a", "F32", "[2]", 0, 8) + "}";
  EXPECT_EQ(Apply(header(entry + std::string((8 << 20) - entry.size(), ' '))).exit_code, 0);
  ExpectFailure(Apply(header(entry + std::string((8 << 20) + 8 - entry.size(), ' '))),
                {file, "a header of 8388616 bytes, and at most 8388608", "; save its tensors in several files"});
  std::string ones = "2";
  for (int i = 0; i < 300; ++i) ones += ",1";
  ExpectFailure(Apply(header("{" + Entry("a", "F32", "[" + ones + "]", 0, 8) + "}")),
                {file, "more than 256 values in entry a"});
  ExpectFailure(Apply(header("{\"a\":" + std::string(300, '['))), {file, "more than 256 values in entry a"});
  std::string metadata = R"("__metadata__":{"k":"v")";
  for (int i = 0; i < 300; ++i) metadata += fmt::format(R"(,"k{}":"v")", i);
  EXPECT_EQ(Apply(header("{" + metadata + "}," + Entry("a", "F32", "[2]", 0, 8) + "}")).exit_code, 0);
}

TEST_F(SafetensorsTest, HeadersThatAreNoSuchJson) {
  const std::string file = Path("x.safetensors");
  for (const char* json : {"{\"a\"", "{]", "{} x", R"({"a":1})", R"({"a":[1]})", R"({"a":{}})",
                           R"({"a":{"dtype":"F32"}})", R"({"a":{"dtype":1,"shape":[2],"data_offsets":[0,8]}})",
                           R"({"a":{"dtype":"F32","shape":2,"data_offsets":[0,8]}})",
                           R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})",
                           R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})",
                           R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,8]}})",
                           R"({"a":{"dtype":"F32","shape":[2],"data_offsets":8}})",
                           R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,1e30]}})"}) {
    ExpectFailure(Apply(Safetensors(json, "abcdefgh")), {file, "; write it again with safetensors.save_file"});
  }
}

}  // namespace
}  // namespace gelu::cli
