// SPDX-License-Identifier: Apache-2.0
#include "cli/tensor.h"
#include "cli/tests/tool.h"

namespace gelu::cli {
namespace {

class NpyTest : public ToolTest {
 protected:
  // What `gelu apply` makes of a file with these bytes.
  Outcome Apply(const std::string& bytes) const {
    return RunTool({"apply", "gelu", Write("x.npy", bytes), "-o", Path("y.npy")});
  }
};

struct Element {
  const char* kind;
  gelu_dtype dtype;
};
constexpr Element kElements[] = {{"f2", gelu_dtype_f16}, {"f4", gelu_dtype_f32}, {"f8", gelu_dtype_f64}};

TEST_F(NpyTest, EveryVersionTypeAndByteOrder) {
  for (int version : {1, 2, 3}) {
    for (const auto& [kind, dtype] : kElements) {
      for (bool big_endian : {false, true}) {
        const size_t size = gelu_dtype_size(dtype);
        const std::string header =
            NpyHeader(NpyDictionary((big_endian ? ">" : "<") + std::string(kind), "(7, 3)"), version);
        const std::string x = Samples(dtype, 21);
        const std::string y = Evaluate(gelu_fn_gelu, gelu_form_forward, dtype, 1, x);
        const Outcome outcome = Apply(header + (big_endian ? Reversed(x, size) : x));
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_TRUE(SameBytes(ReadFile(Path("y.npy")), header + (big_endian ? Reversed(y, size) : y)))
            << version << kind;

        const TensorFile file(Path("x.npy"));
        ASSERT_EQ(file.tensors().size(), 1u);
        const Tensor& tensor = file.tensors()[0];
        EXPECT_EQ(tensor.name, "x");
        EXPECT_EQ(tensor.shape, (std::vector<uint64_t>{7, 3}));
        EXPECT_EQ(tensor.byte_swapped, big_endian);
        std::string read(5 * size, '\0');
        file.Read(tensor, 4, 5, read.data());
        EXPECT_TRUE(SameBytes(read, x.substr(4 * size, 5 * size)));
      }
    }
  }
}

TEST_F(NpyTest, FortranOrderAndSpellingsOfTheHeader) {
  const std::string x = Samples(gelu_dtype_f32, 6);
  const std::string y = Evaluate(gelu_fn_gelu, gelu_form_forward, gelu_dtype_f32, 1, x);
  for (const std::string& dictionary : {
           NpyDictionary("<f4", "(2, 3)", true),
           std::string("{\"shape\":(2L,3L),\"fortran_order\":True,\"descr\":\"<f4\"}"),
           std::string("{ 'fortran_order' : True ,\n 'descr':'=f4' , 'shape' : ( 2 , 3 , ) }"),
       }) {
    const std::string header = NpyHeader(dictionary);
    EXPECT_EQ(Apply(header + x).exit_code, 0) << dictionary;
    EXPECT_TRUE(SameBytes(ReadFile(Path("y.npy")), header + y));
    EXPECT_TRUE(TensorFile(Path("x.npy")).tensors()[0].fortran_order);
  }
}

TEST_F(NpyTest, ScalarsAndEmptyArrays) {
  const std::string x = Samples(gelu_dtype_f64, 1);
  EXPECT_EQ(Apply(Npy("<f8", "()", x)).exit_code, 0);
  EXPECT_TRUE(SameBytes(ReadFile(Path("y.npy")),
                        Npy("<f8", "()", Evaluate(gelu_fn_gelu, gelu_form_forward, gelu_dtype_f64, 1, x))));
  for (const char* shape : {"(0,)", "(3, 0)", "(18446744073709551615, 2, 0)"}) {
    EXPECT_EQ(Apply(Npy("<f8", shape, "")).exit_code, 0) << shape;
    EXPECT_TRUE(SameBytes(ReadFile(Path("y.npy")), Npy("<f8", shape, "")));
  }
}

TEST_F(NpyTest, DamagedFiles) {
  const std::string x(24, '\1');
  const std::string good = Npy("<f4", "(2, 3)", x);
  const std::string file = Path("x.npy");
  ASSERT_EQ(Apply(good).exit_code, 0);
  std::filesystem::remove(Path("y.npy"));
  for (size_t length = 1; length < good.size() - x.size(); ++length) {
    ExpectFailure(Apply(good.substr(0, length)), {file, "; "});
  }
  ExpectFailure(Apply(good.substr(0, 9)), {file, "ends inside the .npy header, after 9 bytes", "copy it again"});
  ExpectFailure(Apply(good.substr(0, good.size() - 1)), {file, "23 bytes of elements where", "make 24", "cut short"});
  ExpectFailure(Apply(good + "x"), {file, "25 bytes of elements where", "make 24; write it again"});
  ExpectFailure(Apply(Npy("<f4", "(4294967296, 4294967296)", x)), {file, "2^64"});
  ExpectFailure(Apply(Npy("<f8", "(2305843009213693952,)", x)), {file, "2^64"});
  ExpectFailure(Apply(Npy("<f4", "(18446744073709551616,)", x)), {file, "2^64"});
  EXPECT_EQ(Files(), std::vector<std::string>{"x.npy"});
}

TEST_F(NpyTest, HeadersThatNumpyDoesNotWrite) {
  const std::string file = Path("x.npy");
  const auto apply = [&](const std::string& dictionary) { return Apply(NpyHeader(dictionary) + std::string(4, '\0')); };
  ExpectFailure(apply("{'descr': '<f4', 'shape': (1,)}"), {file, "no descr, fortran_order or shape", "numpy.save"});
  ExpectFailure(apply("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}"),
                {file, "key 'descr'"});
  ExpectFailure(apply("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}"), {file, "key 'x'"});
  ExpectFailure(apply("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}"), {file, "neither True nor False"});
  ExpectFailure(apply("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"), {file, "'-1,)}", "in its shape"});
  ExpectFailure(apply("{'descr': '<f4', 'fortran_order': False, 'shape': [1]}"), {file, "where '(' is due"});
  ExpectFailure(apply("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x"), {file, "after the dictionary"});
  ExpectFailure(apply("{'descr': '<f4"), {file, "a string without end"});
  ExpectFailure(apply("garbage"), {file, "where '{' is due"});
  ExpectFailure(Apply("\x93NUMPY\x04" + Npy("<f4", "(1,)", "abcd").substr(7)), {file, "version 4.0"});
  ExpectFailure(Apply("\x93NUMPY\x02" + std::string("\0\0\0\2\0", 5) + std::string(0x20000, ' ')),
                {file, "a .npy header of 131072 bytes"});
}

TEST_F(NpyTest, OtherTypes) {
  const std::string file = Path("x.npy");
  ExpectFailure(Apply(Npy("|O", "(1,)", "\x80\4N.")), {file, "an object array", "pickle", "astype('float32')"});
  ExpectFailure(Apply(Npy("<i4", "(1,)", "abcd")), {file, "type '<i4' is none of f2, f4, f8", "astype('float32')"});
  ExpectFailure(Apply(Npy("<f16", "(1,)", std::string(16, 'x'))), {file, "'<f16'"});
  ExpectFailure(Apply(Npy("f4", "(1,)", "abcd")), {file, "'f4'"});
  ExpectFailure(Apply(Npy("", "(1,)", "abcd")), {file, "type ''"});
  ExpectFailure(Apply(Npy("<V2", "(2,)", "abcd")), {file, "'<V2'", "bfloat16", ".safetensors"});
  ExpectFailure(Apply(NpyHeader("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}") + "abcd"),
                {file, "a structured array"});
}

TEST_F(NpyTest, FilesOfOtherKinds) {
  const std::string file = Path("x.npy");
  ExpectFailure(Apply(""), {file, "the file is empty"});
  ExpectFailure(Apply("PK\3\4 and so on"), {file, "a zip archive", "numpy.save"});
  ExpectFailure(Apply("\x80\4\x95 and so on"), {file, "a Python pickle", "allow_pickle=False"});
  ExpectFailure(Apply("GGUF and so on"), {file, "a GGUF model", ".safetensors"});
  ExpectFailure(Apply("hello"), {file, "starts with 68 65 6c 6c 6f", "neither .npy nor .safetensors"});
  ExpectFailure(RunTool({"apply", "gelu", Path("none.npy"), "-o", Path("y.npy")}), {"none.npy: No such file", "check"});
  ExpectFailure(RunTool({"apply", "gelu", folder_.string(), "-o", Path("y.npy")}), {"is a folder; name one"});
  ExpectFailure(RunTool({"apply", "gelu", "/dev/zero", "-o", Path("y.npy")}), {"/dev/zero: is a pipe or a device"});
  EXPECT_EQ(Files(), std::vector<std::string>{"x.npy"});
}

}  // namespace
}  // namespace gelu::cli
