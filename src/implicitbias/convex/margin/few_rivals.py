"""Problem (10) with many classes by its few rivals: most of the m(k-1) margins are slack, and their β are 0.

Margins against the classes of neighbours in order and in number come first; whatever a nearly optimal function then
violates joins, and what it leaves by far goes, until no margin is violated. Every round begins at `margin.inner_start`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.margin.inner_start import across, changes_of_labels, inner_start
from implicitbias.convex.margin.interior import Iterate, step
from implicitbias.convex.margin.ramp_sums import Long, Places, RampSums

FEWEST_CLASSES = 8
"""With fewer classes nearly all rivals matter, and the sparse programme is faster."""
MOST_MARGINS = 6_000
"""More at a time are not tried: a step factorises a dense system with as many rows."""
ROUNDS, STEPS, PATIENCE = 12, 400, 45
"""Rounds of margins, steps in all, and steps after which margins join even if the gap is not small yet."""
NEAR = 0.01
"""The gap, relative to the value, at which violated margins join."""
FAR = (1.0, 10.0)
"""Slacks that let a margin go, in the first round and later: not twice for the same one."""
GOAL = 1e-9


@dataclass(frozen=True)
class Found:
    """weights (2(m-1), k) in the order of the programme, beta (m, k), and what happened."""

    weights: Long
    beta: Long
    status: str


def by_few_rivals(
    points: Sequence[Fraction], labels: Places, k: int, kinks: tuple[Fraction, Fraction], copies: int = 1
) -> Found | None:
    """Nearly optimal weights and multipliers, or None where there are too many margins or steps come to nothing.

    points, labels, k, copies as `ramp_sums.RampSums` takes them; lengths are best near 1
    """
    sums = RampSums(points, labels, k, kinks, copies)
    wanted, taken, best = _neighbours(labels, k), 0, None
    changes = changes_of_labels(sums)
    for turn in range(ROUNDS):
        pairs = across(sums, wanted)
        wanted |= (pairs > 0) | (changes > 0)
        if wanted.sum() > MOST_MARGINS:
            break
        margins = sums.margins(wanted)
        now: Iterate | None = inner_start(sums, margins, changes, pairs)
        violated = np.zeros_like(wanted)
        for count in range(STEPS - taken):
            taken += 1
            now = step(sums, margins, now) if now is not None else None
            if now is None:
                break
            leads = sums.leads(now.w)
            least = float(leads[margins.point, margins.rival].min())
            gap = 1 - now.lower * least / now.cost if least > 0 else 1.0
            violated = ~wanted & (leads < 1 - max(gap, GOAL)) if gap < NEAR or count >= PATIENCE else violated
            if violated.any():
                break
            all_least = float(leads.min())
            true_gap = 1 - now.lower * all_least / now.cost if all_least > 0 else 1.0
            if best is None or true_gap < best[0]:
                best = true_gap, now, margins
            if true_gap < GOAL:
                break
        if now is None or not violated.any():
            break
        kept = now.slack < FAR[min(turn, 1)]
        wanted = violated
        wanted[margins.point[kept], margins.rival[kept]] = True
    if best is None:
        return None
    _, now, margins = best
    beta = np.zeros((sums.m, k), dtype=np.longdouble)
    beta[margins.point, margins.rival] = now.beta
    return Found(now.w / sums.root, beta, f"{len(margins)} of {sums.m * (k - 1)} margins, {taken} steps")


def _neighbours(labels: Places, k: int) -> NDArray[np.bool_]:
    """(m, k): the classes of the two points on either side, and the classes before and after the own one."""
    m = len(labels)
    wanted = np.zeros((m, k), dtype=bool)
    every = np.arange(m)
    for away in (1, 2):
        if away < m:
            wanted[every[:-away], labels[away:]] = True
            wanted[every[away:], labels[:-away]] = True
    for other in (labels - 1, labels + 1):
        there = (other >= 0) & (other < k)
        wanted[every[there], other[there]] = True
    wanted[every, labels] = False
    return wanted
