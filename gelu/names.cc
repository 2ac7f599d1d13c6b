// SPDX-License-Identifier: Apache-2.0
// The registry of names: what an activation's name means in some framework, and what to say when it means nothing or
// more than one thing. Tables are constexpr and nothing allocates.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "gelu/control_word.h"
#include "gelu/family.h"
#include "gelu/gelu.h"
#include "gelu/spelling.h"

namespace gelu {
namespace {

using std::string_view;

// ---- The registry --------------------------------------------------------------------------------------------------

struct Entry {
  string_view framework;
  string_view name;
  gelu_activation activation;
};

template <class Visit>
constexpr void ForEachName(Visit visit) {
  for (std::size_t f = 0; f < std::size(kFamily); ++f) {
    for (const Name& name : kFamily[f].names) {
      if (name.name == nullptr) break;
      visit(Entry{name.framework, name.name, {static_cast<gelu_function>(f), {name.alpha, name.clip}}});
    }
  }
}

constexpr std::size_t kEntryCount = [] {
  std::size_t count = 0;
  ForEachName([&](const Entry&) { ++count; });
  return count;
}();

constexpr std::array<Entry, kEntryCount> kEntries = [] {
  std::array<Entry, kEntryCount> entries{};
  std::size_t count = 0;
  ForEachName([&](const Entry& entry) { entries[count++] = entry; });
  return entries;
}();

struct Alias {
  string_view alias;
  string_view framework;
};

constexpr Alias kAliases[] = {
    {"pytorch", "torch"},
    {"hf", "huggingface"},
    {"transformers", "huggingface"},
    {"vllm", "huggingface"},
    {"clip", "open_clip"},
    {"tf.keras", "keras"},
    {"tf", "tensorflow"},
    {"tensorflow.keras", "keras"},
    {"tf.lite", "tflite"},
    {"litert", "tflite"},
    {"flax", "jax"},
    {"flax.linen", "jax"},
    {"flax.nnx", "jax"},
    {"ai.onnx", "onnx"},
    {"com.microsoft", "onnxruntime"},
    {"ort", "onnxruntime"},
    {"dnnl", "onednn"},
    {"mkldnn", "onednn"},
    {"llama.cpp", "ggml"},
    {"ct2", "ctranslate2"},
    {"paddlepaddle", "paddle"},
    {"trt", "tensorrt"},
    {"coremltools", "coreml"},
    {"ov", "openvino"},
    {"candle_nn", "candle"},
    {"te", "transformer_engine"},
    {"flux", "nnlib"},
    {"megatron-lm", "megatron"},
    {"megatron-core", "megatron"},
};

// ---- Meanings ------------------------------------------------------------------------------------------------------

static_assert(std::ranges::all_of(kEntries,
                                  [](const Entry& entry) { return Key(entry.name).view().size() < Key::kCapacity; }));

// Where to look. A framework's full names come before names without their module: nn.GELU is also just GELU.
struct Scope {
  bool all_frameworks;
  string_view framework;
  bool without_module;

