"""The dual of minimum-norm problems over ramps, for any norm of R^k (Stewart et al. 2022, Lemma 1).

    primal   min ∫ Ω(dμ(u))  subject to f_μ(x_i) in S_i,  f_μ(x) = ∫ φ_u(x) dμ(u),  φ_(s,c)(x) = [s(x - c)]_+
    dual     max -Σ_i σ_{S_i}(α_i)  subject to Ω_*(Σ_i α_i φ_u(x_i)) <= 1 for s = ±1 and every kink c of the range

Strong duality holds with attainment for all non-empty closed convex S_i: the values at the data of measures on ramps
with kinks at the data are all of R^{nk} (the matrix of the ramps (-1, 1), (1, x_1), …, (1, x_{n-1}) is invertible), so
the constraint qualification is automatic. Everything here is exact: norms that are roots are compared by their squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from implicitbias.convex.programmes.linear_programme import Matrix, optimum
from implicitbias.exact.rational import Interval
from implicitbias.exact.vectors import dot, flint_matrix, matrix_of, relu, root_between

Vector = Sequence[Fraction]
Kink = tuple[int, Fraction]


class Norm(Protocol):
    """A norm Ω of R^k, on rational vectors."""

    @property
    def name(self) -> str: ...

    def at_most(self, v: Vector, bound: Fraction) -> bool:
        """Whether Ω(v) <= bound, exactly."""

    def value(self, v: Vector, bits: int = 128) -> Fraction | Interval:
        """Ω(v): exact where it is rational by nature, else an interval of relative width 2^-bits, about."""

    def dual(self) -> Norm:
        """Ω_*(v) = max {v·w : Ω(w) <= 1}."""


@dataclass(frozen=True)
class SumNorm:
    """Ω(v) = Σ|v_l|, dual to the largest entry."""

    name: str = "l1"

    def value(self, v: Vector, bits: int = 128) -> Fraction:
        return sum(map(abs, v), Fraction(0))

    def at_most(self, v: Vector, bound: Fraction) -> bool:
        return self.value(v) <= bound

    def dual(self) -> Norm:
        return LargestEntry()


@dataclass(frozen=True)
class LargestEntry:
    """Ω(v) = max|v_l|, dual to the sum."""

    name: str = "l∞"

    def value(self, v: Vector, bits: int = 128) -> Fraction:
        return max(map(abs, v), default=Fraction(0))

    def at_most(self, v: Vector, bound: Fraction) -> bool:
        return self.value(v) <= bound

    def dual(self) -> Norm:
        return SumNorm()


@dataclass(frozen=True)
class Euclidean:
    """Ω(v) = √(Σ v_l²), its own dual."""

    name: str = "l2"

    def value(self, v: Vector, bits: int = 128) -> Interval:
        return root_between(dot(v, v), bits)

    def at_most(self, v: Vector, bound: Fraction) -> bool:
        return bound >= 0 and dot(v, v) <= bound**2

    def dual(self) -> Norm:
        return self


@dataclass(frozen=True)
class Ellipsoidal:
    """Ω(v) = √(v'Qv), Q rational, symmetric and positive definite; dual to √(v'Q⁻¹v).

    >>> Ellipsoidal(((4, 0), (0, 1))).dual().at_most((2, 0), 1)
    True
    """

    Q: tuple[tuple[Fraction | int, ...], ...]
    name: str = "ellipsoidal"

    def __post_init__(self) -> None:
        n = len(self.Q)
        if any(len(row) != n for row in self.Q) or any(
            self.Q[i][j] != self.Q[j][i] for i in range(n) for j in range(i)
        ):
            raise ValueError("Q must be square and symmetric")
        if any(flint_matrix([row[:m] for row in self.Q[:m]]).det() <= 0 for m in range(1, n + 1)):
            raise ValueError("Q must be positive definite: its leading minors must be positive")

    def square(self, v: Vector) -> Fraction:
        """v'Qv."""
        pairs = ((a, b, self.Q[i][j]) for i, a in enumerate(v) for j, b in enumerate(v))
        return sum((Fraction(a) * b * q for a, b, q in pairs), Fraction(0))

    def value(self, v: Vector, bits: int = 128) -> Interval:
        return root_between(self.square(v), bits)

    def at_most(self, v: Vector, bound: Fraction) -> bool:
        return bound >= 0 and self.square(v) <= bound**2

    def dual(self) -> Norm:
        return Ellipsoidal(matrix_of(flint_matrix(self.Q).inv()))


