"""A start for interior-point steps of problem (10) that needs no solver, however near points are.

It is inside the dual cones and not near their ends: across every change of labels β = h/gap, which telescopes
(‖g‖ <= √2 h), and between every point and the nearest one of each rival's class the same, as small as their sum needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from implicitbias.convex.margin.interior import Iterate, centred
from implicitbias.convex.margin.programme import Interior
from implicitbias.convex.margin.ramp_sums import Doubles, Long, Margins, Places, RampSums

CHANGES, PAIRS, ALONE = 0.4, 0.25, 0.1
"""Shares of the start: changes of labels, pairs of points, classes without points."""
WIDE = 10.0
"""The start's products are so many times the mean of an estimated optimum."""

CLOSE = 1e-8
"""Distances below this are added up from the gaps, in which nothing cancels."""


def started(
    points: Sequence[Fraction], labels: Places, k: int, kinks: tuple[Fraction, Fraction], copies: int = 1
) -> Interior:
    """The start with all margins. Arguments are those of `ramp_sums.RampSums`; lengths are best near 1."""
    sums = RampSums(points, labels, k, kinks, copies)
    wanted = np.arange(k)[None, :] != labels[:, None]
    margins = sums.margins(wanted)
    start = inner_start(sums, margins, changes_of_labels(sums), across(sums, wanted))

    def doubles(values: Long) -> Doubles:
        return values.astype(np.float64)

    beta, slacks = np.zeros(wanted.shape), np.zeros(wanted.shape)
    beta[margins.point, margins.rival], slacks[margins.point, margins.rival] = start.beta, start.slack
    weights, duals = start.w / sums.root, np.column_stack([np.ones(len(start.t)), -start.g * sums.root])
    return Interior(doubles(weights), doubles(start.t), doubles(duals), beta, slacks, "a start of its own")


def across(sums: RampSums, wanted: NDArray[np.bool_]) -> Doubles:
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
        distance = np.abs(x[at] - x[nearest])
        for n in np.flatnonzero(distance < CLOSE):
            distance[n] = sums.gaps[min(at[n], nearest[n]) : max(at[n], nearest[n])].sum()
        share = 1 / distance
        np.add.at(pairs, (at, np.full(len(at), rival)), share)
        np.add.at(pairs, (nearest, sums.labels[at]), share)
    return pairs


def changes_of_labels(sums: RampSums) -> Doubles:
    """(m, k): 1/gap at both ends of every change of labels, for the class on the other side."""
    labels, inverse = sums.labels, 1 / sums.gaps.astype(np.float64)
    found = np.zeros((sums.m, sums.k))
    at = np.flatnonzero(labels[1:] != labels[:-1])
    np.add.at(found, (at, labels[at + 1]), inverse[at])
    np.add.at(found, (at + 1, labels[at]), inverse[at])
    return found


def inner_start(sums: RampSums, margins: Margins, changes: Doubles, pairs: Doubles) -> Iterate:
    """A start with these margins; `changes` and `pairs` are the tables of the functions above."""

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
