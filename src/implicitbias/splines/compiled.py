"""The loops of splines of many points, compiled: ζ on every interval, A ℓ = d, and the spline at given places.

ζ comes as polynomials on stretches of whole intervals (`stretches.py`). On [x_j, x_j + h] it is written anew, as
Σ_k b_k t^k with t = (x - x_j)/h, by two shifts of the origin: to the middle of a block of intervals, where few
coefficients are left, and from there to the interval. What is dropped is below an eighth of the rounding of ζ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.exact import machine_code

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Integers = NDArray[np.int64]

compiled = machine_code.compiled(nogil=True, error_model="numpy", fastmath={"contract"})
"""A decorator: machine code, kept on disk, that runs without the interpreter's lock; products are added unrounded."""

LANES = 16
"""Most intervals of a block: all are worked on at once, by vector instructions.

It reaches the loops as an argument: compilers unroll loops of constant length before they look for vectors in them."""
DROPPED = 2.0**-56
"""Coefficients whose sum is below this fraction of the first are dropped."""
STEPS = 4
"""How many intervals are tried one after the other from the last place."""
GOLDEN = 0.6180339887498949

K = np.arange(16)
FIRST = 2.0 / ((K + 1) * (K + 2) * (K + 3))
MIXED = 1.0 / ((K + 2) * (K + 3))
LAST = 1.0 / (K + 3)
TWICE = 1.0 / ((np.arange(17) + 1) * (np.arange(17) + 2))
"""∫_0^1 t^k (1 - t)², t^k t (1 - t) and t^k t² dt; and what integrating t^k twice divides by."""


@compiled
def shifted(a: Array, size: int, centre: float, ratio: float, to: Array) -> int:
    """The coefficients of Σ_m a_m (centre + ratio·t)^m in t, and how many of them matter."""
    while size > 1 and a[size - 1] == 0.0:
        size -= 1
    for k in range(size):
        to[k] = a[k]
    if centre == 0.0 and ratio == 1.0:
        return size
    for k in range(size - 1):
        value = to[size - 1]
        for m in range(size - 2, k - 1, -1):
            value = to[m] + centre * value
            to[m] = value
    power = ratio
    for k in range(1, size):
        to[k] *= power
        power *= ratio
    allowed = DROPPED * abs(to[0])
    rest = 0.0
    while size > 1:
        rest += abs(to[size - 1])
        if rest > allowed:
            break
        size -= 1
    return size


@compiled
def shifted_to_each(a: Array, size: int, x: Array, begin: int, end: int, work: Array, to: Array) -> int:
    """The same from the middle of a block to each of its intervals at once: to[k, i] for interval begin + i.

    work  (3, lanes)
    to    (len(a), lanes)
    """
    middle, reach = 0.5 * (x[begin] + x[end]), 0.5 * (x[end] - x[begin])
    lanes = work.shape[1]
    centre, ratio, power = work[0], work[1], work[2]
    for i in range(lanes):
        j = min(begin + i, end - 1)
        centre[i] = (x[j] - middle) / reach
        ratio[i] = (x[j + 1] - x[j]) / reach
        power[i] = 1.0
    for k in range(size):
        row, value = to[k], a[k]
        for i in range(lanes):
            row[i] = value
    for k in range(size - 1):
        above = to[size - 1]
        for m in range(size - 2, k - 1, -1):
            row = to[m]
            for i in range(lanes):
                row[i] += centre[i] * above[i]
            above = row
    for k in range(1, size):
        row = to[k]
        for i in range(lanes):
            power[i] *= ratio[i]
            row[i] *= power[i]
    row = to[0]
    for i in range(lanes):
        power[i] = DROPPED * abs(row[i])
    while size > 1:
        worst = 0.0
        row = to[size - 1]
        for i in range(lanes):
            power[i] -= abs(row[i])
            worst = min(worst, power[i])
        if worst < 0.0:
            break
        size -= 1
    return size


@compiled
def in_powers(found: Array, powers: Array, rounding: float, to: Array) -> None:
    """Legendre series as coefficients of powers; last terms below `rounding` times the first together are dropped.

    found, to  (S, n)
    powers     (n, n) the coefficients of each Legendre polynomial, a row for each
    """
    for s in range(found.shape[0]):
        series, row = found[s], to[s]
        size, rest = series.shape[0], 0.0
        while size > 1:
            rest += abs(series[size - 1])
            if rest > rounding * series[0]:
                break
            size -= 1
        row[:] = 0.0
        for k in range(size):
            for m in range(k & 1, k + 1, 2):
                row[m] += series[k] * powers[k, m]


@compiled
def blocks(begin: int, end: int, lanes: int) -> int:
    """Into how many blocks of at most so many intervals a stretch is cut."""
    return (end - begin + lanes - 1) // lanes


