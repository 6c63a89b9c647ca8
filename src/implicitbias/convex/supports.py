"""Where optimal networks need kinks: the supports of Stewart et al. (2022), Section 5.3, and what lies inside them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from implicitbias.convex.ramps import Ramp, RampInterpolant


def slopes_between(x: Sequence[Fraction], y: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """l_1, …, l_{n-1}: the slopes from point to point."""
    return tuple(Fraction(q - p) / (t - s) for (s, p), (t, q) in pairwise(zip(x, y, strict=True)))


def regression_support(x: Sequence[Fraction], y: Sequence[Fraction]) -> tuple[int, ...]:
    """J_reg: positions (from 0) of the first and the last point, and of those where the slope changes.

    x must increase; n >= 1. R_reg of the paper is {x[i] : i in J_reg}. Exact: no tolerance decides.

    >>> regression_support([-1, 0, 1, 2, 3], [1, 0, 1, 2, 3])
    (0, 1, 4)
    """
    slopes = slopes_between(x, y)
    inner = [i for i, (before, after) in enumerate(pairwise(slopes), 1) if before != after]
    return tuple(sorted({0, *inner, len(x) - 1}))


def classification_support(labels: Sequence[Hashable]) -> tuple[int, ...]:
    """J_class: positions of the first and the last point, and of those whose label differs from a neighbour's.

    >>> classification_support("aaabbbbc")
    (0, 2, 3, 6, 7)
    """
    n = len(labels)
    changes = [i for i in range(1, n) if labels[i] != labels[i - 1]]
    return tuple(sorted({0, n - 1, *changes, *(i - 1 for i in changes)}))


def equal_runs(labels: Sequence[Hashable]) -> tuple[tuple[int, int], ...]:
    """(first, last) position of each maximal run of equal labels.

    >>> equal_runs("aab")
    ((0, 1), (2, 2))
    """
    starts = [i for i in range(len(labels)) if i == 0 or labels[i] != labels[i - 1]]
    return tuple((start, end - 1) for start, end in pairwise([*starts, len(labels)]))


def fewest_kinks(x: Sequence[Fraction], y: Sequence[Fraction]) -> int:
    """Σ ⌈len/2⌉ over the maximal runs of neighbouring kinks of one sign: no continuous piecewise-linear function
    through the points has fewer kinks between x_1 and x_n *and* the variation Σ|κ_i| there.

    It is a lower bound for the number of different kinks strictly inside of any optimum of problem (9).

    >>> fewest_kinks([0, 1, 2, 3], [0, 0, 1, 3]), len(regression_support([0, 1, 2, 3], [0, 0, 1, 3]))
    (1, 4)
    """
    slopes = slopes_between(x, y)
    signs = [(after > before) - (after < before) for before, after in pairwise(slopes)]
    total = run = 0
    for here, before in zip([*signs, 0], [0, *signs], strict=True):
        if here != before:
            total += (run + 1) // 2
            run = 0
        run += here != 0
    return total


def sparse_ramps(found: RampInterpolant) -> tuple[Ramp, ...]:
    """Ramps of the same total variation through the same points, where neighbouring ramps of one direction and sign
    are made one between their kinks: another optimum of problem (9), supported off the data where that saves a kink.
    """
    raise NotImplementedError


def independent_features(x: Sequence[Fraction], features: Iterable[tuple[int, Fraction]]) -> bool:
    """Whether the features φ_u(x_i) = [s(x_i - c)]_+, u = (s, c), are linearly independent as vectors of R^n (exact).

    Every optimum of (9) lives on the active set of every dual optimum (complementary slackness), so where the active
    features are independent, there is one optimum among all measures on them.
    """
    raise NotImplementedError
