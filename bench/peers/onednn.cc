// SPDX-License-Identifier: Apache-2.0
// oneDNN's eltwise primitives. A primitive is made once; a call executes it.
#include <dnnl.hpp>
#include <optional>
#include <string>
#include <unordered_map>

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
#else
auto ForwardOf(const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& desc, float alpha) {
  return dnnl::eltwise_forward::primitive_desc({dnnl::prop_kind::forward_training, algorithm, desc, alpha}, engine);
}
auto BackwardOf(const dnnl::engine& engine, dnnl::algorithm algorithm, const dnnl::memory::desc& desc, float alpha,
                const dnnl::eltwise_forward::primitive_desc& forward) {
  return dnnl::eltwise_backward::primitive_desc({algorithm, desc, desc, alpha}, engine, forward);
}
#endif

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
    const bool has = kernel.form == gelu_form_forward || kernel.form == gelu_form_backward;
    if (!algorithm || !type || !has || threads > 1) return {};
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
    const auto memory = [&](const void* data) { return dnnl::memory(desc, engine_, const_cast<void*>(data)); };
    const auto forward = ForwardOf(engine_, algorithm, desc, alpha);
    std::unordered_map<int, dnnl::memory> arguments = {{DNNL_ARG_SRC, memory(arrays.x)}};
    dnnl::primitive primitive;
    if (form == gelu_form_forward) {
      arguments.insert({DNNL_ARG_DST, memory(arrays.y)});
      primitive = dnnl::eltwise_forward(forward);
    } else {
      arguments.insert({DNNL_ARG_DIFF_DST, memory(arrays.dy)});
      arguments.insert({DNNL_ARG_DIFF_SRC, memory(arrays.y)});
      primitive = dnnl::eltwise_backward(BackwardOf(engine_, algorithm, desc, alpha, forward));
    }
    return {[this, primitive, arguments] { primitive.execute(stream_, arguments); }};
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
};

}  // namespace

std::unique_ptr<Peer> MakeOneDnn() { return std::make_unique<OneDnn>(); }

}  // namespace gelu::bench
