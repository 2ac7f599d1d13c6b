// SPDX-License-Identifier: Apache-2.0
// The peers that are Python packages (peers.py), on the same buffers. A call costs what it costs its users: the way
// from Python into the package is measured with it, and shows in the rows of few elements.
#include <pybind11/embed.h>

#include "bench/peer.h"

namespace gelu::bench {
namespace {

namespace py = pybind11;

class PythonPeer : public Peer {
 public:
  explicit PythonPeer(py::object peer) : peer_(std::move(peer)) {}
  std::string name() const override { return peer_.attr("name").cast<std::string>(); }
  std::string version() const override { return peer_.attr("version").cast<std::string>(); }

  Call Prepare(const Kernel& kernel, const Arrays& arrays, unsigned threads) override {
    if (threads > 1) return {};
    const auto bytes = static_cast<py::ssize_t>(arrays.n * gelu_dtype_size(kernel.dtype));
    py::list inputs, outputs;
    for (size_t k = 0; k < gelu_form_inputs(kernel.form); ++k) {
      inputs.append(py::memoryview::from_memory(const_cast<void*>(arrays.in[k]), bytes));
    }
    for (size_t k = 0; k < gelu_form_outputs(kernel.form); ++k) {
      outputs.append(py::memoryview::from_memory(arrays.out[k], bytes));
    }
    py::object call = peer_.attr("prepare")(gelu_function_name(kernel.function), gelu_form_name(kernel.form),
                                            gelu_dtype_name(kernel.dtype), kernel.alpha, inputs, outputs);
    if (call.is_none()) return {};
    py::object finish = py::getattr(call, "finish", py::none());
    Call result{[call = std::move(call)] { call(); }};
    if (!finish.is_none()) result.finish = [finish = std::move(finish)] { finish(); };
    return result;
  }

 private:
  py::object peer_;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> MakePythonPeers() {
  // Never finalized: some packages do not survive it.
  static const auto* const interpreter = new py::scoped_interpreter;
  static_cast<void>(interpreter);
  std::vector<std::unique_ptr<Peer>> peers;
  for (const py::handle peer : py::module_::import("peers").attr("available")()) {
    peers.push_back(std::make_unique<PythonPeer>(py::reinterpret_borrow<py::object>(peer)));
  }
  return peers;
}

}  // namespace gelu::bench
