"""The cheapest finite network through or near given data, by exact linear programming over many units.

A network is Σ α_i [w_i(x - t_i)]_+ + c with w_i = ±1, and its cost Σ|α_i| is ½Σ(v_i² + w_i²) after balancing.
The kinks t_i are taken at the data, between them and outside. The dual vector ν bounds the cost of *every* network
from below if |p_w(t)| ≤ 1 for all t, where p_w(t) = Σ ν_n [w(x_n - t)]_+. Since Σ ν_n = 0, p_w is constant outside the
data and linear between neighbouring points, so it suffices to check the data points (`holds_for_every_kink`).
No closed form is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ..data.datasets import DataSet

Rational = Fraction | int
Unit = tuple[int, Rational]
"""(w, t): the ReLU [w(x - t)]_+ with w = 1 or -1."""


@dataclass(frozen=True)
class CheapestNetwork:
    """An optimal network and the dual vector that proves its optimality.

    objective   the optimal value of the programme
    units       (w, t, α) with α ≠ 0
    constant    c, the output bias
    dual        ν_1, …, ν_N
    """

    objective: Fraction
    units: tuple[tuple[int, Rational, Fraction], ...]
    constant: Fraction
    dual: tuple[Fraction, ...]

    def __call__(self, x: Rational) -> Fraction:
        return sum((alpha * max(Fraction(0), w * (x - t)) for w, t, alpha in self.units), self.constant)

    @property
    def cost(self) -> Fraction:
        """Σ|α|."""
        return sum((abs(alpha) for _, _, alpha in self.units), Fraction(0))

    @property
    def variation(self) -> Fraction:
        """T = ∫|f''|; amplitudes of units with the same kink are added before taking absolute values."""
        jumps: dict[Rational, Fraction] = {}
        for _, t, alpha in self.units:
            jumps[t] = jumps.get(t, Fraction(0)) + alpha
        return sum((abs(jump) for jump in jumps.values()), Fraction(0))

    @property
    def end_slopes(self) -> tuple[Fraction, Fraction]:
        """f'(-∞) and f'(+∞)."""
        left = sum((-alpha for w, _, alpha in self.units if w < 0), Fraction(0))
        right = sum((alpha for w, _, alpha in self.units if w > 0), Fraction(0))
        return left, right


def dictionary(x: Sequence[Rational], extra: Sequence[Rational] = ()) -> tuple[Unit, ...]:
    """Units of both orientations with kinks at the data, at their midpoints, beyond both ends, and at `extra`."""
    middles = [Fraction(u + v) / 2 for u, v in pairwise(x)]
    kinks = sorted({*map(Fraction, x), *middles, *map(Fraction, extra), Fraction(x[0] - 2), Fraction(x[-1] + 3)})
    return tuple((w, t) for t in kinks for w in (1, -1))


def feature(unit: Unit, x: Rational) -> Fraction:
    """[w(x - t)]_+."""
    w, t = unit
    return max(Fraction(0), Fraction(w * (x - t)))


def cheapest_network(
    data: DataSet, extra: Sequence[Rational] = (), tails: tuple[Rational, Rational] | None = None
) -> CheapestNetwork:
    """min Σ|α| over networks with h(x_n) = y_n and kinks as in `dictionary`; with `tails`, over those with these slopes
    at -∞ and +∞, which are then priced like data: the dual proves optimality among kinks everywhere, or it raises.

    >>> best = cheapest_network(DataSet("line", (0, 1), (0, 1)))
    >>> best.cost, best.variation, holds_for_every_kink((0, 1), best.dual)
    (Fraction(1, 1), Fraction(1, 1), True)
    >>> cheapest_network(DataSet("line", (0, 1), (0, 1)), tails=(2, 0)).cost
    Fraction(2, 1)
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    units = dictionary(data.x, extra)
    rows, values = _rows(data.x, units), list(data.y)
    if tails is not None:
        rows, values = [*rows, *_tail_rows(units)], [*values, *tails]
    found = optimum([1] * (2 * len(units)) + [0], rows, values, free=_free(units))
    dual = found.dual_eq[: data.size]
    if tails is not None:
        left, right = found.dual_eq[data.size :]
        if not _priced_for_every_kink(data.x, dual, 1, {1: right, -1: -left}):
            raise ArithmeticError(f"the dual of {data.label} with the tails {tails} prices a kink above 1")
    return _network(found.value, found.primal, dual, units)


def cheapest_near(data: DataSet, epsilon: Rational) -> CheapestNetwork:
    """min Σ|α| over networks with |h(x_n) - y_n| ≤ ε for all n."""
    from implicitbias.convex.programmes.linear_programme import optimum

    units = dictionary(data.x)
    rows = _rows(data.x, units)
    A_ub = [*rows, *([-entry for entry in row] for row in rows)]
    b_ub = [*(y + epsilon for y in data.y), *(epsilon - y for y in data.y)]
    found = optimum([1] * (2 * len(units)) + [0], A_ub=A_ub, b_ub=b_ub, free=_free(units))
    N = data.size
    dual = tuple(found.dual_ub[n] - found.dual_ub[N + n] for n in range(N))
    return _network(found.value, found.primal, dual, units)


