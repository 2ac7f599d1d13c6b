// SPDX-License-Identifier: Apache-2.0
// The registry: each name gives the function that its framework means, and a name that could mean two gives none.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gelu/gelu.h"

namespace {

using testing::AssertionFailure;
using testing::AssertionResult;
using testing::AssertionSuccess;

// "function alpha clip", or the status and the message.
struct Answer {
  gelu_status status;
  gelu_activation meaning{};
  std::string message;
};

Answer Ask(const char* name, const char* framework = nullptr) {
  Answer answer;
  std::array<char, 4096> message{};
  answer.status = gelu_resolve(name, framework, &answer.meaning, message.data(), message.size());
  answer.message = message.data();
  return answer;
}

AssertionResult Is(const Answer& answer, gelu_function function, double alpha = 1, double clip = HUGE_VAL) {
  const auto& [got, params] = answer.meaning;
  if (answer.status == GELU_OK && got == function && params.alpha == alpha && params.clip == clip &&
      answer.message.empty()) {
    return AssertionSuccess();
  }
  return AssertionFailure() << "status " << answer.status << ", function " << got << ", alpha " << params.alpha
                            << ", clip " << params.clip << ", message '" << answer.message << "'";
}

AssertionResult Says(const Answer& answer, gelu_status status, const std::vector<const char*>& parts) {
  if (answer.status != status) return AssertionFailure() << "status " << answer.status << ": " << answer.message;
  for (const char* part : parts) {
    if (answer.message.find(part) == std::string::npos)
      return AssertionFailure() << part << " not in: " << answer.message;
  }
  return AssertionSuccess();
}

std::vector<gelu_name> Registry() {
  std::vector<gelu_name> all(gelu_name_count());
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(gelu_name_at(i, &all[i]), GELU_OK);
  return all;
}

// The spellings that an ambiguity's message offers: "...; write A for f, B for g".
std::vector<std::string> Offers(const std::string& message) {
  std::vector<std::string> offers;
  const std::string start = "; write ";
  size_t at = message.find(start);
  if (at == std::string::npos) return offers;
  for (at += start.size(); at < message.size();) {
    const size_t end = message.find(" for ", at);
    std::string offer = message.substr(at, end - at);
    if (const size_t note = offer.find(" (without"); note != std::string::npos) offer.resize(note);
    offers.push_back(offer);
    const size_t comma = message.find(", ", end);
    if (comma == std::string::npos) break;
    at = comma + 2;
  }
  return offers;
}

TEST(Names, TheModelsActivationIsHonoured) {
  for (const char* name : {"gelu", "gelu_python", "GELUActivation"}) {
    EXPECT_TRUE(Is(Ask(name, "huggingface"), gelu_fn_gelu)) << name;
  }
  for (const char* name : {"gelu_new", "gelu_fast", "gelu_accurate", "gelu_pytorch_tanh", "gelu_python_tanh"}) {
    EXPECT_TRUE(Is(Ask(name, "huggingface"), gelu_fn_gelu_tanh)) << name;
    EXPECT_TRUE(Is(Ask(name), gelu_fn_gelu_tanh)) << name;
  }
  EXPECT_TRUE(Is(Ask("gelu_10", "huggingface"), gelu_fn_gelu, 1, 10));
  EXPECT_TRUE(Is(Ask("quick_gelu", "huggingface"), gelu_fn_silu, 1.702));
  EXPECT_TRUE(Is(Ask("QuickGELU", "open_clip"), gelu_fn_silu, 1.702));
  EXPECT_TRUE(Is(Ask("silu", "huggingface"), gelu_fn_silu));
  EXPECT_TRUE(Is(Ask("swish", "huggingface"), gelu_fn_silu));
  EXPECT_TRUE(Is(Ask("swish1"), gelu_fn_silu));
  EXPECT_TRUE(Is(Ask("relu6", "huggingface"), gelu_fn_relu, 1, 6));
  for (const char* name :
       {"mish", "laplace", "hardswish", "leaky_relu", "relu2", "tanh", "linear", "gelu_fast_approx"}) {
    EXPECT_TRUE(Says(Ask(name, "huggingface"), GELU_ERROR_NAME, {name, "list --names"}));
  }
}

TEST(Names, TheSameOptionIsTheSameFunctionEverywhere) {
  for (const char* name : {"nn.GELU", "F.gelu", "nn.functional.gelu", "torch.nn.GELU()", "GELU(approximate='none')",
                           "F.gelu(x, approximate=\"none\")", "nn.GELU('none')"}) {
    EXPECT_TRUE(Is(Ask(name, "torch"), gelu_fn_gelu)) << name;
  }
  for (const char* name : {"GELU(approximate='tanh')", "gelu(approximate=tanh)", "torch.nn.functional.gelu(x, 'tanh')",
                           "GELU( approximate = \"tanh\" )", "nn.GELU('tanh')"}) {
    EXPECT_TRUE(Is(Ask(name, "torch"), gelu_fn_gelu_tanh)) << name;
  }
  EXPECT_TRUE(Is(Ask("Gelu", "onnx"), gelu_fn_gelu));
  EXPECT_TRUE(Is(Ask("Gelu(approximate=none)", "onnx"), gelu_fn_gelu));
  EXPECT_TRUE(Is(Ask("Gelu(approximate=tanh)", "onnx"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("Gelu[approximate=tanh]", "ai.onnx"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("com.microsoft:FastGelu"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("QuickGelu", "onnxruntime"), gelu_fn_silu, 1.702));
  for (const char* framework : {"keras", "jax", "tensorflow", "paddle", "tflite", "mindspore"}) {
    EXPECT_TRUE(Is(Ask("gelu(approximate=True)", framework), gelu_fn_gelu_tanh)) << framework;
    EXPECT_TRUE(Is(Ask("gelu(x, False)", framework), gelu_fn_gelu)) << framework;
  }
  EXPECT_TRUE(Is(Ask("tf.keras.activations.gelu"), gelu_fn_gelu));
  EXPECT_TRUE(Is(Ask("tf.nn.gelu"), gelu_fn_gelu));
  EXPECT_TRUE(Says(Ask("GELU(approximate='tahn')", "torch"), GELU_ERROR_NAME, {"torch:nn.GELU"}));
  EXPECT_TRUE(Says(Ask("GELU(foo='tanh')", "torch"), GELU_ERROR_NAME, {"torch:nn.GELU"}));
}

TEST(Names, LibrariesAndRuntimes) {
  EXPECT_TRUE(Is(Ask("eltwise_gelu_erf", "onednn"), gelu_fn_gelu));
  EXPECT_TRUE(Is(Ask("eltwise_gelu_tanh", "dnnl"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("eltwise_swish(alpha=1.702)", "onednn"), gelu_fn_silu, 1.702));
  EXPECT_TRUE(Says(Ask("eltwise_swish", "onednn"), GELU_ERROR_NAME, {"onednn:eltwise_swish(alpha=*)"}));
  EXPECT_TRUE(Is(Ask("eltwise_relu(alpha=0)", "onednn"), gelu_fn_relu));
  EXPECT_EQ(Ask("eltwise_relu(alpha=0.1)", "onednn").status, GELU_ERROR_NAME) << "a leaky ReLU";
  EXPECT_TRUE(Is(Ask("CUDNN_POINTWISE_GELU_FWD"), gelu_fn_gelu));
  EXPECT_TRUE(Is(Ask("CUDNN_POINTWISE_GELU_APPROX_TANH_FWD"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("CUDNN_POINTWISE_SWISH_FWD"), gelu_fn_silu));
  EXPECT_TRUE(Is(Ask("GGML_UNARY_OP_GELU"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("GGML_UNARY_OP_GELU_ERF"), gelu_fn_gelu));
  EXPECT_TRUE(Is(Ask("ggml_gelu_quick"), gelu_fn_silu, 1.702));
  EXPECT_TRUE(Is(Ask("ggml_silu"), gelu_fn_silu));
  EXPECT_TRUE(Is(Ask("GELU", "ctranslate2"), gelu_fn_gelu));
  EXPECT_TRUE(Is(Ask("GELUTanh", "ct2"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("GELUSigmoid", "ctranslate2"), gelu_fn_silu, 1.702));
  EXPECT_TRUE(Is(Ask("gelu_sigmoid", "nnlib"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("GELU_TANH", "tensorrt"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("gelu(mode=SIGMOID_APPROXIMATION)", "coreml"), gelu_fn_silu, 1.702));
  EXPECT_TRUE(Is(Ask("Gelu-7(approximation_mode=TANH)", "openvino"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("NewGelu", "candle"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("candle_nn::Activation::Gelu"), gelu_fn_gelu));
}

// Each of these was converted wrongly, or could not be told, in some port.
TEST(Names, ConvertersOfModels) {
  EXPECT_TRUE(Is(Ask("nn.gelu", "mlx"), gelu_fn_gelu));
  EXPECT_TRUE(Is(Ask("nn.gelu_approx", "mlx"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("openai_gelu", "megatron"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("quick_gelu", "megatron"), gelu_fn_silu, 1.702));
  EXPECT_TRUE(Is(Ask("gelu_accurate", "fairseq"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("gelu_tanh", "timm"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("quick_gelu", "timm"), gelu_fn_silu, 1.702));
  EXPECT_TRUE(Is(Ask("qgelu", "transformer_engine"), gelu_fn_silu, 1.702));
}

// The host's rounding mode has no say in what a number in a name is.
TEST(Names, AlphaInEveryRoundingMode) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    const Answer answers[] = {Ask("silu(alpha=1.702)"), Ask("silu(alpha=0.1)"), Ask("silu(alpha=0.3)")};
    ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
    EXPECT_TRUE(Is(answers[0], gelu_fn_silu, 1.702));
    EXPECT_TRUE(Is(answers[1], gelu_fn_silu, 0.1));
    EXPECT_TRUE(Is(answers[2], gelu_fn_silu, 0.3));
  }
}

TEST(Names, NoApproximationByDefault) {
  for (const char* framework : {"jax", "ggml", "onednn", "candle", "tinygrad", "mindspore", "nnlib", "megatron",
                                "cublaslt", "hipblaslt", "transformer_engine"}) {
    EXPECT_TRUE(Says(Ask("gelu", framework), GELU_ERROR_AMBIGUOUS, {framework, " for gelu,", " for gelu_tanh"}));
  }
  EXPECT_TRUE(Says(Ask("gelu", "jax"), GELU_ERROR_AMBIGUOUS,
                   {"nn.gelu(approximate=True) for gelu_tanh", "nn.gelu(approximate=False) for gelu"}));
  EXPECT_TRUE(Says(Ask("flax.linen.gelu"), GELU_ERROR_AMBIGUOUS, {"jax:nn.gelu(approximate=True) for gelu_tanh"}));
  EXPECT_TRUE(Says(Ask("keras.ops.gelu"), GELU_ERROR_AMBIGUOUS, {"keras:ops.gelu(approximate=True) for gelu_tanh"}));
  EXPECT_TRUE(Says(Ask("FastGelu"), GELU_ERROR_AMBIGUOUS,
                   {"onnxruntime:FastGelu for gelu_tanh", "mindspore:nn.FastGelu for silu with alpha 1.702"}));
  EXPECT_TRUE(Is(Ask("FastGelu", "mindspore"), gelu_fn_silu, 1.702));
}

TEST(Names, OursAloneNeedNoFramework) {
  for (size_t f = 0; f < gelu_function_count(); ++f) {
    const auto function = static_cast<gelu_function>(f);
    EXPECT_TRUE(Is(Ask(gelu_function_name(function)), function));
    EXPECT_TRUE(Is(Ask(gelu_function_name(function), ""), function));
  }
  EXPECT_TRUE(Is(Ask(" GeLu "), gelu_fn_gelu));
  EXPECT_TRUE(Is(Ask("gelu-tanh"), gelu_fn_gelu_tanh));
  EXPECT_TRUE(Is(Ask("gelu_tanh", "ggml"), gelu_fn_gelu_tanh)) << "says what it is";
  EXPECT_EQ(Ask("gelu_new", "").status, GELU_ERROR_NAME);
}

TEST(Names, AlphaFromTheName) {
  EXPECT_TRUE(Is(Ask("silu(alpha=-2.5e-3)"), gelu_fn_silu, -2.5e-3));
  EXPECT_TRUE(Is(Ask("swish(beta=0)"), gelu_fn_silu, 0));
  EXPECT_TRUE(Is(Ask("gelu(alpha=1.5)"), gelu_fn_gelu, 1.5));
  for (const char* name : {"silu(alpha=inf)", "silu(alpha=nan)", "silu(alpha=1e999)", "swish(beta=1e999)"}) {
    EXPECT_TRUE(Says(Ask(name), GELU_ERROR_ALPHA, {name, "finite"}));
  }
  for (const char* name :
       {"silu(alpha=)", "silu(alpha=1", "silu(alpha=1x)", "silu(alpha=1,2)", "silu(1.702)", "silu(beta)"}) {
    EXPECT_TRUE(Says(Ask(name), GELU_ERROR_NAME, {name}));
  }
  const std::string digits(70, '1');
  EXPECT_EQ(Ask(("silu(alpha=1" + digits.substr(0, 67) + ")junk").c_str()).status, GELU_ERROR_NAME);
}

TEST(Names, EveryEntryIsItselfOrAmbiguous) {
  std::map<std::string, size_t> entries_of;
  for (const gelu_name& name : Registry()) {
    SCOPED_TRACE(std::string(name.framework) + ":" + name.name);
    ++entries_of[name.framework];
    const auto& [function, params] = name.activation;
    EXPECT_LT(static_cast<size_t>(function), gelu_function_count());
    const Answer answer = Ask(name.name, name.framework);
    const std::string prefixed = std::string(name.framework) + ":" + name.name;
    EXPECT_EQ(Ask(prefixed.c_str()).status, answer.status);
    if (answer.status == GELU_ERROR_AMBIGUOUS) {
      const std::vector<std::string> offers = Offers(answer.message);
      EXPECT_GE(offers.size(), 2U) << answer.message;
      std::set<std::pair<int, double>> meanings;
      for (const std::string& offer : offers) {
        const Answer offered = Ask(offer.c_str());
        EXPECT_EQ(offered.status, GELU_OK) << offer << ": " << offered.message;
        meanings.emplace(offered.meaning.function, offered.meaning.params.alpha);
      }
      EXPECT_EQ(meanings.size(), offers.size()) << answer.message;
      EXPECT_TRUE(meanings.contains({function, params.alpha})) << answer.message;
    } else {
      EXPECT_TRUE(Is(answer, function, params.alpha, params.clip));
    }
  }
  EXPECT_GT(entries_of.size(), 30U);
}

TEST(Names, NoEntryTwice) {
  std::set<std::string> seen;
  for (const gelu_name& name : Registry()) {
    std::string key = std::string(name.framework) + ":" + name.name + " " + std::to_string(name.activation.function);
    std::ranges::transform(key, key.begin(), [](unsigned char c) { return c == '"' ? '\'' : std::tolower(c); });
    EXPECT_TRUE(seen.insert(key).second) << key;
  }
}

TEST(Names, UnknownNamesAndFrameworks) {
  EXPECT_TRUE(Says(Ask("gleu"), GELU_ERROR_NAME, {"gleu: no activation", "near: gelu;", "list --names"}));
  EXPECT_TRUE(Says(Ask("quik_gelu"), GELU_ERROR_NAME, {"huggingface:quick_gelu"}));
  EXPECT_TRUE(Says(Ask("gelu_newer", "huggingface"), GELU_ERROR_NAME, {" in huggingface", "huggingface:gelu_new"}));
  EXPECT_EQ(Ask("jax.nn.gelu", "torch").status, GELU_ERROR_NAME) << "another framework's name";
  for (const char* name : {"", "_", "()", ".", ":", "torch:", "gelu(", "gelu)", "gelu.", "*", "=", "(="}) {
    EXPECT_EQ(Ask(name).status, GELU_ERROR_NAME) << name;
  }
  std::set<std::string> frameworks;
  for (const gelu_name& name : Registry()) frameworks.insert(name.framework);
  for (const Answer& answer : {Ask("gelu", "foo"), Ask("foo:gelu"), Ask("foo/gelu_new")}) {
    EXPECT_TRUE(Says(answer, GELU_ERROR_NAME, {"foo: no framework"}));
    for (const std::string& framework : frameworks) {
      EXPECT_NE(answer.message.find(framework), std::string::npos) << framework;
    }
  }
  const Answer escape = Ask("gelu\x1b[31m\n\xff");
  EXPECT_TRUE(std::ranges::all_of(escape.message, [](char c) { return c >= ' ' && c <= '~'; })) << escape.message;
  EXPECT_LT(Ask(std::string(100000, 'g').c_str()).message.size(), 400U);
}

TEST(Names, MessagesEndWithinTheirCapacity) {
  for (const auto& [name, framework] : std::vector<std::pair<const char*, const char*>>{{"gelu", "jax"},
                                                                                        {"nn.gelu", nullptr},
                                                                                        {"gleu", nullptr},
                                                                                        {"gelu", "foo"},
                                                                                        {"silu(alpha=inf)", ""},
                                                                                        {nullptr, ""}}) {
    const std::string whole = Ask(name, framework).message;
    for (size_t capacity = 0; capacity <= 200; ++capacity) {
      std::vector<char> message(capacity + 1, '#');
      gelu_activation meaning{};
      EXPECT_NE(gelu_resolve(name, framework, &meaning, message.data(), capacity), GELU_OK);
      EXPECT_EQ(message[capacity], '#') << capacity;
      if (capacity > 0) {
        EXPECT_EQ(std::string(message.data()), whole.substr(0, capacity - 1)) << capacity;
      }
    }
  }
}

TEST(Names, NullAndOutOfRange) {
  gelu_activation meaning{gelu_fn_relu, {7, 7}};
  EXPECT_EQ(gelu_resolve(nullptr, nullptr, &meaning, nullptr, 0), GELU_ERROR_NULL);
  EXPECT_EQ(gelu_resolve("gelu", nullptr, nullptr, nullptr, 0), GELU_ERROR_NULL);
  EXPECT_EQ(gelu_resolve("gleu", nullptr, &meaning, nullptr, 100), GELU_ERROR_NAME);
  EXPECT_EQ(gelu_resolve("gelu", "jax", &meaning, nullptr, 0), GELU_ERROR_AMBIGUOUS);
  EXPECT_EQ(meaning.function, gelu_fn_relu) << "left alone on an error";
  EXPECT_EQ(meaning.params.alpha, 7);
  EXPECT_EQ(gelu_resolve("gelu", nullptr, &meaning, nullptr, 0), GELU_OK);
  EXPECT_EQ(gelu_name_at(0, nullptr), GELU_ERROR_NULL);
  gelu_name name;
  EXPECT_EQ(gelu_name_at(gelu_name_count(), &name), GELU_ERROR_NAME);
  EXPECT_EQ(gelu_name_at(static_cast<size_t>(-1), &name), GELU_ERROR_NAME);
}

}  // namespace
