# SPDX-License-Identifier: Apache-2.0
"""The peers that are Python packages. Each has a name, a version and prepare(), which returns a function of no
arguments that evaluates the kernel once, or None where the package has no such kernel. inputs and outputs are lists of
memoryviews of bytes, in the order of gelu.h; what a package insists on allocating stays its own, and is copied to the
outputs by `call.finish()` where there is one."""
import ctypes
import glob
import importlib
import os
import sys
from functools import partial

import numpy as np


def numpy_array(dtype, view):
    if dtype == 'bf16':
        import ml_dtypes
        return np.frombuffer(view, dtype=ml_dtypes.bfloat16)
    return np.frombuffer(view, dtype={'f64': np.float64, 'f32': np.float32, 'f16': np.float16}[dtype])


class PyTorch:
    name = 'PyTorch'

    def __init__(self):
        self.torch = importlib.import_module('torch')
        self.torch.set_num_threads(1)
        self.version = self.torch.__version__

    def prepare(self, function, form, dtype, alpha, inputs, outputs):
        torch = self.torch
        aten = torch.ops.aten
        if alpha != 1 or function == 'relu':
            return None
        type_of = {'f64': torch.float64, 'f32': torch.float32, 'f16': torch.float16, 'bf16': torch.bfloat16}[dtype]
        inputs, outputs = ([torch.frombuffer(view, dtype=type_of) for view in views] for views in (inputs, outputs))
        if function == 'silu':
            parts = aten.silu.out, aten.silu_backward.grad_input
            f = torch.nn.functional.silu
        else:
            tanh = {'approximate': 'tanh' if function == 'gelu_tanh' else 'none'}
            parts = partial(aten.gelu.out, **tanh), partial(aten.gelu_backward.grad_input, **tanh)
            f = partial(torch.nn.functional.gelu, **tanh)
        if form == 'second_derivative':
            return self.second_derivative(f, inputs, outputs)
        if form == 'double_backward':
            return self.double_backward(f, inputs, outputs)
        return self.in_parts(form, *parts, inputs, outputs)

    def in_parts(self, form, act, act_backward, inputs, outputs):
        """What PyTorch has as one function or as several in a row, all of them on buffers that are there."""
        add, mul = self.torch.add, self.torch.mul
        between, ones = self.torch.empty_like(inputs[0]), self.torch.ones_like(inputs[0])

        def forward(x, y):
            act(x, out=y)

        def backward(x, dy, dx):
            act_backward(dy, x, grad_input=dx)

        def derivative(x, y):
            act_backward(ones, x, grad_input=y)

        def value_and_derivative(x, y, y1):
            act(x, out=y)
            act_backward(ones, x, grad_input=y1)

        def bias(x, b, y):
            add(x, b, out=between)
            act(between, out=y)

        def bias_backward(x, b, dy, dx):
            add(x, b, out=between)
            act_backward(dy, between, grad_input=dx)

        def gated(a, b, y):
            act(a, out=between)
            mul(between, b, out=y)

        def gated_backward(a, b, dy, da, db):
            act(a, out=between)
            mul(dy, between, out=db)
            mul(dy, b, out=between)
            act_backward(between, a, grad_input=da)
        has = (forward, backward, derivative, value_and_derivative, bias, bias_backward, gated, gated_backward)
        call = {steps.__name__: steps for steps in has}.get(form)
        return call and partial(call, *inputs, *outputs)

    def second_derivative(self, f, inputs, outputs):
        """Composed: the backward of a backward."""
        torch = self.torch
        leaf, ones = inputs[0].clone().requires_grad_(), torch.ones_like(inputs[0])

        def call():
            first, = torch.autograd.grad(f(leaf), leaf, ones, create_graph=True)
            call.result, = torch.autograd.grad(first, leaf, ones)
        call.finish = lambda: outputs[0].copy_(call.result)
        return call

    def double_backward(self, f, inputs, outputs):
        """The backward of a backward that has been recorded before."""
        torch = self.torch
        x, dy = (array.clone().requires_grad_() for array in inputs[:2])
        dx, = torch.autograd.grad(f(x), x, dy, create_graph=True)

        def call():
            call.results = torch.autograd.grad(dx, (x, dy), inputs[2], retain_graph=True)

        def finish():
            for output, result in zip(outputs, call.results):
                output.copy_(result)
        call.finish = finish
        return call