def cheapest_with_absolute_loss(
    data: DataSet, lam: Rational, tails: tuple[Rational, Rational] | None = None, weight: Rational = 1
) -> CheapestNetwork:
    """min Σ|h(x_n) - y_n| + weight·(|h'(-∞) - tails_0| + |h'(+∞) - tails_1|) + λ Σ|α| over networks.

    `objective` is this sum. `dual` holds the multipliers of the data points. The slopes at infinity are two more rows
    of the programme; their multipliers add a constant to p_w, so the knots of p_w are still the data points.
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    units = dictionary(data.x)
    rows, targets, omega = _rows(data.x, units), list(data.y), [Fraction(1)] * data.size
    if tails is not None:
        rows += _tail_rows(units)
        targets += tails
        omega += [Fraction(weight)] * 2
    size = len(targets)
    matrix = [
        [*row, *(int(i == j) for i in range(size)), *(-int(i == j) for i in range(size))] for j, row in enumerate(rows)
    ]  # value + shortfall - excess = target
    costs = [*[lam] * (2 * len(units)), 0, *omega, *omega]
    found = optimum(costs, matrix, targets, free=[*_free(units), *[False] * (2 * size)])
    left, right = found.dual_eq[data.size :] if tails is not None else (Fraction(0), Fraction(0))
    if not _priced_for_every_kink(data.x, found.dual_eq[: data.size], Fraction(lam), {1: right, -1: -left}):
        raise ArithmeticError(f"the dual of {data.label} prices a kink above λ = {lam}: a kink is missing")
    return _network(found.value, found.primal, found.dual_eq[: data.size], units)


def range_at(data: DataSet, at: Rational, cost: Rational) -> tuple[Fraction, Fraction]:
    """The least and the greatest h(at) among networks through the data whose cost is at most `cost`.

    Units with kinks at the data and at `at` suffice, because the dual constraints are linear between these points.
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    units = dictionary(data.x, [at])
    plus = [feature(unit, at) for unit in units]
    value = [*plus, *(-v for v in plus), Fraction(1)]
    budget = [[1] * (2 * len(units)) + [0]]
    low, high = (
        sign * optimum([sign * v for v in value], _rows(data.x, units), data.y, budget, [cost], _free(units)).value
        for sign in (1, -1)
    )
    return low, high


def holds_for_every_kink(x: Sequence[Rational], dual: Sequence[Rational], bound: Rational = 1) -> bool:
    """Whether Σν = 0 and |Σ ν_n [w(x_n - t)]_+| ≤ bound for both w and all real t (see the module docstring)."""
    return _priced_for_every_kink(x, dual, bound, {1: Fraction(0), -1: Fraction(0)})


def _priced_for_every_kink(
    x: Sequence[Rational], dual: Sequence[Rational], bound: Rational, at_infinity: dict[int, Fraction]
) -> bool:
    if sum(dual) != 0:
        return False
    return all(
        abs(sum((v * feature((w, t), u) for u, v in zip(x, dual, strict=True)), at_infinity[w])) <= bound
        for t in x
        for w in (1, -1)
    )


def _rows(x: Sequence[Rational], units: Sequence[Unit]) -> list[list[Rational]]:
    """One row per data point: the features, their negatives, and 1 for the output bias."""
    rows: list[list[Rational]] = []
    for u in x:
        plus = [feature(unit, u) for unit in units]
        rows.append([*plus, *(-v for v in plus), 1])
    return rows


def _tail_rows(units: Sequence[Unit]) -> list[list[Rational]]:
    """Rows for the slopes at -∞ and +∞: a unit with w = -1 has slope -1 at -∞, one with w = 1 has slope 1 at +∞."""
    left = [-int(w < 0) for w, _ in units]
    right = [int(w > 0) for w, _ in units]
    return [[*row, *(-v for v in row), 0] for row in (left, right)]


def _free(units: Sequence[Unit]) -> list[bool]:
    return [False] * (2 * len(units)) + [True]


def _network(
    objective: Fraction, primal: Sequence[Fraction], dual: Sequence[Fraction], units: Sequence[Unit]
) -> CheapestNetwork:
    m = len(units)
    amplitudes = [primal[i] - primal[m + i] for i in range(m)]
    found = tuple((w, t, alpha) for (w, t), alpha in zip(units, amplitudes, strict=True) if alpha != 0)
    return CheapestNetwork(objective, found, primal[2 * m], tuple(dual))