  bool Contains(const Entry& entry) const { return all_frameworks || entry.framework == framework; }
};

// Whether the query means this entry, and then what it asks for.
bool Matches(string_view query, const Scope& scope, const Entry& entry, gelu_activation* activation) {
  if (!scope.Contains(entry)) return false;
  const Key key(entry.name);
  string_view name = key.view();
  *activation = entry.activation;
  while (!Spells(query, name, &activation->params.alpha)) {
    const std::size_t dot = name.find('.');
    if (!scope.without_module || dot == kNone || dot > name.find('(')) return false;
    name.remove_prefix(dot + 1);
  }
  return true;
}

bool Same(const gelu_activation& a, const gelu_activation& b) {
  return a.function == b.function && a.params.alpha == b.params.alpha && a.params.clip == b.params.clip;
}

// Whether the query means anything, and then one thing that it means.
bool Means(string_view query, const Scope& scope, gelu_activation* activation) {
  return std::ranges::any_of(kEntries, [&](const Entry& entry) { return Matches(query, scope, entry, activation); });
}

bool Ambiguous(string_view query, const Scope& scope) {
  gelu_activation first{}, other{};
  if (!Means(query, scope, &first)) return false;
  return std::ranges::any_of(
      kEntries, [&](const Entry& entry) { return Matches(query, scope, entry, &other) && !Same(first, other); });
}

// ---- Frameworks ----------------------------------------------------------------------------------------------------

template <class Visit>  // visit(spelling, framework)
void ForEachFramework(Visit visit) {
  for (std::size_t i = 0; i < kEntryCount; ++i) {
    const string_view framework = kEntries[i].framework;
    const auto here = kEntries.begin() + static_cast<std::ptrdiff_t>(i);
    const auto seen = [&](const Entry& entry) { return entry.framework == framework; };
    if (!framework.empty() && std::none_of(kEntries.begin(), here, seen)) visit(framework, framework);
  }
  for (const Alias& alias : kAliases) visit(alias.alias, alias.framework);
}

// The framework with this name, or an empty view.
string_view FindFramework(string_view name) {
  const Key key(name);
  string_view found;
  ForEachFramework([&](string_view spelling, string_view framework) {
    if (Key(spelling).view() == key.view()) found = framework;
  });
  return found;
}

// Takes "framework." off the query and gives that framework; an empty view where there is none. The longest counts:
// tf.keras.activations.gelu is Keras's.
string_view TakeFramework(string_view* query) {
  string_view found;
  std::size_t length = 0;
  ForEachFramework([&](string_view spelling, string_view framework) {
    const Key key(spelling);
    const std::size_t size = key.view().size();
    if (size > length && query->size() > size && query->starts_with(key.view()) && (*query)[size] == '.') {
      found = framework;
      length = size;
    }
  });
  if (length > 0) query->remove_prefix(length + 1);
  return found;
}

// ---- Messages ------------------------------------------------------------------------------------------------------

// Writes what fits; always ends in a NUL where there is room for one.
class Message {
 public:
  Message(char* to, std::size_t capacity) : to_(to), left_(to == nullptr ? 0 : capacity) {
    if (left_ > 0) *to_ = '\0';
  }
  Message& operator<<(string_view text) {
    for (const char c : text) {
      if (left_ < 2) break;
      *to_++ = c;
      *to_ = '\0';
      --left_;
    }
    return *this;
  }
  Message& operator<<(double number) {
    char text[32];
    return *this << string_view(text, std::to_chars(text, text + sizeof text, number).ptr - text);
  }
  // What the user typed: cut where it is long, and without characters that a terminal would obey.
  Message& Quote(string_view text) {
    constexpr std::size_t kLongest = 60;
    if (text.empty()) return *this << "an empty name";
    for (const char c : text.substr(0, kLongest)) *this << (c >= ' ' && c <= '~' ? string_view(&c, 1) : "?");
    return *this << (text.size() > kLongest ? "..." : "");
  }
  Message& operator<<(const gelu_activation& activation) {
    *this << kFamily[activation.function].name;
    if (activation.params.alpha != 1) *this << " with alpha " << activation.params.alpha;
    if (activation.params.clip != kNoClip) *this << " with clip " << activation.params.clip;
    return *this;
  }
  Message& operator<<(const Entry& entry) {
    if (entry.framework.empty()) return *this << entry.name;
    return *this << entry.framework << ":" << entry.name;
  }

 private:
  char* to_;
  std::size_t left_;
};

std::size_t CommonPrefix(string_view a, string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

// The framework's own way to say without doubt what this entry means, most like the entry; else this library's name.
const Entry& Unambiguous(const Entry& entry) {
  const Entry* best = nullptr;
  std::size_t likeness = 0;
  for (const Entry& other : kEntries) {
    const bool own = other.framework.empty() && other.activation.function == entry.activation.function;
    if (best == nullptr && own) best = &other;
    if (other.framework != entry.framework || !Same(other.activation, entry.activation)) continue;
    if (Ambiguous(Key(other.name).view(), {false, other.framework, false})) continue;
    const std::size_t like = 1 + CommonPrefix(Key(entry.name).view(), Key(other.name).view());
    if (like > likeness) {
      best = &other;
      likeness = like;
    }
  }
  return *best;
}

void SayMeanings(string_view query, const Scope& scope, Message* message) {
  string_view separator = " ";
  for (std::size_t i = 0; i < kEntryCount; ++i) {
    gelu_activation meaning{}, earlier{};
    if (!Matches(query, scope, kEntries[i], &meaning)) continue;
    bool said = false;
    for (std::size_t j = 0; j < i && !said; ++j) {
      said = kEntries[j].framework == kEntries[i].framework && Matches(query, scope, kEntries[j], &earlier) &&
             Same(earlier, meaning);
    }
    if (said) continue;
    const Entry& spelling = Unambiguous(kEntries[i]);
    *message << separator << spelling;
    if (spelling.framework.empty() && !kEntries[i].framework.empty()) *message << " (without a framework)";
    *message << " for " << meaning;
    separator = ", ";
  }
}

void SayFrameworks(string_view unknown, Message* message) {
  message->Quote(unknown) << ": no framework is known by this name; give one of";
  string_view separator = " ";
  ForEachFramework([&](string_view spelling, string_view framework) {
    if (spelling != framework) return;
    *message << separator << framework;
    separator = ", ";
  });
}

// Up to six entries spelled much like the query, the nearest first.
void SayNear(string_view query, const Scope& scope, Message* message) {
  constexpr std::size_t kMost = 6;
  std::array<const Entry*, kMost + 1> near{};
  std::array<std::size_t, kMost + 1> distances{};
  std::size_t count = 0;
  const string_view bare = Bare(query);
  for (const Entry& entry : kEntries) {
    if (!scope.Contains(entry)) continue;
    const Key key(entry.name);
    const string_view name = Bare(key.view());
    const bool contains = bare.size() > 2 && (name.find(bare) != kNone || bare.find(name) != kNone);
    const std::size_t distance = EditDistance(bare, name);
    const auto same = [&](const Entry* other) { return Bare(Key(other->name).view()) == name; };
    if (!contains && distance > std::max<std::size_t>(2, bare.size() / 3)) continue;
    if (std::any_of(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), same)) continue;
    std::size_t at = count;
    for (; at > 0 && distances[at - 1] > distance; --at) {
      near[at] = near[at - 1];
      distances[at] = distances[at - 1];
    }
    near[at] = &entry;
    distances[at] = distance;
    count = std::min(count + 1, kMost);
  }
  for (std::size_t i = 0; i < count; ++i) *message << (i == 0 ? "; near: " : ", ") << *near[i];
}

}  // namespace
}  // namespace gelu

