"""Problem (9) as an exact linear programme over finitely many kinks, with a dual certificate for all kinks.

min Σ|w_u| over f = Σ w_u φ_u, φ_(s,c)(x) = [s(x - c)]_+, with f(x_i) = y_i. No closed form is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random

Rational = Fraction | int
Feature = tuple[int, Fraction]
"""u = (s, c): the ramp is positive to the right of c for s = 1, to the left for s = -1."""


def feature(u: Feature, x: Rational) -> Fraction:
    """φ_u(x)."""
    s, c = u
    return max(Fraction(0), s * (x - c))


@dataclass(frozen=True)
class Cheapest:
    """An optimum of the programme with its multipliers: Σ α_i y_i = value."""

    x: tuple[Rational, ...]
    value: Fraction
    weights: dict[Feature, Fraction]
    alpha: tuple[Fraction, ...]

    def __call__(self, at: Rational) -> Fraction:
        return sum((w * feature(u, at) for u, w in self.weights.items()), Fraction(0))


def cheapest_ramps(
    x: Sequence[Rational], y: Sequence[Rational], kinks: Iterable[Rational], sides: Sequence[int] = (1, -1)
) -> Cheapest | None:
    """The cheapest measure on sides x kinks that interpolates the points; None if no such measure exists."""
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    units = [(s, Fraction(c)) for c in sorted(set(kinks)) for s in sides]
    rows = [[feature(u, at) for u in units] for at in x]
    found = minimise([1] * (2 * len(units)), [row + [-v for v in row] for row in rows], list(y))
    if not isinstance(found, Optimum):
        return None
    m = len(units)
    masses = {u: found.primal[j] - found.primal[m + j] for j, u in enumerate(units)}
    return Cheapest(tuple(x), found.value, {u: w for u, w in masses.items() if w}, found.dual_eq)


def price(x: Sequence[Rational], alpha: Sequence[Fraction], u: Feature) -> Fraction:
    """Σ α_i φ_u(x_i), evaluated from the definition."""
    return sum((a * feature(u, at) for a, at in zip(alpha, x, strict=True)), Fraction(0))


def largest_price(x: Sequence[Rational], alpha: Sequence[Fraction], low: Rational = -1, high: Rational = 1) -> Fraction:
    """max |Σ α_i φ_u(x_i)| over both sides and all kinks c in [low, high]; linear in c between data."""
    places = sorted({Fraction(low), Fraction(high), *(Fraction(c) for c in x if low <= c <= high)})
    return max(abs(price(x, alpha, (s, c))) for s in (1, -1) for c in places)


def off_data(x: Sequence[Rational]) -> list[Fraction]:
    """Kinks strictly between the data: at one third and at five eighths of every gap."""
    return [s + share * (t - s) for s, t in pairwise(map(Fraction, x)) for share in (Fraction(1, 3), Fraction(5, 8))]


def certified_value(x: Sequence[Rational], y: Sequence[Rational]) -> Cheapest:
    """The optimum of (9) over ALL kinks in [-1, 1]: solved with kinks at and between the data, certified by the dual.

    Raises ArithmeticError unless the dual vector is feasible for every kink of [-1, 1], so that no measure is cheaper.
    """
    found = cheapest_ramps(x, y, [*x, *off_data(x)])
    if found is None or largest_price(x, found.alpha) > 1:
        raise ArithmeticError("the multipliers do not bound every kink of [-1, 1]")
    if sum(a * v for a, v in zip(found.alpha, y, strict=True)) != found.value:
        raise ArithmeticError("the multipliers do not earn the value")
    return found


def reweighted(draw: Random, found: Cheapest, value: Fraction) -> Cheapest:
    """The optimum through other labels: its masses times positive random factors, the cost `value`, α as before.

    Where the masses have the signs that they had, α earns what they cost. Raises ArithmeticError where it does not.
    """
    masses = {u: w * draw.randint(1, 9) for u, w in found.weights.items()}
    size = value / sum(map(abs, masses.values()), Fraction(0))
    other = Cheapest(found.x, value, {u: size * w for u, w in masses.items()}, found.alpha)
    if sum(a * other(at) for a, at in zip(found.alpha, found.x, strict=True)) != value:
        raise ArithmeticError("the multipliers do not earn the value")
    return other
