"""Problem (10): solved exactly for two classes, with exact bounds for more, whatever the solver's accuracy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.vectors import dot, root_on_grid

from .circle import BITS
from .ramp_programme import Feature, Rational, feature, largest_price, off_data


@dataclass(frozen=True)
class TwoClasses:
    """The least Σ|w| over d = Σ w_u φ_u with σ_i d(x_i) >= 1, certified for all kinks of [-1, 1].

    The value of (10) with k = 2 is value/√2: only d = f_1 - f_0 enters the margins, and ‖(a, b)‖ >= |a - b|/√2 with
    equality for (-t, t). The multipliers of the two problems correspond in the same way.
    """

    value: Fraction
    weights: dict[Feature, Fraction]
    beta: tuple[Fraction, ...]


def signs(labels: Sequence[int]) -> list[int]:
    """1 for the class of the largest label, -1 for the others."""
    return [1 if label == max(labels) else -1 for label in labels]


def two_classes(
    x: Sequence[Rational], sigma: Sequence[int], kinks: Iterable[Rational] | None = None, everywhere: bool = True
) -> TwoClasses:
    """The exact optimum over {±1} x kinks (by default the data and points between them).

    With `everywhere`, raises ArithmeticError unless the multipliers are feasible for every kink of [-1, 1].
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    places = sorted({Fraction(c) for c in ([*x, *off_data(x)] if kinks is None else kinks)})
    units = [(s, c) for c in places for s in (1, -1)]
    rows = [[-side * feature(u, at) for u in units] for at, side in zip(x, sigma, strict=True)]
    found = optimum([1] * (2 * len(units)), A_ub=[row + [-v for v in row] for row in rows], b_ub=[-1] * len(x))
    beta = tuple(-b for b in found.dual_ub)
    if everywhere and (
        largest_price(x, [side * b for side, b in zip(sigma, beta, strict=True)]) > 1 or sum(beta) != found.value
    ):
        raise ArithmeticError("the multipliers do not bound every kink of [-1, 1]")
    m = len(units)
    masses = {u: found.primal[j] - found.primal[m + j] for j, u in enumerate(units)}
    return TwoClasses(found.value, {u: w for u, w in masses.items() if w}, beta)


def most_mass(x: Sequence[Rational], sigma: Sequence[int], value: Fraction, at: Rational) -> Fraction:
    """The largest Σ_s |w_(s,at)| over measures on the data kinks that satisfy the margins at cost at most `value`."""
    from implicitbias.convex.programmes.linear_programme import optimum

    units = [(s, Fraction(c)) for c in x for s in (1, -1)]
    rows = [[-side * feature(u, point) for u in units] for point, side in zip(x, sigma, strict=True)]
    gain = [-int(u[1] == at and any(feature(u, point) for point in x)) for u in units] * 2
    found = optimum(
        gain, A_ub=[*(row + [-v for v in row] for row in rows), [1] * (2 * len(units))], b_ub=[*[-1] * len(x), value]
    )
    return -found.value


@dataclass(frozen=True)
class Bracketed:
    """lower <= value of (10) over the kinks <= upper; `prices`: norms of the scaled dual at the kinks, rounded up."""

    lower: Fraction
    upper: Fraction
    weights: dict[Feature, tuple[Fraction, ...]]
    prices: dict[Feature, Fraction]


def bracketed(
    x: Sequence[Rational], labels: Sequence[int], k: int, kinks: Sequence[Rational] | None = None
) -> Bracketed:
    """Bounds from a floating-point cone programme whose primal and dual solutions are repaired to exact feasibility.

    kinks  kinks of the ramps, by default the data. The prices are bounded at these kinks and, if these are the data,
           at every kink of [-1, 1], by convexity between data points
    """
    places = sorted({Fraction(c) for c in (x if kinks is None else kinks)})
    units = [(s, c) for c in places for s in (1, -1)]
    units = [u for u in units if any(feature(u, at) for at in x)]
    values = [[feature(u, at) for u in units] for at in x]
    weights, beta = _solve(values, labels, k)
    least = min(
        sum((values[i][j] * (weights[j][labels[i]] - weights[j][rival]) for j in range(len(units))), Fraction(0))
        for i in range(len(x))
        for rival in range(k)
        if rival != labels[i]
    )
    if least <= 0:
        raise ArithmeticError("the solver's function does not separate the classes")
    repaired = {u: tuple(v / least for v in w) for u, w in zip(units, weights, strict=True)}
    upper = sum((root_on_grid(dot(w, w), BITS).upper for w in repaired.values()), Fraction(0))
    alpha = [
        [sum(beta[i].values(), Fraction(0)) if j == labels[i] else -beta[i].get(j, Fraction(0)) for j in range(k)]
        for i in range(len(x))
    ]
    prices = {
        u: root_on_grid(
            sum((dot([a[j] for a in alpha], [row[m] for row in values]) ** 2 for j in range(k)), Fraction(0)), BITS
        ).upper
        for m, u in enumerate(units)
    }
    largest = max(prices.values())
    earned = sum((sum(b.values(), Fraction(0)) for b in beta), Fraction(0))
    return Bracketed(earned / largest, upper, repaired, {u: p / largest for u, p in prices.items()})


def _solve(
    values: Sequence[Sequence[Fraction]], labels: Sequence[int], k: int
) -> tuple[list[list[Fraction]], list[dict[int, Fraction]]]:
    """The solver's weights of the ramps and multipliers of the margins, as fractions."""
    import clarabel
    import numpy as np
    from scipy.sparse import csc_matrix

    n, m = len(values), len(values[0])
    size = m * (k + 1)  # t_j, then w_j in R^k
    rows, bounds, cones = [], [], []
    for j in range(m):
        block = np.zeros((k + 1, size))
        block[:, j * (k + 1) : (j + 1) * (k + 1)] = -np.eye(k + 1)
        rows.append(block)
        bounds.append(np.zeros(k + 1))
        cones.append(clarabel.SecondOrderConeT(k + 1))
    margins = [(i, rival) for i in range(n) for rival in range(k) if rival != labels[i]]
    block = np.zeros((len(margins), size))
    for row, (i, rival) in enumerate(margins):
        for j in range(m):
            block[row, j * (k + 1) + 1 + labels[i]] -= float(values[i][j])
            block[row, j * (k + 1) + 1 + rival] += float(values[i][j])
    cost = np.zeros(size)
    cost[:: k + 1] = 1
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    solution = clarabel.DefaultSolver(
        csc_matrix((size, size)),
        cost,
        csc_matrix(np.vstack([*rows, block])),
        np.concatenate([*bounds, -np.ones(len(margins))]),
        [*cones, clarabel.NonnegativeConeT(len(margins))],
        settings,
    ).solve()
    z = np.asarray(solution.x).reshape(m, k + 1)
    weights = [[Fraction(float(v)).limit_denominator(2**50) for v in row[1:]] for row in z]
    beta: list[dict[int, Fraction]] = [{} for _ in range(n)]
    for (i, rival), dual in zip(margins, np.asarray(solution.z)[-len(margins) :], strict=True):
        beta[i][rival] = max(Fraction(0), Fraction(float(dual)).limit_denominator(2**50))
    return weights, beta
