"""The cross-entropy of many classes and its slopes, compiled: the exponential in a loop that compilers vectorise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.exact import machine_code

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

compiled = machine_code.compiled(nogil=True, error_model="numpy")

regrouped = machine_code.compiled(nogil=True, error_model="numpy", fastmath={"reassoc", "nsz"})
"""Allowing sums to be reordered: eight products at a time."""

LOG2E = 1.4426950408889634
LN2 = (0.693147180369123816490, 1.90821492927058770002e-10)
"""ln 2 in two parts, so that multiples of the first are exact."""
ROUNDER = 6755399441055744.0
"""1.5·2^52: added to a number below 2^51 it leaves the nearest integer in the last bits."""
LEAST_EXPONENT = -700.0


@compiled
def exponentiate(z: Array) -> None:
    """z <- exp z for z (n,) <= 0, to about one unit in the last place; z is raised to LEAST_EXPONENT if below.

    e^z = 2^q e^y with |y| <= ln 2/2, and Taylor's polynomial of degree 13 for e^y: no branches and no calls, so that
    compilers vectorise it, unlike the library's exp.
    """
    bits = np.empty(z.shape[0])
    integers = bits.view(np.int64)
    for j in range(z.shape[0]):
        at = max(z[j], LEAST_EXPONENT)
        shifted = at * LOG2E + ROUNDER
        bits[j] = shifted
        q = shifted - ROUNDER
        y = (at - q * LN2[0]) - q * LN2[1]
        p = 1.6059043836821613e-10
        p = p * y + 2.08767569878681e-09
        p = p * y + 2.505210838544172e-08
        p = p * y + 2.755731922398589e-07
        p = p * y + 2.7557319223985893e-06
        p = p * y + 2.48015873015873e-05
        p = p * y + 0.0001984126984126984
        p = p * y + 0.001388888888888889
        p = p * y + 0.008333333333333333
        p = p * y + 0.041666666666666664
        p = p * y + 0.16666666666666666
        p = p * y + 0.5
        p = p * y + 1.0
        z[j] = p * y + 1.0
    for j in range(z.shape[0]):
        integers[j] = (integers[j] + 1023) << 52  # the bits of 2^q
    for j in range(z.shape[0]):
        z[j] *= bits[j]


@compiled
def cross_entropy(f: Array, y: Array, weights: Array, r: Array) -> float:
    """Σ_j weights_j (log Σ_a exp f_ja Σ_a y_ja - Σ_a y_ja f_ja), and its slopes r."""
    m, k = f.shape
    tops = np.empty(m)
    for j in range(m):
        top = f[j, 0]
        for a in range(1, k):
            top = max(top, f[j, a])
        tops[j] = top
        for a in range(k):
            r[j, a] = f[j, a] - top
    odds_of, classes, scores = r.reshape(r.size), y.reshape(y.size), f.reshape(f.size)
    exponentiate(odds_of)
    total = 0.0
    for j in range(m):
        odds, mass, inner = totals(odds_of, classes, scores, np.uint64(j) * np.uint64(k), np.uint64(k))
        total += weights[j] * ((np.log(odds) + tops[j]) * mass - inner)
        share = mass / odds
        for a in range(k):
            r[j, a] = weights[j] * (r[j, a] * share - y[j, a])
    return total


@regrouped
def totals(odds: Array, y: Array, f: Array, at: np.uint64, k: np.uint64) -> tuple[float, float, float]:
    """Σ odds, Σ y and Σ y f of the k classes of a datum, whose numbers begin there."""
    all_odds = mass = inner = 0.0
    for a in range(k):
        all_odds += odds[at + a]
        mass += y[at + a]
        inner += y[at + a] * f[at + a]
    return all_odds, mass, inner