@compiled
def moments(
    x: Array,
    begins: Integers,
    ends: Integers,
    polynomials: Array,
    products: Array,
    offsets: Integers,
    probes: Array,
    expected: Array,
    lanes: int,
) -> None:
    """∫ζ times the products of hats over every interval of the stretches, and ζ at one place of each.

    begins, ends  (S,) intervals begins[s] <= j < ends[s] make a stretch
    polynomials   (S, n) coefficients of ζ in (x - middle)/(half the width) of each stretch
    products      (3, M - 1) as HatProducts; offsets (M,) where the coefficients of s will begin (`coefficients`)
    probes, expected  (M - 1,) a place inside each interval, and ζ there
    Intervals outside the stretches get zeros, and NaN for the probe.
    """
    count = polynomials.shape[1]
    block, local = np.empty(count), np.empty((count, lanes))
    work, sums = np.empty((3, lanes)), np.empty((5, lanes))
    first, mixed, last, share, value = sums[0], sums[1], sums[2], sums[3], sums[4]
    done = 0
    for s in range(begins.shape[0] + 1):
        begin = begins[s] if s < begins.shape[0] else x.shape[0] - 1
        for j in range(done, begin):
            products[0, j] = products[1, j] = products[2, j] = 0.0
            probes[j] = expected[j] = np.nan
            offsets[j + 1] = offsets[j]
        if s == begins.shape[0]:
            break
        done = ends[s]
        centre, half = 0.5 * (x[begin] + x[done]), 0.5 * (x[done] - x[begin])
        parts = blocks(begin, done, lanes)
        for part in range(parts):
            b, e = begin + (done - begin) * part // parts, begin + (done - begin) * (part + 1) // parts
            middle, reach = 0.5 * (x[b] + x[e]), 0.5 * (x[e] - x[b])
            size = shifted(polynomials[s], count, (middle - centre) / half, reach / half, block)
            n = shifted_to_each(block, size, x, b, e, work, local)
            for i in range(lanes):
                first[i] = mixed[i] = last[i] = value[i] = 0.0
                golden = GOLDEN * (b + i)
                share[i] = golden - np.floor(golden)
            for k in range(n - 1, -1, -1):
                row, weigh_first, weigh_mixed, weigh_last = local[k], FIRST[k], MIXED[k], LAST[k]
                for i in range(lanes):
                    c = row[i]
                    first[i] += c * weigh_first
                    mixed[i] += c * weigh_mixed
                    last[i] += c * weigh_last
                    value[i] = value[i] * share[i] + c
            for i in range(e - b):
                j = b + i
                h = x[j + 1] - x[j]
                products[0, j], products[1, j], products[2, j] = h * first[i], h * mixed[i], h * last[i]
                probes[j], expected[j] = x[j] + h * share[i], value[i]
                offsets[j + 1] = offsets[j] + n + 3


@compiled
def coefficients(
    x: Array,
    y: Array,
    begins: Integers,
    ends: Integers,
    polynomials: Array,
    ell: Array,
    leaving: Array,
    offsets: Integers,
    to: Array,
    lanes: int,
) -> None:
    """s = Σ_k c_k t^k with t = (x - x_j)/h on every interval of the stretches, from s'' = ζ ℓ and s, s' at x_j."""
    count = polynomials.shape[1]
    block, local, work = np.empty(count), np.empty((count, lanes)), np.empty((3, lanes))
    for s in range(begins.shape[0]):
        begin, end = begins[s], ends[s]
        centre, half = 0.5 * (x[begin] + x[end]), 0.5 * (x[end] - x[begin])
        parts = blocks(begin, end, lanes)
        for part in range(parts):
            b, e = begin + (end - begin) * part // parts, begin + (end - begin) * (part + 1) // parts
            middle, reach = 0.5 * (x[b] + x[e]), 0.5 * (x[e] - x[b])
            size = shifted(polynomials[s], count, (middle - centre) / half, reach / half, block)
            n = shifted_to_each(block, size, x, b, e, work, local)
            for i in range(e - b):
                j = b + i
                h = x[j + 1] - x[j]
                p = offsets[j]
                to[p], to[p + 1] = y[j], leaving[j] * h
                turn = ell[j + 1] - ell[j]
                before = 0.0
                for k in range(n):
                    here = local[k, i] * (h * h)
                    to[p + k + 2] = (here * ell[j] + before) * TWICE[k]
                    before = here * turn
                to[p + n + 2] = before * TWICE[n]


