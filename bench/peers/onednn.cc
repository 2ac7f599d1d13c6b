// SPDX-License-Identifier: Apache-2.0
// oneDNN's eltwise and binary primitives. A primitive is made once; a call executes it, or one after another.
#include <dnnl.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench/peer.h"

namespace gelu::bench {
namespace {

std::optional<dnnl::algorithm> AlgorithmOf(gelu_function function) {
  switch (function) {
    case gelu_fn_gelu:
      return dnnl::algorithm::eltwise_gelu_erf;
    case gelu_fn_gelu_tanh:
      return dnnl::algorithm::eltwise_gelu_tanh;
    case gelu_fn_silu:
      return dnnl::algorithm::eltwise_swish;
    case gelu_fn_relu:
      return dnnl::algorithm::eltwise_relu;
    default:
      return std::nullopt;
  }
}

std::optional<dnnl::memory::data_type> TypeOf(gelu_dtype dtype) {
  switch (dtype) {
    case gelu_dtype_f32:
      return dnnl::memory::data_type::f32;
    case gelu_dtype_f16:
      return dnnl::memory::data_type::f16;
    case gelu_dtype_bf16:
      return dnnl::memory::data_type::bf16;
    default:
      return std::nullopt;
  }
}

// oneDNN 3 dropped the descriptors in between.
#if DNNL_VERSION_MAJOR >= 3
auto ForwardOf(const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& desc, float alpha) {
  return dnnl::eltwise_forward::primitive_desc(engine, dnnl::prop_kind::forward_training, algorithm, desc, desc, alpha);
}
auto BackwardOf(const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& desc, float alpha,
                const dnnl::eltwise_forward::primitive_desc& forward) {
  return dnnl::eltwise_backward::primitive_desc(engine, algorithm, desc, desc, desc, alpha, 0.0F, forward);
}
auto BinaryOf(const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& desc) {
  return dnnl::binary::primitive_desc(engine, algorithm, desc, desc, desc);
}
#else
auto ForwardOf(const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& desc, float alpha) {
  return dnnl::eltwise_forward::primitive_desc({dnnl::prop_kind::forward_training, algorithm, desc, alpha}, engine);
}
auto BackwardOf(const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& desc, float alpha,
                const dnnl::eltwise_forward::primitive_desc& forward) {
  return dnnl::eltwise_backward::primitive_desc({algorithm, desc, desc, alpha}, engine, forward);
}
auto BinaryOf(const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& desc) {
  return dnnl::binary::primitive_desc({algorithm, desc, desc, desc}, engine);
}
#endif

struct Step {
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments;
};

class OneDnn : public Peer {
 public:
  std::string name() const override { return "oneDNN"; }
  std::string version() const override {
    const dnnl_version_t* v = dnnl_version();
    return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
  }

  Call Prepare(const Kernel& kernel, const Arrays& arrays, unsigned threads) override {
    const auto algorithm = AlgorithmOf(kernel.function);
    const auto type = TypeOf(kernel.dtype);
    if (!algorithm || !type || threads > 1) return {};
    const float alpha = kernel.function == gelu_fn_silu ? static_cast<float>(kernel.alpha) : 0.0F;
    if (kernel.function != gelu_fn_silu && kernel.alpha != 1) return {};
    try {
      return Make(kernel.form, *algorithm, *type, alpha, arrays);
    } catch (const dnnl::error&) {
      return {};  // not for this type on this machine
    }
  }

 private:
  Call Make(gelu_form form, dnnl::algorithm algorithm, dnnl::memory::data_type type, float alpha,
            const Arrays& arrays) {
    const dnnl::memory::desc desc({static_cast<dnnl_dim_t>(arrays.n)}, type, dnnl::memory::format_tag::a);
    const auto in = [&](size_t k) { return dnnl::memory(desc, engine_, const_cast<void*>(arrays.in[k])); };
    const dnnl::memory out(desc, engine_, arrays.out[0]);
    const auto forward = ForwardOf(engine_, algorithm, desc, alpha);
    const auto activate = [&](const dnnl::memory& from, const dnnl::memory& to) {
      return Step{dnnl::eltwise_forward(forward), {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, to}}};
    };
    const auto combine = [&](dnnl::algorithm how, const dnnl::memory& a, const dnnl::memory& b,
                             const dnnl::memory& to) {
      return Step{dnnl::binary(BinaryOf(engine_, how, desc)),
                  {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, to}}};
    };
    std::vector<Step> steps;
    if (form == gelu_form_forward) {
      steps = {activate(in(0), out)};
    } else if (form == gelu_form_backward) {
      steps = {{dnnl::eltwise_backward(BackwardOf(engine_, algorithm, desc, alpha, forward)),
                {{DNNL_ARG_SRC, in(0)}, {DNNL_ARG_DIFF_DST, in(1)}, {DNNL_ARG_DIFF_SRC, out}}}};
    } else if (form == gelu_form_bias) {
      const dnnl::memory sum(desc, engine_);
      steps = {combine(dnnl::algorithm::binary_add, in(0), in(1), sum), activate(sum, out)};
    } else if (form == gelu_form_gated) {
      const dnnl::memory value(desc, engine_);
      steps = {activate(in(0), value), combine(dnnl::algorithm::binary_mul, value, in(1), out)};
    } else {
      return {};
    }
    return {[this, steps] {
      for (const Step& step : steps) step.primitive.execute(stream_, step.arguments);
    }};
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
};

}  // namespace

std::unique_ptr<Peer> MakeOneDnn() { return std::make_unique<OneDnn>(); }

}  // namespace gelu::bench