NORMS: dict[str, Norm] = {"l1": SumNorm(), "l2": Euclidean(), "linf": LargestEntry()}


class ConvexSet(Protocol):
    """A closed convex non-empty polyhedron S of R^k."""

    def contains(self, v: Vector) -> bool: ...

    def support(self, alpha: Vector) -> Fraction | None:
        """σ_S(α) = sup {w·α : w in S}; None where it is infinite."""

    def rows(self) -> tuple[list[tuple[list[Fraction], Fraction]], list[tuple[list[Fraction], Fraction]]]:
        """S as equalities a·v = b and inequalities a·v <= b."""


@dataclass(frozen=True)
class Point:
    """S = {y}: interpolation, problem (9) with k = 1."""

    y: tuple[Fraction, ...]

    def contains(self, v: Vector) -> bool:
        return tuple(v) == self.y

    def support(self, alpha: Vector) -> Fraction | None:
        return dot(alpha, self.y)

    def rows(self) -> tuple[list[tuple[list[Fraction], Fraction]], list[tuple[list[Fraction], Fraction]]]:
        k = len(self.y)
        return [([Fraction(int(i == j)) for j in range(k)], Fraction(self.y[i])) for i in range(k)], []


@dataclass(frozen=True)
class Margins:
    """S = {v : v_own - v_l >= 1 for l != own}, own in 0..k-1: hard margins, problem (10).

    σ_S(α) is finite only if α = -Σ_{l != own} β_l (e_own - e_l) with β >= 0, and is then -Σ β_l.

    >>> Margins(0, 3).support((-3, 1, 2)), Margins(0, 3).support((-2, 3, -1)), Margins(0, 2).support((1, 1))
    (Fraction(-3, 1), None, None)
    """

    own: int
    k: int

    def contains(self, v: Vector) -> bool:
        return all(v[self.own] - value >= 1 for rival, value in enumerate(v) if rival != self.own)

    def support(self, alpha: Vector) -> Fraction | None:
        rivals = [Fraction(a) for rival, a in enumerate(alpha) if rival != self.own]
        if sum(map(Fraction, alpha)) != 0 or any(a < 0 for a in rivals):
            return None
        return -sum(rivals, Fraction(0))

    def rows(self) -> tuple[list[tuple[list[Fraction], Fraction]], list[tuple[list[Fraction], Fraction]]]:
        rivals = [rival for rival in range(self.k) if rival != self.own]
        return [], [
            ([Fraction((j == rival) - (j == self.own)) for j in range(self.k)], Fraction(-1)) for rival in rivals
        ]


@dataclass(frozen=True)
class Box:
    """S = {v : low_l <= v_l <= high_l}: interpolation up to an error."""

    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]

    def contains(self, v: Vector) -> bool:
        return all(a <= b <= c for a, b, c in zip(self.low, v, self.high, strict=True))

    def support(self, alpha: Vector) -> Fraction | None:
        ends = zip(alpha, self.low, self.high, strict=True)
        return sum((Fraction(a) * (high if a > 0 else low) for a, low, high in ends), Fraction(0))

    def rows(self) -> tuple[list[tuple[list[Fraction], Fraction]], list[tuple[list[Fraction], Fraction]]]:
        k = len(self.low)
        units = [[Fraction(int(i == j)) for j in range(k)] for i in range(k)]
        above = [(unit, Fraction(end)) for unit, end in zip(units, self.high, strict=True)]
        return [], above + [([-v for v in unit], Fraction(-end)) for unit, end in zip(units, self.low, strict=True)]


def feature(x: Sequence[Fraction], alpha: Sequence[Vector], side: int, c: Fraction) -> tuple[Fraction, ...]:
    """Σ_i α_i [s(x_i - c)]_+ in R^k, from its definition; side s = ±1."""
    k = len(alpha[0])
    heights = [relu(side * (at - c)) for at in x]
    return tuple(sum((a[j] * h for a, h in zip(alpha, heights, strict=True) if h), Fraction(0)) for j in range(k))


def data_kinks(x: Sequence[Fraction], kinks: tuple[Fraction, Fraction]) -> tuple[Kink, ...]:
    """(1, A), (1, x_i) for A < x_i < x_n, (-1, x_i) for x_1 < x_i < B, (-1, B): what Lemma 2 asks about."""
    A, B = kinks
    inner = [Fraction(at) for at in x]
    return (
        (1, A),
        *((1, at) for at in inner[:-1] if at > A),
        *((-1, at) for at in inner[1:] if at < B),
        (-1, B),
    )


