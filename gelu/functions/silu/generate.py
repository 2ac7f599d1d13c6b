#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coefficients of silu, x logistic(x). Run to write roots.h beside this file."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'core'))
from generate import mp, root_header, write  # noqa: E402


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


ROOTS = {1: (first, 1.27846, 11, 0.125), 2: (second, 2.39936, 11, 0.125)}


if __name__ == '__main__':
    write(os.path.join(HERE, 'roots.h'), root_header('Silu', ROOTS), 'gelu/functions/silu/generate.py')
