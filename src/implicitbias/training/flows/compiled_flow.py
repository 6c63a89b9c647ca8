"""The inner loops of gradient flow for classification, compiled: moments of the units, and one step of all units.

Data x_0 < … < x_{n-1}, x̃ = (x, 1). A unit (u, v), u = (w, b), carries the code of the data at which it is active:
  0 … n        the data from x_m on: 0 is all of them, n is none (dead: nothing ever moves it)
  n+1 … 2n-1   the data before x_m, m = code - n
and the datum that lies on its kink, -1 if none; the code then says at which other data it is active.

While p and the codes stay, a unit moves by u' = v s, v' = s·u with s = Σ p_i y_i x̃_i over its active data: a hyperbolic
rotation, which is applied exactly, so v² - |u|² is kept to rounding for any step. A unit on whose kink x_i lies slides
where the two sides both push towards it: with the Clarke coefficient c that keeps it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from implicitbias.training.engines.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Codes = NDArray[np.int32]

ACTIVE, INACTIVE, STAY = range(3)
"""Where a unit goes from a kink on a datum that pushes away on both sides: gradient flow may do any of the three."""


@compiled
def code_of(w: float, b: float, x: Array) -> int:
    """Where the unit is active."""
    n: int = x.shape[0]
    if w > 0:
        first = 0
        while first < n and w * x[first] + b <= 0:
            first += 1
        return first
    end = n
    while end > 0 and w * x[end - 1] + b <= 0:
        end -= 1
    if end == n:
        return 0
    return n if end == 0 else n + end


@compiled
def codes_of(w: Array, b: Array, x: Array) -> Codes:
    """The codes of all units."""
    codes = np.empty(w.shape[0], np.int32)
    for j in range(w.shape[0]):
        codes[j] = code_of(w[j], b[j], x)
    return codes


@compiled
def moments(w: Array, b: Array, v: Array, codes: Codes, contacts: Codes, n: int) -> tuple[Array, float]:
    """By code: Σ v u (2), then Σ u uᵀ + v² Π (3), Π the identity, or u uᵀ/|u|² for units that slide; and |θ|²."""
    sums = np.zeros((2 * n, 5))
    norm = 0.0
    for j in range(w.shape[0]):
        c = codes[j]
        norm += w[j] * w[j] + b[j] * b[j] + v[j] * v[j]
        if c == n:
            continue
        sums[c, 0] += v[j] * w[j]
        sums[c, 1] += v[j] * b[j]
        if contacts[j] < 0:
            square = v[j] * v[j]
            sums[c, 2] += w[j] * w[j] + square
            sums[c, 3] += w[j] * b[j]
            sums[c, 4] += b[j] * b[j] + square
        else:
            factor = 1.0 + v[j] * v[j] / (w[j] * w[j] + b[j] * b[j])
            sums[c, 2] += factor * w[j] * w[j]
            sums[c, 3] += factor * w[j] * b[j]
            sums[c, 4] += factor * b[j] * b[j]
    return sums, norm


@compiled
def _inside(i: int, outside: int, n: int) -> int:
    """The code with the datum i of the kink, from the code without it."""
    if outside == i + 1:
        return i
    return 0 if i + 1 == n else n + i + 1


@compiled
def _violated(w: float, b: float, code: int, x: Array) -> tuple[int, int, bool]:
    """A datum on the wrong side of the kink: (datum or -1, the code without it, whether it was active)."""
    n = x.shape[0]
    if code == n:
        return -1, 0, False
    if code == 0:
        first, last = w * x[0] + b, w * x[n - 1] + b
        if first < 0 and first <= last:
            return 0, 1, True
        if last < 0:
            return n - 1, (2 * n - 1 if n > 1 else 1), True
        return -1, 0, False
    if code < n:
        if w * x[code] + b < 0:
            return code, code + 1, True
        if w * x[code - 1] + b > 0:
            return code - 1, code, False
        return -1, 0, False
    m = code - n
    if w * x[m - 1] + b < 0:
        return m - 1, (code - 1 if m > 1 else n), True
    if w * x[m] + b > 0:
        return m, code, False
    return -1, 0, False


@compiled
def move(
    w: Array,
    b: Array,
    v: Array,
    codes: Codes,
    contacts: Codes,
    held: NDArray[np.bool_],
    x: Array,
    pull: Array,
    S: Array,
    step: float,
    branch: int,
) -> NDArray[np.int64]:
    """One step of length η in place.

    held  units that stay on their datum regardless of the pull
    pull  p_i y_i;  S  (2n, 2) s by code;  branch  ACTIVE, INACTIVE or STAY
    Returns counts: crossings, units that begin to slide, units let go to a side that pulls, branchings,
    units held.
    """
    n = x.shape[0]
    counts = np.zeros(5, np.int64)
    for j in range(w.shape[0]):
        i = contacts[j]
        slides = False
        if i >= 0:
            square = x[i] * x[i] + 1.0
            along = S[codes[j], 0] * x[i] + S[codes[j], 1]
            out, into = v[j] * along, v[j] * (along + pull[i] * square)
            if out > 0 and into < 0:
                slides = True
            elif held[j]:
                slides = True
                counts[4] += 1
            elif out < 0 and into > 0:
                counts[3] += 1
                if branch == STAY:
                    slides = True
                else:
                    contacts[j] = -1
                    if branch == ACTIVE:
                        codes[j] = _inside(i, codes[j], n)
            else:
                counts[2] += 1
                contacts[j] = -1
                if out + into > 0:
                    codes[j] = _inside(i, codes[j], n)
        if codes[j] == n:
            contacts[j] = -1
            continue
        s0, s1 = S[codes[j], 0], S[codes[j], 1]
        if slides:
            square = x[i] * x[i] + 1.0
            along = (s0 * x[i] + s1) / square
            s0, s1 = s0 - along * x[i], s1 - along
        size = np.sqrt(s0 * s0 + s1 * s1)
        if size == 0.0:
            continue
        s0, s1 = s0 / size, s1 / size
        part = w[j] * s0 + b[j] * s1
        half = np.sinh(0.5 * step * size)
        grown, turned = 2.0 * half * half, np.sinh(step * size)
        change = part * grown + v[j] * turned
        v[j] += v[j] * grown + part * turned
        w[j] += change * s0
        b[j] += change * s1
        if slides:
            continue
        for _ in range(n + 1):
            i, outside, was_active = _violated(w[j], b[j], codes[j], x)
            if i < 0:
                break
            square = x[i] * x[i] + 1.0
            along = S[outside, 0] * x[i] + S[outside, 1]
            out, into = v[j] * along, v[j] * (along + pull[i] * square)
            if outside != n and out > 0 and into < 0:
                before = w[j] * w[j] + b[j] * b[j]
                over = (w[j] * x[i] + b[j]) / square
                p0, p1 = w[j] - over * x[i], b[j] - over
                factor = np.sqrt(before / (p0 * p0 + p1 * p1))
                w[j], b[j] = factor * p0, factor * p1
                codes[j], contacts[j] = outside, i
                counts[1] += 1
                break
            codes[j] = outside if was_active else _inside(i, outside, n)
            counts[0] += 1
    return counts
