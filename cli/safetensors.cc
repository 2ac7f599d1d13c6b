// SPDX-License-Identifier: Apache-2.0
// .safetensors: the length of the header in 8 bytes, a JSON object, the elements; everything little-endian.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "cli/failure.h"
#include "cli/file.h"

namespace gelu::cli {
namespace {

using nlohmann::json;

constexpr uint64_t kLengthBytes = 8;
// Memory is to stay below 64 MiB, and a header takes several times its length. The format's own library reads up to
// 100 MB: a million tensors.
constexpr uint64_t kLongestHeader = uint64_t{8} << 20;
constexpr size_t kMostValues = 256;  // of one entry: a tensor's type, shape and place

struct Type {
  const char* name;
  gelu_dtype dtype;
};
constexpr Type kTypes[] = {
    {"F64", gelu_dtype_f64}, {"F32", gelu_dtype_f32}, {"F16", gelu_dtype_f16}, {"BF16", gelu_dtype_bf16}};

uint64_t LengthOf(const InputFile& file) {
  std::array<unsigned char, kLengthBytes> bytes;
  file.Read(0, bytes.size(), bytes.data());
  uint64_t length = 0;
  for (size_t i = 0; i < bytes.size(); ++i) length |= uint64_t{bytes[i]} << (8 * i);
  return length;
}

// A tensor's bytes, relative to the end of the header, to see that all together fill the file.
struct Extent {
  uint64_t begin, end;
  std::string name;
};

class Parser {
 public:
  explicit Parser(const InputFile& file) : file_(file) {}

  Contents Parse() {
    const uint64_t length = LengthOf(file_);
    if (length > file_.size() - kLengthBytes) {
      throw Bad(fmt::format("a header of {} bytes in a file of {}", length, file_.size()), kCopyAgain);
    }
    if (length > kLongestHeader) {
      throw Bad(fmt::format("a header of {} bytes, and at most {} are read", length, kLongestHeader), kSplit);
    }
    data_ = kLengthBytes + length;
    const std::string header = file_.ReadString(kLengthBytes, length);
    try {
      ParseJson(header);
    } catch (const json::exception& error) {
      throw Bad(fmt::format("a header that is not the JSON it should be ({})", error.what()), kWriteAgain);
    }
    CheckExtents();
    std::ranges::stable_sort(contents_.tensors, {}, &Tensor::offset);
    return std::move(contents_);
  }

 private:
  static constexpr const char* kCopyAgain = "it is cut short, copy it again";
  static constexpr const char* kWriteAgain = "write it again with safetensors.save_file";
  static constexpr const char* kSplit = "save its tensors in several files";

  Failure Bad(const std::string& found, const char* remedy) const {
    return Failure(fmt::format("{}: {}; {}", file_.path(), found, remedy));
  }

  // Takes each entry out of the tree as soon as it is complete: headers can be long, and a tree of one takes many
  // times its length. Sees every key, where the finished tree keeps the last of equal ones.
  void ParseJson(const std::string& header) {
    std::set<std::string> names, fields;
    std::string name;
    size_t values = 0;  // of the entry
    const json rest = json::parse(header, [&](int depth, json::parse_event_t event, json& value) {
      if (event == json::parse_event_t::key) {
        const auto key = value.get<std::string>();
        if (depth == 1) {
          name = key;
          fields.clear();
          values = 0;
        }
        if (!(depth == 1 ? names : fields).insert(key).second) {
          throw Bad(fmt::format("two entries \"{}\" in its header", key), kWriteAgain);
        }
      }
      const bool metadata = name == "__metadata__";
      const bool begins = event == json::parse_event_t::array_start || event == json::parse_event_t::object_start;
      if ((begins || (event == json::parse_event_t::value && !metadata)) && ++values > kMostValues) {
        throw Bad(fmt::format("more than {} values in entry {}", kMostValues, name), kWriteAgain);
      }
      if (metadata && depth > 1 && event == json::parse_event_t::key) return false;  // nor keep its value
      if (event == json::parse_event_t::object_end && depth == 1) {
        if (!metadata) AddTensor(name, value);
        return false;
      }
      return true;
    });
    if (!rest.is_object()) throw Bad("a header that is no JSON object", kWriteAgain);
    if (!rest.empty()) throw Bad(fmt::format("an entry \"{}\" that is no tensor", rest.begin().key()), kWriteAgain);
  }

  void AddTensor(const std::string& name, const json& entry) {
    const auto natural = [&](const json& value) {
      if (!value.is_number_unsigned()) throw Bad(fmt::format("{} in tensor {}", value.dump(), name), kWriteAgain);
      return value.get<uint64_t>();
    };
    Tensor tensor;
    tensor.name = name;
    tensor.byte_swapped = std::endian::native == std::endian::big;
    const auto type = entry.at("dtype").get<std::string>();
    const json& shape = entry.at("shape");
    if (!shape.is_array()) throw Bad(fmt::format("tensor {} has no list as its shape", name), kWriteAgain);
    for (const json& length : shape) tensor.shape.push_back(natural(length));
    const json& offsets = entry.at("data_offsets");
    if (!offsets.is_array() || offsets.size() != 2)
      throw Bad(fmt::format("data_offsets of tensor {} are no pair", name), kWriteAgain);
    const uint64_t begin = natural(offsets.at(0)), end = natural(offsets.at(1));
    if (begin > end) throw Bad(fmt::format("tensor {} from byte {} to {}", name, begin, end), kWriteAgain);
    if (end > file_.size() - data_) {
      throw Bad(fmt::format("tensor {} ends at byte {} of {}", name, end, file_.size() - data_), kCopyAgain);
    }
    extents_.push_back({begin, end, name});
    const auto known = std::ranges::find(kTypes, type, &Type::name);
    if (known == std::end(kTypes)) {
      contents_.skipped.push_back({name, type});
      return;
    }
    tensor.dtype = known->dtype;
    tensor.offset = data_ + begin;
    uint64_t bytes;
    if (!BytesOf(tensor.shape, gelu_dtype_size(tensor.dtype), &tensor.count, &bytes) || bytes != end - begin) {
      throw Bad(fmt::format("tensor {} has {} bytes, which its shape and {} do not make", name, end - begin, type),
                kWriteAgain);
    }
    contents_.tensors.push_back(std::move(tensor));
  }

  void CheckExtents() {
    std::ranges::sort(extents_, [](const Extent& a, const Extent& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    uint64_t at = 0;
    for (const Extent& extent : extents_) {
      if (extent.begin < at) throw Bad(fmt::format("tensor {} overlaps another", extent.name), kWriteAgain);
      if (extent.begin > at) {
        throw Bad(fmt::format("{} bytes before tensor {} belong to none", extent.begin - at, extent.name), kWriteAgain);
      }
      at = extent.end;
    }
    if (data_ + at != file_.size()) {
      throw Bad(fmt::format("{} bytes at the end belong to no tensor", file_.size() - data_ - at), kWriteAgain);
    }
  }

  const InputFile& file_;
  uint64_t data_ = 0;  // where the elements begin
  Contents contents_;
  std::vector<Extent> extents_;
};

}  // namespace

// The header is an object, so the ninth byte is its brace. A length is no help: 640 begins like a pickle.
bool IsSafetensors(const InputFile& file) {
  return file.size() > kLengthBytes && file.ReadString(kLengthBytes, 1) == "{";
}

Contents ParseSafetensors(const InputFile& file) { return Parser(file).Parse(); }

}  // namespace gelu::cli
