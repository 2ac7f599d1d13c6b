#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates every committed table of coefficients again and compares: all of core/ and of the roots, and every 61st of the
rows (all of them with --all, which takes minutes). Exit code 1 names what differs. Needs mpmath."""
import glob
import importlib.util
import os
import re
import sys

try:
    import generate
    import rows
except ModuleNotFoundError as error:
    sys.exit(f'check.py: {error.name} is missing: the coefficients cannot be generated; install python3-{error.name}')

CORE = os.path.dirname(os.path.abspath(__file__))
FUNCTIONS = os.path.join(CORE, '..', 'functions')
failures = []


def compare(path, body):
    with open(path) as committed:
        if not committed.read().endswith(body):
            failures.append(f'{path}: differs from what its generator gives; run the generator')


def committed_rows(path, name):
    with open(path) as file:
        text = file.read()
    block = re.search(rf'k{name}Words\[(\d+)\]\[\d\] = {{\n(.*?)}};', text, re.S)
    words = [tuple(int(w, 16) for w in line.strip('{},').split(',')) for line in block[2].split('\n') if line]
    assert len(words) == int(block[1]), f'{path}: {name} is not as long as it says'
    return words


def check_rows(path, lane, tables, stride):
    generate.mp.dps = lane.digits
    for name, _, inverse_step, halves, value, _, _ in tables:
        words = committed_rows(path, name)
        for k in range(0, len(words), stride):
            centre, radius = generate.mpf(k) / inverse_step, generate.mpf(1) / (2 * inverse_step)
            if lane.row(centre, radius, value, k < halves)[0] != words[k]:
                failures.append(f'{path}: row {k} of {name} differs from what the generator gives; run the generator')


def check_function(folder, stride):
    generate.mp.dps = generate.DIGITS
    spec = importlib.util.spec_from_file_location('function', os.path.join(folder, 'generate.py'))
    function = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(function)
    card = re.match(r'(\w+)Rows0', function.ROWS[0][0])[1]
    compare(os.path.join(folder, 'roots.h'), generate.root_header(card, function.ROOTS))
    check_rows(os.path.join(folder, 'rows.h'), rows.F32, function.ROWS, stride)
    check_rows(os.path.join(folder, 'rows64.h'), rows.F64, function.ROWS64, stride)


def main():
    compare(os.path.join(CORE, 'exp_table.h'), generate.exp_table())
    compare(os.path.join(CORE, 'normal_table.h'), generate.normal_table())
    compare(os.path.join(CORE, 'quantile_table.h'), generate.quantile_table())
    for path in sorted(glob.glob(os.path.join(FUNCTIONS, '*', 'generate.py'))):
        check_function(os.path.dirname(path), 1 if '--all' in sys.argv else 61)
    print('\n'.join(failures) if failures else 'every coefficient is what its generator gives')
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
