# SPDX-License-Identifier: Apache-2.0
"""Rows for the kernel of core/rows-inl.h: makes rows.h (f32 lanes) and rows64.h (f64 lanes) of a function.
Deterministic: mpmath for the values; in f32 plain doubles and sums for the fits, in f64 interpolation."""
import math
import struct

from generate import approximation_error, interpolate, literal, mp, mpf

NODES = [math.cos(math.pi * (2 * i + 1) / 24) for i in range(12)]
SCALE = 2 ** 64


# Rows end where the function falls below one of these.
SUBNORMAL = mpf(2) ** -151          # a quarter of the smallest f32
SUBNORMAL_ANY_ALPHA = mpf(2) ** -161  # with a factor of alpha or 1/alpha
HALF_ULP = mpf(2) ** -55            # what x - f(x) and 1 - f'(x) may lose in f64
RARE = mpf(2) ** -36                # beyond, f'' goes the wide way in f64


class F32:
    """Four words: a cubic."""
    lane, bits, mantissa, words, suffix, series, digits = 'float', 'uint32_t', 23, 4, 'f', 5, 30

    @staticmethod
    def round(x):
        """The nearest f32, as a double."""
        return struct.unpack('<f', struct.pack('<f', float(x)))[0]

    @staticmethod
    def row(centre, radius, function, half):
        return row32(centre, radius, function, half)


class F64:
    """Eight words: degree 7."""
    lane, bits, mantissa, words, suffix, series, digits = 'double', 'uint64_t', 52, 8, '', 9, 50

    @staticmethod
    def round(x):
        return float(x)

    @staticmethod
    def row(centre, radius, function, half):
        return row64(centre, radius, function, half)


def bits(x):
    return struct.unpack('<I', struct.pack('<f', x))[0]


single = F32.round


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


def row32(centre, radius, function, half):
    """The four words of one row for function(t), less t/2 if half, and its error in ULP of function(t)."""
    x = [u for u in NODES if centre + radius * u > 0]
    t = [centre + radius * mpf(u) for u in x]
    exact = [function(u) for u in t]
    v = [float((f - u / 2 if half else f) * SCALE) for f, u in zip(exact, t)]
    w = [2.0 ** (24 - math.frexp(float(abs(f) * SCALE))[1]) for f in exact]
    constant, linear = ([0], [1]) if centre or function(mpf(0)) else ([], [])  # of f - x/2 at zero neither remains

    def solve(powers, *known):
        rest = [a - math.fsum(c * b ** p for p, c in known) for a, b in zip(v, x)]
        return fit(x, constant + powers, rest, w)

    # One coefficient after the other is rounded, and what remains is fitted again. The low half of the last word holds
    # the low part of c0 and so disturbs c3; c1 makes up for most of it.
    c2 = single(solve(linear + [2, 3])[-2] / radius ** 2)
    k2 = (2, c2 * radius ** 2)
    top = word = upper_half(solve(linear + [3], k2)[-1] / radius ** 3) << 16
    for _ in range(4):
        k3 = (3, from_bits(word) * radius ** 3)
        c1 = single(solve([1], k2, k3)[-1] / radius) if linear else 0.0
        k1 = (1, c1 * radius)
        c0 = 0.0
        if constant:
            best = solve([], k1, k2, k3)[0]
            c0 = single(best)
            word = top | upper_half(best - c0)
    total = [(0, c0 + (from_bits(word << 16) if constant else 0.0)), k1, k2, (3, from_bits(word) * radius ** 3)]
    error = max(abs(a - math.fsum(c * b ** p for p, c in total)) * u for a, b, u in zip(v, x, w))
    return (bits(c0), bits(c1), bits(c2), word), error


def upper_word(x):
    """The upper half of the double nearest to x among those with a zero lower half."""
    u = struct.unpack('<Q', struct.pack('<d', float(x)))[0] >> 32
    return min((u, u + 1), key=lambda w: abs(double_of(w << 32) - x))


def double_of(b):
    return struct.unpack('<d', struct.pack('<Q', b))[0]


