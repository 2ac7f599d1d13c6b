#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coefficients of gelu_tanh, x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2. Run to write roots.h, rows.h and rows64.h beside this file."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'core'))
from generate import mp, mpf, root_header, write  # noqa: E402
from rows import F32, F64, HALF_ULP, RARE, SUBNORMAL, SUBNORMAL_ANY_ALPHA, rows_header  # noqa: E402


SCALE = 2 * mp.sqrt(2 / mp.pi)
CUBIC = mpf(44715) / 10 ** 6


def lower(t):
    """gate(-t)"""
    return 1 / (1 + mp.exp(SCALE * (t + CUBIC * t ** 3)))


def first(t):
    """f'(-t)"""
    q = lower(t)
    return q * (1 - t * SCALE * (1 + 3 * CUBIC * t * t) * (1 - q))


def second(t):
    """f''(-t), even"""
    q = lower(t)
    u1, u2 = SCALE * (1 + 3 * CUBIC * t * t), SCALE * 6 * CUBIC * t
    return q * (1 - q) * (2 * u1 + t * (u2 - u1 * u1 * (1 - 2 * q)))


def third(t):
    """f'''(-t), odd"""
    q = lower(t)
    p = 1 - q
    u1, u2, u3 = SCALE * (1 + 3 * CUBIC * t * t), SCALE * 6 * CUBIC * t, SCALE * 6 * CUBIC
    return p * q * (3 * (u1 * u1 * (p - q) - u2) - t * ((1 - 6 * p * q) * u1 ** 3 - 3 * (p - q) * u1 * u2 + u3))


ROOTS = {1: (first, 0.75246, 11, 0.125), 2: (second, 1.4185, 11, 0.125),
         3: (third, (3, 19, 0.25), (2.01348, 5, 15, 0.125))}

ROWS = [('GeluTanhRows0', 't gate(-t)', 512, 192, lambda t: t * lower(t), SUBNORMAL_ANY_ALPHA, None),
        ('GeluTanhRows1', "f'(-t)", 512, 0, first, SUBNORMAL, (0.75246, 4)),
        ('GeluTanhRows2', "f''(-t)", 512, 0, second, SUBNORMAL_ANY_ALPHA, (1.4185, 4))]

ROWS64 = [('GeluTanhRows64Of0', 't gate(-t)', 128, 48, lambda t: t * lower(t), HALF_ULP, None),
          ('GeluTanhRows64Of1', "f'(-t)", 128, 0, first, HALF_ULP, (0.75246, 4)),
          ('GeluTanhRows64Of2', "f''(-t)", 128, 0, second, RARE, (1.4185, 4))]


if __name__ == '__main__':
    write(os.path.join(HERE, 'roots.h'), root_header('GeluTanh', ROOTS), 'gelu/functions/gelu_tanh/generate.py')
    write(os.path.join(HERE, 'rows.h'), rows_header(F32, ROWS), 'gelu/functions/gelu_tanh/generate.py')
    write(os.path.join(HERE, 'rows64.h'), rows_header(F64, ROWS64), 'gelu/functions/gelu_tanh/generate.py')
