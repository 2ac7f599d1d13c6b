#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coefficients of silu, x logistic(x). Run to write roots.h, rows.h and rows64.h beside this file."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'core'))
from generate import mp, mpf, root_header, write  # noqa: E402
from rows import F32, F64, HALF_ULP, RARE, SUBNORMAL, SUBNORMAL_ANY_ALPHA, rows_header  # noqa: E402


def lower(t):
    """gate(-t)"""
    return 1 / (1 + mp.exp(t))


def first(t):
    """f'(-t)"""
    q = lower(t)
    return q * (1 - t * (1 - q))


def second(t):
    """f''(-t), even"""
    q = lower(t)
    return q * (1 - q) * (2 - t * (1 - 2 * q))


def third(t):
    """f'''(-t), odd"""
    q = lower(t)
    p = 1 - q
    return p * q * (3 * (p - q) - t * (1 - 6 * p * q))


ROOTS = {1: (first, 1.27846, 11, 0.125), 2: (second, 2.39936, 11, 0.125),
         3: (third, (3, 19, 0.25), (3.43584, 5, 17, 0.25))}

QUICK = mpf(1.702)  # the double, as everywhere
ROWS = [('SiluRows0', 't gate(-t)', 32, 24, lambda t: t * lower(t), SUBNORMAL_ANY_ALPHA, None),
        ('SiluRows1', "f'(-t)", 32, 0, first, SUBNORMAL, (1.27846, 6)),
        ('SiluRows2', "f''(-t)", 32, 0, second, SUBNORMAL_ANY_ALPHA, (2.39936, 6)),
        ('QuickRows0', 't gate(-1.702 t)', 64, 24, lambda t: t * lower(QUICK * t), SUBNORMAL, None),
        ('QuickRows1', "f'(-t), alpha = 1.702", 64, 0, lambda t: first(QUICK * t), SUBNORMAL, (0.75115, 6))]

ROWS64 = [('SiluRows64Of0', 't gate(-t)', 32, 24, lambda t: t * lower(t), HALF_ULP, None),
          ('SiluRows64Of1', "f'(-t)", 32, 0, first, HALF_ULP, (1.27846, 3)),
          ('SiluRows64Of2', "f''(-t)", 32, 0, second, RARE, (2.39936, 3))]


if __name__ == '__main__':
    write(os.path.join(HERE, 'roots.h'), root_header('Silu', ROOTS), 'gelu/functions/silu/generate.py')
    write(os.path.join(HERE, 'rows.h'), rows_header(F32, ROWS), 'gelu/functions/silu/generate.py')
    write(os.path.join(HERE, 'rows64.h'), rows_header(F64, ROWS64), 'gelu/functions/silu/generate.py')