def is_dual_feasible(
    x: Sequence[Fraction], alpha: Sequence[Vector], norm: Norm, kinks: tuple[Fraction, Fraction]
) -> bool:
    """Whether Ω_*(Σ α_i φ_u(x_i)) <= 1 for every u of the range: exact, by Lemma 2 from the kinks at the data."""
    dual = norm.dual()
    return all(dual.at_most(feature(x, alpha, *u), Fraction(1)) for u in data_kinks(x, kinks))


def dual_value(alpha: Sequence[Vector], sets: Sequence[ConvexSet]) -> Fraction | None:
    """-Σ_i σ_{S_i}(α_i), None where it is -∞."""
    values = [S.support(a) for a, S in zip(alpha, sets, strict=True)]
    return None if any(value is None for value in values) else -sum((v for v in values if v is not None), Fraction(0))


@dataclass(frozen=True)
class GeneralOptimum:
    """An optimum of (11) with its dual (12): equal values, both feasible, in rationals.

    weights  {u: Ω-weighted vector of the ramp u}, kinks at those asked for
    alpha    α_i in the sign of the printed (12)
    """

    value: Fraction
    weights: dict[Kink, tuple[Fraction, ...]]
    alpha: tuple[tuple[Fraction, ...], ...]


def exact_optimum(
    x: Sequence[Fraction],
    sets: Sequence[ConvexSet],
    norm: Norm,
    kinks: tuple[Fraction, Fraction],
    places: Sequence[Kink] | None = None,
) -> GeneralOptimum:
    """Problem (11) for Ω = l1 or l∞, solved exactly as a linear programme over ramps with kinks at `places`.

    places  by default `data_kinks`: with them the optimum is that over all kinks of the range (Proposition 1)

    >>> ends = (Fraction(-1), Fraction(1))
    >>> tent = [Point((Fraction(v),)) for v in (0, 1, 0)]
    >>> exact_optimum([-1, 0, 1], tent, SumNorm(), ends).value
    Fraction(3, 1)
    """
    ramps = list(data_kinks(x, kinks) if places is None else places)
    k = len(sets[0].rows()[0][0][0] if sets[0].rows()[0] else sets[0].rows()[1][0][0])
    heights = [[relu(side * (at - c)) for side, c in ramps] for at in x]
    entries = len(ramps) * k
    bounds = len(ramps) if norm.name == "l∞" else 0
    if norm.name not in ("l1", "l∞"):
        raise ValueError(f"only l1 and l∞ make linear programmes: got {norm.name}")

    def row(i: int, a: Sequence[Fraction]) -> list[Fraction]:
        half = [a[j] * h for h in heights[i] for j in range(k)]
        return [*half, *(-v for v in half), *([Fraction(0)] * bounds)]

    equalities = [(i, a, b) for i, S in enumerate(sets) for a, b in S.rows()[0]]
    inequalities = [(i, a, b) for i, S in enumerate(sets) for a, b in S.rows()[1]]
    cost = [Fraction(int(not bounds))] * (2 * entries) + [Fraction(1)] * bounds
    largest: list[list[Fraction]] = []
    for n in range(entries if bounds else 0):
        line = [Fraction(0)] * (2 * entries + bounds)
        line[n] = line[entries + n] = Fraction(1)
        line[2 * entries + n // k] = Fraction(-1)
        largest.append(line)
    A_eq: Matrix = [row(i, a) for i, a, _ in equalities]
    A_ub: Matrix = [*(row(i, a) for i, a, _ in inequalities), *largest]
    found = optimum(
        cost, A_eq, [b for *_, b in equalities], A_ub, [*(b for *_, b in inequalities), *([Fraction(0)] * len(largest))]
    )
    alpha = [[Fraction(0)] * k for _ in x]
    multipliers = [*found.dual_eq, *found.dual_ub[: len(inequalities)]]
    for (i, a, _), y in zip([*equalities, *inequalities], multipliers, strict=True):
        for j in range(k):
            alpha[i][j] -= y * a[j]
    weights = {
        u: tuple(found.primal[n * k + j] - found.primal[entries + n * k + j] for j in range(k))
        for n, u in enumerate(ramps)
    }
    return GeneralOptimum(found.value, {u: w for u, w in weights.items() if any(w)}, tuple(tuple(a) for a in alpha))