def row64(centre, radius, function, half):
    """The eight words of one row for function(t), less t/2 if half, and its error in ULP of function(t). Their rounding
    hardly counts: the polynomial is at most a twentieth of the constant."""
    def value(d):
        t = centre + d
        return SCALE * (function(t) - t / 2 if half else function(t))

    if centre == 0 and function(mpf(0)) == 0:  # f - x/2 has a double zero there
        c = [mpf(0), mpf(0)] + interpolate(lambda d: value(d) / d ** 2, radius, 5)
    else:
        c = interpolate(value, radius, 7)
    high = float(c[0])
    last = upper_word(c[7]) << 32
    words = [high] + [float(x) for x in c[1:7]]
    word = last | upper_word(c[0] - high)
    made = [mpf(high) + double_of(word << 32 & (1 << 64) - 1)] + [mpf(x) for x in words[1:]] + [mpf(double_of(word))]
    error = 0
    for i in range(-8, 9):
        d = radius * mpf(i) / 8
        f = SCALE * function(centre + d)
        if centre + d > 0 and f:
            error = max(error, abs(mp.polyval(made[::-1], d) - value(d)) / mpf(2) ** (mp.frexp(abs(f))[1] - 53))
    return tuple(struct.unpack('<Q', struct.pack('<d', w))[0] for w in words) + (word,), float(error)


def make(lane, inverse_step, halves, function, smallest, root=None):
    """All rows of function(t), t >= 0, until it is below smallest; less t/2 for the first rows (halves)."""
    rows, worst, k = [], (0, 0), 0
    radius = mpf(1) / (2 * inverse_step)
    while True:
        centre = mpf(k) / inverse_step
        words, error = lane.row(centre, radius, function, k < halves)
        if root is None or abs(centre - root) > 3 * mpf(1) / inverse_step:
            worst = max(worst, (error, float(centre)))
        rows.append(words)
        if k > halves and centre > 3 and abs(function(centre - radius)) < smallest:
            return rows, worst
        k += 1


def root_words(lane, function, start, radius):
    """The members of a RowRoot for the root next to start, and the approximation error as a power of two, relative."""
    at = lane.round(float(mp.findroot(function, start)))
    value = function(mpf(at))

    def slope(d):
        return (function(at + d) - value) / d if d else mp.diff(function, at)

    c = interpolate(slope, mpf(radius), lane.series)
    error = approximation_error(slope, c, mpf(radius))
    slope_and_curve = [x * SCALE for x in c[:2]]
    high = [lane.round(x) for x in slope_and_curve]
    low = [lane.round(x - y) for x, y in zip(slope_and_curve, high)]
    return [at, radius, lane.round(value * SCALE)] + high + low[:1], low[1:] + [lane.round(x * SCALE) for x in c[2:]], error


def rows_header(lane, tables):
    """tables = [(name, description, inverse_step, halves, function, smallest, root)]. root is None, or a point near the
    root and within how many rows of it a power series stands for the rows."""
    mp.dps = lane.digits
    text = '#include "gelu/core/rows.h"\n\nnamespace gelu {\n'
    for name, description, inverse_step, halves, function, smallest, near in tables:
        root = mp.findroot(function, near[0]) if near else None
        rows, worst = make(lane, inverse_step, halves, function, smallest, root)
        text += f'// {description}: {len(rows)} rows; approximation error {worst[0]:.4f} ULP at t = {worst[1]}\n'
        text += f'alignas({lane.words * lane.words}) inline constexpr {lane.bits} k{name}Words[{len(rows)}][{lane.words}] = {{\n'
        text += ''.join('{' + ','.join(f'{w:#x}' for w in words) + '},\n' for words in rows) + '};\n'
        members = '{}'
        if near:
            first, series, error = root_words(lane, function, near[0], near[1] / inverse_step)
            text += f'// next to the root: approximation error 2^{error:.1f}, relative\n'
            first, series = (', '.join(literal(x) + lane.suffix for x in words) for words in (first, series))
            members = f'{{{first},\n    {{{series}}}}}'
        end = (len(rows) - 1) / inverse_step
        magic = literal(1.5 * 2 ** lane.mantissa / inverse_step)  # its last bit is worth a step
        numbers = ', '.join(f'{x}{lane.suffix}' for x in (magic, end, halves / inverse_step))
        text += f'inline constexpr Rows<{lane.lane}> k{name} = {{{numbers}, {members}, k{name}Words}};\n'
    return text + '}  // namespace gelu\n'
