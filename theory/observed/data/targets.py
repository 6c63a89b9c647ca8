"""Targets on [-R, R] that change sign at given places, the network that has their sign, and its constant intervals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from implicitbias.functions.network import Network
    from implicitbias.functions.piecewise_linear import PiecewiseLinear


def sign(value: Fraction) -> int:
    """The sign of `value`, with sign(0) = -1 as in the paper."""
    return 1 if value > 0 else -1


def target_sign(switches: Sequence[Fraction], first: int, x: Fraction) -> int:
    """The target: `first` left of all switches, flipped at each; -1 at a switch, since {+1} must be open."""
    return -1 if x in switches else first * (-1) ** sum(p < x for p in switches)


def network_for(switches: Sequence[Fraction], first: int) -> Network:
    """A network with the sign of the target and max(1, c) units for c switches; it is 0 on the first interval of -1.

    If the first interval is +1, a left-facing unit covers it. All other units face right: the first has its kink at the
    end of the zero interval, each later one midway between two switches, where it changes slope ±1 into ∓1, so that the
    next switch is a zero.
    """
    from implicitbias.functions.network import Network

    places = [Fraction(p) for p in switches]
    if not places:
        return Network([0], [1], [first])
    w, b, v = [], [], []
    if first > 0:
        start, *places = places
        w, b, v = [-1], [start], [1]
    slope = 1
    for before, here in pairwise([None, *places]):
        kink = here if before is None else (before + here) / 2  # type: ignore[operator]
        w, b, v = [*w, 1], [*b, -kink], [*v, 1 if before is None else -2 * slope]  # type: ignore[operator]
        slope = slope if before is None else -slope
    return Network(w, b, v)


def agrees(network: Network, switches: Sequence[Fraction], first: int, bound: Fraction) -> bool:
    """Whether the network has the sign of the target on all of [-R, R], checked at and between zeros and kinks."""
    f = network.to_piecewise_linear()
    inner = [x for x in {*switches, *f.knots, *zeros(f)} if -bound < x < bound]
    grid = sorted({-bound, bound, *inner})
    points = [*grid, *((a + c) / 2 for a, c in pairwise(grid))]
    return all(sign(f(x)) == target_sign(switches, first, x) for x in points)


def wave(places: Sequence[Fraction]) -> PiecewiseLinear:
    """A triangular wave with these c >= 1 zeros, slopes ±1 and c regions, positive left of the first zero."""
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

    if len(places) == 1:
        return PiecewiseLinear.affine(-1, places[0])
    kinks = [(a + c) / 2 for a, c in pairwise(places)]
    heights = [(-1) ** (j + 1) * (c - a) / 2 for j, (a, c) in enumerate(pairwise(places))]
    return PiecewiseLinear(kinks, heights, -1, (-1) ** len(places))


def fewest_regions(points: Sequence[Fraction], labels: Sequence[int]) -> int:
    """max(1, label switches), after verifying that a wave with one zero per label switch has this many regions."""
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

    places = [(a + c) / 2 for (a, y), (c, z) in pairwise(zip(points, labels, strict=True)) if y != z]
    f = wave(places) * labels[0] if places else PiecewiseLinear.affine(0, labels[0])
    if [sign(f(x)) for x in points] != list(labels) or f.pieces != max(1, len(places)):
        raise ArithmeticError(f"the wave does not fit {labels}")
    return f.pieces


def zeros(f: PiecewiseLinear) -> list[Fraction]:
    """All isolated zeros of f and the finite ends of the intervals on which f vanishes."""
    edges = [None, *f.knots, None]
    found = {x for x in f.knots if f(x) == 0}
    for (low, high), slope in zip(pairwise(edges), f.slopes, strict=True):
        anchor = low if low is not None else high
        if slope == 0 or anchor is None:
            continue
        x = anchor - f(anchor) / slope
        if (low is None or low <= x) and (high is None or x <= high):
            found.add(x)
    return sorted(found)


def constant_intervals(f: PiecewiseLinear, bound: Fraction) -> list[tuple[Fraction, Fraction]]:
    """The maximal intervals of [-R, R] on which sign(f) is constant, as (left end, right end), including points.

    The sign is constant between neighbouring zeros, kinks and ends; at a zero it is -1.
    """
    cuts = sorted({-bound, bound, *(x for x in (*f.knots, *zeros(f)) if -bound < x < bound)})
    cells: list[tuple[Fraction, Fraction, int]] = []
    for low, high in pairwise(cuts):
        cells += [(low, low, sign(f(low))), (low, high, sign(f((low + high) / 2)))]
    cells.append((bound, bound, sign(f(bound))))
    merged: list[tuple[Fraction, Fraction, int]] = []
    for low, high, value in cells:
        if merged and merged[-1][2] == value:
            merged[-1] = (merged[-1][0], high, value)
        else:
            merged.append((low, high, value))
    return [(low, high) for low, high, _ in merged]
