"""Where optimal networks need kinks: the supports of Stewart et al. (2022), Section 5.3, and what lies inside them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from implicitbias.convex.line import slopes_between
from implicitbias.convex.programmes.linear_programme import Optimum, minimise
from implicitbias.convex.ramps.interpolant import Ramp, RampInterpolant
from implicitbias.exact.vectors import rank, relu


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
    """Ramps of the same total variation through the same points, with neighbouring ramps of one direction and sign
    merged into one between their kinks: another optimum of problem (9), off the data where that saves a kink.

    Two right ramps a, b of one sign with kinks at neighbouring data x_i < x_{i+1} equal a + b with the kink in between
    at (a x_i + b x_{i+1})/(a + b), at all the data; so two left ramps. A run of m becomes ⌈m/2⌉.

    >>> from implicitbias.convex.ramps.interpolant import ramp_interpolant
    >>> found = ramp_interpolant(["-1", "-1/2", "1/2", "1"], [0, 0, 1, 3])
    >>> [(ramp.side, str(ramp.kink), int(ramp.weight)) for ramp in sparse_ramps(found)], found.value
    ([(1, '1/4', 4)], Fraction(4, 1))
    """
    place = {at: i for i, at in enumerate(found.x)}
    kept: list[Ramp] = []
    mergeable: Ramp | None = None
    for ramp in found.ramps:
        before, mergeable = mergeable, None
        near = before is not None and before.side == ramp.side and before.kink in place and ramp.kink in place
        if before is not None and near and place[ramp.kink] == place[before.kink] + 1:
            total = before.weight + ramp.weight
            if before.weight * ramp.weight > 0:
                kept[-1] = Ramp(ramp.side, (before.weight * before.kink + ramp.weight * ramp.kink) / total, total)
                continue
        kept.append(ramp)
        mergeable = ramp
    return tuple(kept)


def independent_features(x: Sequence[Fraction], features: Iterable[tuple[int, Fraction]]) -> bool:
    """Whether the features φ_u(x_i) = [s(x_i - c)]_+, u = (s, c), are linearly independent as vectors of R^n (exact).

    Every optimum of (9) lives on the active set of every dual optimum (complementary slackness), so where the active
    features are independent, there is one optimum among all measures on them.

    >>> independent_features([-1, 0, 1], [(1, -1), (-1, 1)]), independent_features([-1, 1], [(1, -1), (-1, 1), (1, 0)])
    (True, False)
    """
    rows = [[relu(side * (at - kink)) for at in x] for side, kink in features]
    return len(rows) <= len(x) and rank(rows) == len(rows)


def is_only_optimum_at_data(found: RampInterpolant) -> bool:
    """Whether problem (9) restricted to kinks at the data has one optimum; exact, by ranks.

    Optima live on the active set of the dual, with the signs that it has there. If its features are independent there
    is one optimum. If not, and the optimum at hand is positive on a dependent set, it can be moved along the
    dependence; where it is zero on part of every dependence the rank does not decide, and a linear programme does.
    """
    features = list(found.active)
    if independent_features(found.x, features):
        return True
    signs = [1 if found.feature(*u) > 0 else -1 for u in features]
    columns = [
        [sign * relu(side * (at - kink)) for at in found.x] for sign, (side, kink) in zip(signs, features, strict=True)
    ]
    rows = [[column[i] for column in columns] for i in range(len(found.x))]
    weights = {(ramp.side, ramp.kink): abs(ramp.weight) for ramp in found.ramps}
    for n, u in enumerate(features):
        for sense in (1, -1):
            goal = [sense * int(m == n) for m in range(len(features))]
            extreme = minimise(goal, rows, found.y)
            if not isinstance(extreme, Optimum) or extreme.value != sense * weights.get(u, Fraction(0)):
                return False
    return True