extern "C" {

gelu_status gelu_resolve(const char* name, const char* framework, gelu_activation* activation, char* message,
                         size_t capacity) {
  using namespace gelu;
  const DefaultControlWord control_word;  // which the conversion of a number depends on
  Message say(message, capacity);
  if (name == nullptr || activation == nullptr) {
    say << "name or activation: a null pointer; give both";
    return GELU_ERROR_NULL;
  }
  const Key key(name);
  string_view query = key.view();
  Scope scope{.all_frameworks = framework == nullptr, .framework = "", .without_module = true};
  if (framework != nullptr && *framework != '\0') {
    scope.framework = FindFramework(framework);
    if (scope.framework.empty()) {
      SayFrameworks(framework, &say);
      return GELU_ERROR_NAME;
    }
  }
  string_view rest = query;
  const string_view prefix = TakeFramework(&rest);
  const bool leads = !prefix.empty() && (scope.all_frameworks || prefix == scope.framework);
  if (leads) {
    query = rest;
    scope = {false, prefix, true};
  }
  const auto quote = [&](const Scope& where) {
    say.Quote(name);
    if (!leads && !where.all_frameworks && !where.framework.empty()) say << " in " << where.framework;
  };

  const Scope own{false, "", false};
  const Scope full{false, scope.framework, false};
  for (const Scope& where : {scope.all_frameworks ? own : full, scope, own}) {
    gelu_activation meaning{};
    if (!Means(query, where, &meaning)) continue;
    quote(where);
    if (!std::isfinite(meaning.params.alpha)) {
      say << ": alpha is not a finite number; give one that a double can hold";
      return GELU_ERROR_ALPHA;
    }
    if (Ambiguous(query, where)) {
      say << ": means different functions; write";
      SayMeanings(query, where, &say);
      return GELU_ERROR_AMBIGUOUS;
    }
    Message(message, capacity);
    *activation = meaning;
    return GELU_OK;
  }
  gelu_activation meaning{};
  const std::size_t dot = query.find('.');
  if (scope.all_frameworks && dot < query.find('(') && Means(query.substr(dot + 1), scope, &meaning)) {
    SayFrameworks(query.substr(0, dot), &say);
    return GELU_ERROR_NAME;
  }
  quote(scope);
  say << ": no activation is known by this name";
  SayNear(query, scope, &say);
  say << "; `gelu list --names` prints all";
  return GELU_ERROR_NAME;
}

size_t gelu_name_count(void) { return gelu::kEntryCount; }

gelu_status gelu_name_at(size_t index, gelu_name* name) {
  if (name == nullptr) return GELU_ERROR_NULL;
  if (index >= gelu::kEntryCount) return GELU_ERROR_NAME;
  const gelu::Entry& entry = gelu::kEntries[index];
  *name = {entry.framework.data(), entry.name.data(), entry.activation};
  return GELU_OK;
}

}  // extern "C"
