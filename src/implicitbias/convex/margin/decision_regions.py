"""The intervals on which a piecewise-linear classifier chooses each class."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

Ramp = tuple[int, Fraction, Sequence[Fraction]]
"""(side, kink, weights of the classes)."""

BITS = 60
"""Ends of regions are rounded to this share of the range, 2^-BITS."""


def decision_regions(
    ramps: Sequence[Ramp], k: int, kinks: tuple[Fraction, Fraction]
) -> list[tuple[Fraction, Fraction, int]]:
    """(from, to, class) from A to B, neighbours of different classes: the upper envelope of the k scores.

    Between two kinks every score is a line; starting from the leader at the left end, move on to the line that
    overtakes it first, and so on. O(pieces·k·changes).
    """
    low, high = kinks
    places = sorted({low, high, *(kink for _, kink, _ in ramps)})
    grain = (high - low) / 2**BITS
    slopes, offsets = [Fraction(0)] * k, [Fraction(0)] * k
    for ramp in ramps:
        if ramp[0] < 0:  # active to the left: at the start
            _add(slopes, offsets, ramp, -1)
    waiting = sorted(ramps, key=lambda ramp: ramp[1])
    found: list[tuple[Fraction, Fraction, int]] = []
    n = 0
    for start, end in pairwise(places):
        while n < len(waiting) and waiting[n][1] <= start:
            # a left ramp ends at its kink, a right ramp begins: either way its line is added to what follows
            _add(slopes, offsets, waiting[n], 1)
            n += 1
        for piece in _envelope(slopes, offsets, start, end, grain):
            if found and found[-1][2] == piece[2]:
                found[-1] = (found[-1][0], piece[1], piece[2])
            else:
                found.append(piece)
    return found


def _add(slopes: list[Fraction], offsets: list[Fraction], ramp: Ramp, sign: int) -> None:
    _, kink, weights = ramp
    for j, weight in enumerate(weights):
        slopes[j] += sign * weight
        offsets[j] -= sign * weight * kink


def _envelope(
    slopes: Sequence[Fraction], offsets: Sequence[Fraction], start: Fraction, end: Fraction, grain: Fraction
) -> list[tuple[Fraction, Fraction, int]]:
    at, pieces = start, []
    leader = max(range(len(slopes)), key=lambda j: (slopes[j] * at + offsets[j], slopes[j], -j))
    while True:
        crossings = [
            ((offsets[leader] - offsets[j]) / (slopes[j] - slopes[leader]), -slopes[j], j)
            for j in range(len(slopes))
            if slopes[j] > slopes[leader]
        ]
        following = min((c for c in crossings if c[0] < end), default=None)
        stop = end if following is None else max(at, round(following[0] / grain) * grain)
        if stop > at:
            pieces.append((at, stop, leader))
        if following is None:
            return pieces
        at, leader = stop, following[2]
