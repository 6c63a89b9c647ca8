"""Problem (10) with many classes by its few rivals: most of the m(k-1) margins are slack, and their β are 0.

Margins against the classes of neighbours in order and in number come first; whatever a nearly optimal function then
violates joins, and what it leaves by far goes, until no margin is violated. The start is inside the dual cones and not
near their ends: across every change of labels β = h/gap, which telescopes (‖g‖ <= √2 h), and between every point and
the nearest one of each rival's class the same, as small as their sum needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.margin.interior import Iterate, centred, step
from implicitbias.convex.margin.ramp_sums import Doubles, Long, Margins, Places, RampSums

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
CHANGES, PAIRS, ALONE = 0.4, 0.25, 0.1
"""Shares of the start: changes of labels, pairs of points, classes without points."""
WIDE = 10.0
"""The start's products are so many times the mean of an estimated optimum."""


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
    changes = _changes(sums)
    for turn in range(ROUNDS):
        pairs = _across(sums, wanted)
        wanted |= (pairs > 0) | (changes > 0)
        if wanted.sum() > MOST_MARGINS:
            break
        margins = sums.margins(wanted)
        now: Iterate | None = _start(sums, margins, changes, pairs)
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


def _across(sums: RampSums, wanted: NDArray[np.bool_]) -> Doubles:
    """(m, k): 1/distance between each point and the nearest one of a wanted rival, at both of them."""
    pairs, x = np.zeros(wanted.shape), sums.places
    for rival in range(sums.k):
        at, of = np.flatnonzero(wanted[:, rival]), np.flatnonzero(sums.labels == rival)
        if not len(at) or not len(of):
            continue
        after = np.clip(np.searchsorted(of, at), 1, max(len(of) - 1, 1))
        before = of[after - 1]
        after = of[np.minimum(after, len(of) - 1)]
        nearest = np.where(np.abs(x[at] - x[before]) <= np.abs(x[after] - x[at]), before, after)
        share = 1 / np.abs(x[at] - x[nearest])
        np.add.at(pairs, (at, np.full(len(at), rival)), share)
        np.add.at(pairs, (nearest, sums.labels[at]), share)
    return pairs


def _changes(sums: RampSums) -> Doubles:
    """(m, k): 1/gap at both ends of every change of labels, for the class on the other side."""
    labels, inverse = sums.labels, 1 / sums.gaps.astype(np.float64)
    found = np.zeros((sums.m, sums.k))
    at = np.flatnonzero(labels[1:] != labels[:-1])
    np.add.at(found, (at, labels[at + 1]), inverse[at])
    np.add.at(found, (at + 1, labels[at]), inverse[at])
    return found


def _start(sums: RampSums, margins: Margins, changes: Doubles, pairs: Doubles) -> Iterate:
    def taken(table: Doubles) -> Long:
        return table[margins.point, margins.rival].astype(np.longdouble)

    def norm(beta: Long) -> np.longdouble:
        squares = (sums.functions(margins, beta) ** 2).sum(axis=1)
        return np.longdouble(np.sqrt(squares.max()))

    beta = CHANGES * taken(changes)
    value = float(beta.sum()) / CHANGES
    for table, share in ((pairs, PAIRS), (np.where(pairs + changes > 0, 0.0, 1.0), ALONE)):
        part = taken(table)
        if part.any():
            beta = beta + part * (share / norm(part))
    return centred(sums, margins, beta, WIDE * value / (len(beta) + 2 * (sums.m - 1)))
