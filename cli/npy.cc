// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy, versions 1 to 3: "\x93NUMPY", version, length of the header, a Python dictionary, the elements.
#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>

#include "cli/failure.h"
#include "cli/file.h"

namespace gelu::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
// Real headers have about 100 bytes; NumPy itself refuses more than 10,000 unless told otherwise.
constexpr size_t kLongestHeader = 1 << 16;

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<uint64_t> shape;
};

// The subset of Python's syntax that numpy.save writes.
class Parser {
 public:
  Parser(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  Header Parse() {
    Header header;
    bool has_descr = false, has_order = false, has_shape = false;
    Expect('{');
    while (!Take('}')) {
      const std::string key = String();
      Expect(':');
      if (key == "descr" && !has_descr) {
        has_descr = true;
        header.descr = Descr();
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        header.fortran_order = Bool();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        header.shape = Shape();
      } else {
        throw Bad(fmt::format("an unexpected or repeated key '{}'", key));
      }
      if (!Take(',')) {
        Expect('}');
        break;
      }
    }
    if (!has_descr || !has_order || !has_shape) throw Bad("no descr, fortran_order or shape");
    SkipSpace();
    if (!text_.empty()) throw Bad("something after the dictionary");
    return header;
  }

 private:
  Failure Bad(const std::string& found) const {
    return Failure(fmt::format("{}: the .npy header has {}; write the file again with numpy.save", path_, found));
  }

  void SkipSpace() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front()))) text_.remove_prefix(1);
  }

  bool Take(char c) {
    SkipSpace();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  void Expect(char c) {
    if (!Take(c)) {
      const std::string found = text_.empty() ? "its end" : fmt::format("'{}'", text_.substr(0, 8));
      throw Bad(fmt::format("{} where '{}' is due", found, c));
    }
  }

  std::string String() {
    const char quote = Take('"') ? '"' : '\'';
    if (quote == '\'') Expect('\'');
    const size_t end = text_.find(quote);
    if (end == std::string_view::npos) throw Bad("a string without end");
    std::string value(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return value;
  }

  // The type of an element; a list of fields stands for a structured array.
  std::string Descr() {
    SkipSpace();
    if (text_.starts_with('[') || text_.starts_with('(')) {
      throw Failure(fmt::format("{}: a structured array; save one field of it with numpy.save", path_));
    }
    return String();
  }

  bool Bool() {
    SkipSpace();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    throw Bad("a fortran_order that is neither True nor False");
  }

  uint64_t Integer() {
    SkipSpace();
    uint64_t value = 0;
    size_t digits = 0;
    for (; digits < text_.size() && std::isdigit(static_cast<unsigned char>(text_[digits])); ++digits) {
      const auto digit = static_cast<uint64_t>(text_[digits] - '0');
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value)) {
        throw Bad("a length beyond 2^64 in its shape");
      }
    }
    if (digits == 0) throw Bad(fmt::format("'{}' in its shape", text_.substr(0, 8)));
    text_.remove_prefix(digits);
    if (text_.starts_with('L')) text_.remove_prefix(1);  // Python 2 wrote its long integers so
    return value;
  }

  std::vector<uint64_t> Shape() {
    std::vector<uint64_t> shape;
    Expect('(');
    while (!Take(')')) {
      shape.push_back(Integer());
      if (!Take(',')) {
        Expect(')');
        break;
      }
    }
    return shape;
  }

  const std::string& path_;
  std::string_view text_;
};

// "<f4" and the like; the first character is the byte order.
void SetType(const std::string& path, const std::string& descr, Tensor& tensor) {
  const std::string kind = descr.empty() ? "" : descr.substr(1);
  if (kind.starts_with("O")) {
    throw Failure(fmt::format("{}: an object array, which is a pickle inside; save x.astype('float32') instead", path));
  }
  if (kind == "V2") {
    throw Failure(
        fmt::format("{}: type '{}', perhaps bfloat16, which .npy cannot express; save it as .safetensors or "
                    "as float32",
                    path, descr));
  }
  const bool known_order = descr.starts_with('<') || descr.starts_with('>') || descr.starts_with('=');
  if (!known_order || (kind != "f2" && kind != "f4" && kind != "f8")) {
    throw Failure(fmt::format("{}: type '{}' is none of f2, f4, f8; save x.astype('float32') instead", path, descr));
  }
  tensor.dtype = kind == "f2" ? gelu_dtype_f16 : kind == "f4" ? gelu_dtype_f32 : gelu_dtype_f64;
  const char foreign = std::endian::native == std::endian::little ? '>' : '<';
  tensor.byte_swapped = descr.front() == foreign;
}