@compiled
def spline(x: Array, y: Array, products: Array, ell: Array, leaving: Array, arriving: Array) -> int:
    """ℓ with A ℓ = d, and s' at both ends of every interval.

    Returns -1, or a row j where elimination meets a diagonal entry that is not positive: `ell` is then unfinished.
    """
    count = x.shape[0]
    pivots, factors = np.empty(count), np.empty(count)
    ell[0] = ell[count - 1] = 0.0
    slope = (y[1] - y[0]) / (x[1] - x[0])
    pivot = factor = side = off = 0.0
    for j in range(1, count - 1):
        after = (y[j + 1] - y[j]) / (x[j + 1] - x[j])
        # the pivot before is positive unless j = 1, where off = 0
        factor = off / pivot if off != 0.0 else 0.0
        pivot = products[2, j - 1] + products[0, j] - factor * off
        side = after - slope - factor * side
        if not pivot > 0.0:
            return j
        pivots[j], factors[j], ell[j] = pivot, factor, side
        off = products[1, j]
        slope = after
    factors[count - 1] = 0.0
    for j in range(count - 2, 0, -1):
        ell[j] = ell[j] / pivots[j] - factors[j + 1] * ell[j + 1]
    slopes(x, y, products, ell, leaving, arriving)
    return -1


@compiled
def slopes(x: Array, y: Array, products: Array, ell: Array, leaving: Array, arriving: Array) -> None:
    """s' at both ends of every interval, from s'' = ζ ℓ there and s at both ends."""
    for j in range(x.shape[0] - 1):
        slope = (y[j + 1] - y[j]) / (x[j + 1] - x[j])
        leaving[j] = slope - (products[0, j] * ell[j] + products[1, j] * ell[j + 1])
        arriving[j] = slope + (products[1, j] * ell[j] + products[2, j] * ell[j + 1])


@compiled
def guide(x: Array, to: NDArray[np.int32]) -> None:
    """How many data lie in buckets before each of as many equal ones as there are data; `interval` searches one."""
    count = x.shape[0]
    scale = count / (x[count - 1] - x[0])
    b = 0
    for j in range(count):
        here = min(int((x[j] - x[0]) * scale), count - 1)
        while b <= here:
            to[b] = j
            b += 1
    while b <= count:
        to[b] = count
        b += 1


@compiled
def interval(x: Array, guides: NDArray[np.int32], scale: float, place: float, near: int) -> int:
    """j with x_j <= place < x_{j+1}, for a place inside the data: `near`, one of the next, or by bisection of a bucket.

    A bucket's number does not decrease with the place, in floating point too.
    """
    if place >= x[near]:
        for j in range(near, min(near + STEPS, x.shape[0] - 1)):
            if place < x[j + 1]:
                return j
    b = min(int((place - x[0]) * scale), x.shape[0] - 1)
    low, high = max(int(guides[b]) - 1, 0), int(guides[b + 1])
    while high - low > 1:
        middle = (low + high) >> 1
        if place < x[middle]:
            high = middle
        else:
            low = middle
    return low


@compiled
def evaluate(
    x: Array,
    guides: NDArray[np.int32],
    offsets: Integers,
    table: Array,
    ends: tuple[float, float, float, float],
    at: Array,
    order: int,
    to: Array,
) -> int:
    """The derivative of this order (0, 1 or 2) at all places; how many lie in intervals without coefficients.

    ends  s(x_1), s'(x_1), s(x_M), s'(x_M)
    Places in such intervals get NaN.
    """
    count, j, missed = x.shape[0], 0, 0
    scale = count / (x[count - 1] - x[0])
    for i in range(at.shape[0]):
        place = at[i]
        if place >= x[count - 1]:
            to[i] = ends[2] + ends[3] * (place - x[count - 1]) if order == 0 else ends[3] if order == 1 else 0.0
            continue
        if not place >= x[0]:
            to[i] = ends[0] + ends[1] * (place - x[0]) if order == 0 else ends[1] if order == 1 else 0.0
            if np.isnan(place):
                to[i] = np.nan
            continue
        j = interval(x, guides, scale, place, j)
        p, q = offsets[j], offsets[j + 1]
        if p == q:
            to[i] = np.nan
            missed += 1
            continue
        h = x[j + 1] - x[j]
        t = (place - x[j]) / h
        if order == 0:
            value = table[q - 1]
            for k in range(q - 2, p - 1, -1):
                value = value * t + table[k]
        elif order == 1:
            value = table[q - 1] * (q - 1 - p)
            for k in range(q - 2, p, -1):
                value = value * t + table[k] * (k - p)
            value /= h
        else:
            value = table[q - 1] * ((q - 1 - p) * (q - 2 - p))
            for k in range(q - 2, p + 1, -1):
                value = value * t + table[k] * ((k - p) * (k - p - 1))
            value = value / h / h
        to[i] = value
    return missed
