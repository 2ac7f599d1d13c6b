#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coefficients of gelu, x Phi(x). Run to write roots.h, rows.h and rows64.h beside this file."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'core'))
from generate import mp, root_header, write  # noqa: E402
from rows import F32, F64, HALF_ULP, RARE, SUBNORMAL, SUBNORMAL_ANY_ALPHA, rows_header  # noqa: E402


def lower(t):
    """gate(-t) = Q(t)"""
    return mp.erfc(t / mp.sqrt(2)) / 2


def density(t):
    return mp.exp(-t * t / 2) / mp.sqrt(2 * mp.pi)


def first(t):
    """f'(-t)"""
    return lower(t) - t * density(t)


def second(t):
    """f''(-t), even"""
    return (2 - t * t) * density(t)


ROOTS = {1: (first, 0.75179, 11, 0.125), 2: (second, 1.41421, 11, 0.125)}

ROWS = [('GeluRows0', 't gate(-t)', 256, 96, lambda t: t * lower(t), SUBNORMAL_ANY_ALPHA, None),
        ('GeluRows1', "f'(-t)", 256, 0, first, SUBNORMAL, (0.75179, 4)),
        ('GeluRows2', "f''(-t)", 256, 0, second, SUBNORMAL_ANY_ALPHA, (1.41421, 4))]

ROWS64 = [('GeluRows64Of0', 't gate(-t)', 128, 48, lambda t: t * lower(t), HALF_ULP, None),
          ('GeluRows64Of1', "f'(-t)", 128, 0, first, HALF_ULP, (0.75179, 4)),
          ('GeluRows64Of2', "f''(-t)", 128, 0, second, RARE, (1.41421, 4))]


if __name__ == '__main__':
    write(os.path.join(HERE, 'roots.h'), root_header('Gelu', ROOTS), 'gelu/functions/gelu/generate.py')
    write(os.path.join(HERE, 'rows.h'), rows_header(F32, ROWS), 'gelu/functions/gelu/generate.py')
    write(os.path.join(HERE, 'rows64.h'), rows_header(F64, ROWS64), 'gelu/functions/gelu/generate.py')