class Xla:
    name = 'XLA'

    def __init__(self):
        self.jax = importlib.import_module('jax')
        self.jax.config.update('jax_enable_x64', True)
        self.version = 'JAX ' + self.jax.__version__

    def prepare(self, function, form, dtype, alpha, inputs, outputs):
        jax = self.jax
        functions = {'gelu': lambda v: jax.nn.gelu(v, approximate=False),
                     'gelu_tanh': lambda v: jax.nn.gelu(v, approximate=True), 'silu': jax.nn.silu}
        if alpha != 1 or function not in functions:
            return None
        f = functions[function]
        first = lambda v: jax.jvp(f, (v,), (jax.numpy.ones_like(v),))[1]  # noqa: E731
        second = lambda v: jax.jvp(first, (v,), (jax.numpy.ones_like(v),))[1]  # noqa: E731
        kernel = {'forward': f, 'derivative': first, 'second_derivative': second,
                  'backward': lambda v, w: jax.vjp(f, v)[1](w)[0]}.get(form)
        if kernel is None:
            return None
        compiled = jax.jit(kernel)
        inputs = [jax.numpy.asarray(numpy_array(dtype, view)) for view in inputs]

        def call():
            call.result = compiled(*inputs).block_until_ready()
        call.finish = lambda: np.copyto(numpy_array(dtype, outputs[0]), np.asarray(call.result))
        return call


class OnnxRuntime:
    name = 'ONNX Runtime'

    def __init__(self):
        self.onnxruntime = importlib.import_module('onnxruntime')
        self.onnx = importlib.import_module('onnx')
        self.version = self.onnxruntime.__version__

    def prepare(self, function, form, dtype, alpha, inputs, outputs):
        if form != 'forward' or function == 'relu' or dtype == 'bf16' or (alpha != 1 and function != 'silu'):
            return None
        x, y = numpy_array(dtype, inputs[0]), numpy_array(dtype, outputs[0])
        try:
            session = self.onnxruntime.InferenceSession(self.model(function, dtype, alpha, len(x)), self.options())
        except Exception as error:  # each of its reasons has a class of its own
            if 'NOT_IMPLEMENTED' in str(error) or 'INVALID_GRAPH' in str(error):
                return None
            raise
        binding = session.io_binding()
        binding.bind_input('x', 'cpu', 0, x.dtype, x.shape, x.ctypes.data)
        binding.bind_output('y', 'cpu', 0, y.dtype, y.shape, y.ctypes.data)
        return lambda: session.run_with_iobinding(binding)

    def options(self):
        options = self.onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        return options

    def model(self, function, dtype, alpha, n):
        helper, proto = self.onnx.helper, self.onnx.TensorProto
        element = {'f64': proto.DOUBLE, 'f32': proto.FLOAT, 'f16': proto.FLOAT16}[dtype]
        if function == 'silu':
            node = helper.make_node('QuickGelu', ['x'], ['y'], domain='com.microsoft', alpha=alpha)
        else:
            node = helper.make_node('Gelu', ['x'], ['y'], approximate='tanh' if function == 'gelu_tanh' else 'none')
        graph = helper.make_graph([node], 'gelu', [helper.make_tensor_value_info('x', element, [n])],
                                  [helper.make_tensor_value_info('y', element, [n])])
        opsets = [helper.make_opsetid('', 20), helper.make_opsetid('com.microsoft', 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()


class Mkl:
    """The normal distribution function of VML in high accuracy, times x by NumPy."""
    name = 'MKL'
    HIGH_ACCURACY = 2

    def __init__(self):
        self.library = ctypes.CDLL(find_library('libmkl_rt.so.*'))
        text = ctypes.create_string_buffer(200)
        self.library.mkl_get_version_string(text, 200)
        self.version = text.value.decode().split(' for ')[0].replace('Intel(R) oneAPI Math Kernel Library ', '')

    def prepare(self, function, form, dtype, alpha, inputs, outputs):
        if (function, form, alpha) != ('gelu', 'forward', 1) or dtype not in ('f32', 'f64'):
            return None
        x, y = numpy_array(dtype, inputs[0]), numpy_array(dtype, outputs[0])
        cdf_norm = self.library.vmsCdfNorm if dtype == 'f32' else self.library.vmdCdfNorm
        arguments = [ctypes.c_int(len(x)), ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data),
                     ctypes.c_int64(self.HIGH_ACCURACY)]

        def call():
            cdf_norm(*arguments)
            np.multiply(x, y, out=y)
        return call


def find_library(pattern):
    """In the lib folder of the environment that the packages are installed in."""
    for folder in sys.path:
        found = glob.glob(os.path.join(folder, '..', '..', pattern))
        if found:
            return found[0]
    raise ImportError(f'{pattern} is nowhere beside {sys.path}')


def available():
    peers = []
    for peer in PyTorch, Xla, OnnxRuntime, Mkl:
        try:
            peers.append(peer())
        except (ImportError, OSError) as error:
            print(f'gelu: bench: {peer.name} is left out: {error}', file=sys.stderr)
    return peers
