# SPDX-License-Identifier: Apache-2.0
"""The peers that are Python packages. Each has a name, a version and prepare(), which returns a function of no
arguments that evaluates the kernel once, or None where the package has no such kernel. x, dy, y are memoryviews of
bytes; what a package insists on allocating stays its own, and is copied to y by `call.finish()` where there is one."""
import ctypes
import glob
import importlib
import os
import sys

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

    def prepare(self, function, form, dtype, alpha, x, dy, y):
        torch = self.torch
        aten = torch.ops.aten
        type_of = {'f64': torch.float64, 'f32': torch.float32, 'f16': torch.float16, 'bf16': torch.bfloat16}[dtype]
        x, dy, y = (torch.frombuffer(view, dtype=type_of) for view in (x, dy, y))
        tanh = {'approximate': 'tanh' if function == 'gelu_tanh' else 'none'}
        if alpha != 1 or function == 'relu':
            return None
        if form == 'forward':
            if function == 'silu':
                return lambda: aten.silu.out(x, out=y)
            return lambda: aten.gelu.out(x, out=y, **tanh)
        if form in ('backward', 'derivative'):
            upstream = dy if form == 'backward' else torch.ones_like(x)
            if function == 'silu':
                return lambda: aten.silu_backward.grad_input(upstream, x, grad_input=y)
            return lambda: aten.gelu_backward.grad_input(upstream, x, grad_input=y, **tanh)
        return self.second_derivative(function, tanh, x, y)

    def second_derivative(self, function, tanh, x, y):
        """Composed: the backward of a backward."""
        torch = self.torch
        leaf, ones = x.clone().requires_grad_(), torch.ones_like(x)
        f = torch.nn.functional.silu if function == 'silu' else lambda v: torch.nn.functional.gelu(v, **tanh)

        def call():
            first, = torch.autograd.grad(f(leaf), leaf, ones, create_graph=True)
            call.result, = torch.autograd.grad(first, leaf, ones)
        call.finish = lambda: y.copy_(call.result)
        return call


class Xla:
    name = 'XLA'

    def __init__(self):
        self.jax = importlib.import_module('jax')
        self.jax.config.update('jax_enable_x64', True)
        self.version = 'JAX ' + self.jax.__version__

    def prepare(self, function, form, dtype, alpha, x, dy, y):
        jax = self.jax
        functions = {'gelu': lambda v: jax.nn.gelu(v, approximate=False),
                     'gelu_tanh': lambda v: jax.nn.gelu(v, approximate=True), 'silu': jax.nn.silu}
        if alpha != 1 or function not in functions:
            return None
        f = functions[function]
        first = lambda v: jax.jvp(f, (v,), (jax.numpy.ones_like(v),))[1]  # noqa: E731
        second = lambda v: jax.jvp(first, (v,), (jax.numpy.ones_like(v),))[1]  # noqa: E731
        compiled = jax.jit({'forward': f, 'derivative': first, 'second_derivative': second,
                            'backward': lambda v, w: jax.vjp(f, v)[1](w)[0]}[form])
        inputs = [jax.numpy.asarray(numpy_array(dtype, x))]
        if form == 'backward':
            inputs.append(jax.numpy.asarray(numpy_array(dtype, dy)))

        def call():
            call.result = compiled(*inputs).block_until_ready()
        call.finish = lambda: np.copyto(numpy_array(dtype, y), np.asarray(call.result))
        return call


class OnnxRuntime:
    name = 'ONNX Runtime'

    def __init__(self):
        self.onnxruntime = importlib.import_module('onnxruntime')
        self.onnx = importlib.import_module('onnx')
        self.version = self.onnxruntime.__version__

    def prepare(self, function, form, dtype, alpha, x, dy, y):
        if form != 'forward' or function == 'relu' or dtype == 'bf16' or (alpha != 1 and function != 'silu'):
            return None
        x, y = numpy_array(dtype, x), numpy_array(dtype, y)
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

    def prepare(self, function, form, dtype, alpha, x, dy, y):
        if (function, form, alpha) != ('gelu', 'forward', 1) or dtype not in ('f32', 'f64'):
            return None
        x, y = numpy_array(dtype, x), numpy_array(dtype, y)
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
