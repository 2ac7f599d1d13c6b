# SPDX-License-Identifier: Apache-2.0
"""Rows for the one f32 kernel (core/rows-inl.h): makes rows.h of a function. Deterministic: mpmath for the values, plain
doubles and sums for the fits."""
import math
import struct

from generate import approximation_error, interpolate, literal, mp, mpf

NODES = [math.cos(math.pi * (2 * i + 1) / 24) for i in range(12)]
DIGITS = 30
SCALE = 2.0 ** 64
SMALLEST = mpf(2) ** -151       # a quarter of the smallest f32


def bits(x):
    return struct.unpack('<I', struct.pack('<f', x))[0]


def single(x):
    """The nearest f32, as a double."""
    return struct.unpack('<f', struct.pack('<f', x))[0]


def from_bits(b):
    return struct.unpack('<f', struct.pack('<I', b & 0xffffffff))[0]


def upper_half(x):
    """The upper 16 bits of the f32 nearest to x among those with a zero lower half."""
    u = bits(x) >> 16
    return min((u, u + 1), key=lambda w: abs(from_bits(w << 16) - x))


def fit(x, powers, values, weights):
    """Weighted least squares at the Chebyshev nodes: coefficients of the given powers of x, by normal equations."""
    n = len(powers)
    a = [[math.fsum(w * w * t ** (p + q) for t, w in zip(x, weights)) for q in powers]
         + [math.fsum(w * w * t ** p * v for t, v, w in zip(x, values, weights))] for p in powers]
    for i in range(n):
        a[i:] = sorted(a[i:], key=lambda row: -abs(row[i]))
        for j in range(i + 1, n):
            factor = a[j][i] / a[i][i]
            a[j] = [u - factor * v for u, v in zip(a[j], a[i])]
    c = [0.0] * n
    for i in reversed(range(n)):
        c[i] = (a[i][n] - sum(a[i][j] * c[j] for j in range(i + 1, n))) / a[i][i]
    return c


def row(centre, radius, function, half):
    """The four words of one row for function(t), less t/2 if half, and its error in ULP of function(t)."""
    x = [u for u in NODES if centre + radius * u > 0]
    t = [centre + radius * mpf(u) for u in x]
    exact = [function(u) for u in t]
    v = [float((f - u / 2 if half else f) * SCALE) for f, u in zip(exact, t)]
    w = [2.0 ** (24 - math.frexp(float(abs(f) * SCALE))[1]) for f in exact]
    constant = [0] if centre or function(mpf(0)) else []  # a value of zero at zero is kept

    def solve(powers, *known):
        rest = [a - math.fsum(c * b ** p for p, c in known) for a, b in zip(v, x)]
        return fit(x, constant + powers, rest, w)

    # One coefficient after the other is rounded, and what remains is fitted again. The low half of the last word holds
    # the low part of c0 and so disturbs c3; c1 makes up for most of it.
    c2 = single(solve([1, 2, 3])[-2] / radius ** 2)
    k2 = (2, c2 * radius ** 2)
    top = word = upper_half(solve([1, 3], k2)[-1] / radius ** 3) << 16
    for _ in range(4):
        k3 = (3, from_bits(word) * radius ** 3)
        c1 = single(solve([1], k2, k3)[-1] / radius)
        k1 = (1, c1 * radius)
        c0 = 0.0
        if constant:
            best = solve([], k1, k2, k3)[0]
            c0 = single(best)
            word = top | upper_half(best - c0)
    total = [(0, c0 + (from_bits(word << 16) if constant else 0.0)), k1, k2, (3, from_bits(word) * radius ** 3)]
    error = max(abs(a - math.fsum(c * b ** p for p, c in total)) * u for a, b, u in zip(v, x, w))
    return (bits(c0), bits(c1), bits(c2), word), error


def make(inverse_step, halves, function, root=None):
    """All rows of function(t), t >= 0, to the end of f32's range; about t/2 below it for the first rows (halves)."""
    rows, worst, k = [], (0, 0), 0
    radius = 0.5 / inverse_step
    while True:
        centre = mpf(k) / inverse_step
        words, error = row(float(centre), radius, function, k < halves)
        if root is None or abs(centre - root) > 3 * mpf(1) / inverse_step:
            worst = max(worst, (error, float(centre)))
        rows.append(words)
        if k > halves and centre > 3 and abs(function(centre - radius)) < SMALLEST:
            return rows, worst
        k += 1


def root_words(function, start, radius):
    """The members of a RowRoot for the root next to start, and the approximation error as a power of two, relative."""
    at = single(float(mp.findroot(function, start)))
    value = function(mpf(at))

    def slope(d):
        return (function(at + d) - value) / d if d else mp.diff(function, at)

    c = interpolate(slope, mpf(radius), 5)
    error = approximation_error(slope, c, mpf(radius))
    scaled = [float(x * SCALE) for x in c]
    high = single(scaled[0])
    low = single(float(c[0] * SCALE - high))
    return [at, radius, single(float(value * SCALE)), high, low], [single(x) for x in scaled[1:]], error


def rows_header(tables):
    """tables = [(name, description, inverse_step, halves, function, root)]. root is None, or a point near the root and
    within how many rows of it a power series stands for the rows."""
    mp.dps = DIGITS
    text = '#include "gelu/core/rows.h"\n\nnamespace gelu {\n'
    for name, description, inverse_step, halves, function, near in tables:
        root = mp.findroot(function, near[0]) if near else None
        rows, worst = make(inverse_step, halves, function, root)
        text += f'// {description}: {len(rows)} rows; approximation error {worst[0]:.4f} ULP at t = {worst[1]}\n'
        text += f'inline constexpr uint32_t k{name}Words[{len(rows)}][4] = {{\n'
        text += ''.join('{' + ','.join(f'{w:#x}' for w in words) + '},\n' for words in rows) + '};\n'
        members = '{}'
        if near:
            first, series, error = root_words(function, near[0], near[1] / inverse_step)
            text += f'// next to the root: approximation error 2^{error:.1f}, relative\n'
            first, series = (', '.join(literal(x) + 'f' for x in words) for words in (first, series))
            members = f'{{{first},\n    {{{series}}}}}'
        end = (len(rows) - 1) / inverse_step
        text += f'inline constexpr Rows k{name} = {{{inverse_step}, {1 / inverse_step!r}f, {end!r}f, {halves}, {members}, k{name}Words}};\n'
    return text + '}  // namespace gelu\n'