// Where the dictionary begins and how long it is.
std::pair<uint64_t, uint64_t> HeaderOf(const InputFile& file) {
  const Failure truncated(
      fmt::format("{}: ends inside the .npy header, after {} bytes; copy it again", file.path(), file.size()));
  constexpr size_t kVersion = kMagic.size();
  if (file.size() < kVersion + 4) throw truncated;
  const std::string start = file.ReadString(0, std::min<uint64_t>(file.size(), kVersion + 6));
  const auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(start[i])); };
  const uint64_t major = byte(kVersion);
  if (major < 1 || major > 3) {
    throw Failure(fmt::format("{}: .npy version {}.{} is unknown, 1 to 3 are known; write it again with numpy.save",
                              file.path(), major, byte(kVersion + 1)));
  }
  uint64_t length = byte(kVersion + 2) | byte(kVersion + 3) << 8;
  uint64_t begin = kVersion + 4;
  if (major > 1) {
    begin += 2;
    if (file.size() < begin) throw truncated;
    length |= byte(kVersion + 4) << 16 | byte(kVersion + 5) << 24;
  }
  if (length > file.size() - begin) throw truncated;
  if (length > kLongestHeader) {
    throw Failure(fmt::format("{}: a .npy header of {} bytes, more than {}; write it again with numpy.save",
                              file.path(), length, kLongestHeader));
  }
  return {begin, length};
}

}  // namespace

bool IsNpy(const InputFile& file) {
  const std::string start = file.ReadString(0, std::min<uint64_t>(file.size(), kMagic.size()));
  return start == kMagic;
}

std::string NpyHeaderOf(const Tensor& tensor) {
  const bool little = (std::endian::native == std::endian::little) != tensor.byte_swapped;
  std::string dictionary = fmt::format("{{'descr': '{}f{}', 'fortran_order': {}, 'shape': (", little ? '<' : '>',
                                       gelu_dtype_size(tensor.dtype), tensor.fortran_order ? "True" : "False");
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    dictionary += fmt::format("{}{}", tensor.shape[i], i == 0 ? "," : i + 1 < tensor.shape.size() ? ", " : "");
    if (i == 0 && tensor.shape.size() > 1) dictionary += ' ';
  }
  dictionary += "), }";
  constexpr size_t kAlignment = 64;
  const auto length_with = [&](size_t before) {
    return (before + dictionary.size() + 1 + kAlignment - 1) / kAlignment * kAlignment - before;
  };
  const bool is_long = length_with(kMagic.size() + 4) > 0xffff;  // for version 1
  const size_t length_bytes = is_long ? 4 : 2;
  const size_t length = length_with(kMagic.size() + 2 + length_bytes);
  std::string header(kMagic);
  header += is_long ? '\2' : '\1';
  header += '\0';
  for (size_t i = 0; i < length_bytes; ++i) header += static_cast<char>(length >> (8 * i));
  return header + dictionary + std::string(length - dictionary.size() - 1, ' ') + '\n';
}

Contents ParseNpy(const InputFile& file) {
  const auto [begin, length] = HeaderOf(file);
  const Header header = Parser(file.path(), file.ReadString(begin, length)).Parse();
  Tensor tensor;
  tensor.name = std::filesystem::path(file.path()).stem().string();
  tensor.fortran_order = header.fortran_order;
  tensor.shape = header.shape;
  tensor.offset = begin + length;
  SetType(file.path(), header.descr, tensor);
  uint64_t bytes;
  if (!BytesOf(tensor.shape, gelu_dtype_size(tensor.dtype), &tensor.count, &bytes)) {
    throw Failure(
        fmt::format("{}: its shape has more than 2^64 bytes; the header is damaged, write it again", file.path()));
  }
  const uint64_t present = file.size() - tensor.offset;
  if (present != bytes) {
    throw Failure(fmt::format("{}: {} bytes of elements where its shape and type make {}; {}", file.path(), present,
                              bytes, present < bytes ? "it is cut short, copy it again" : "write it again"));
  }
  return {{tensor}, {}};
}

}  // namespace gelu::cli
