"""The cheapest measure over ReLUs that represents a piecewise-linear function, by an exact linear programme.

min |α|_1  over α(1, b) on [x - b]_+ , α(-1, b) on [b - x]_+ and a free constant c, subject to h_{α,c} = f. The
constraints compare values and end slopes, the masses are free; nothing is taken from the paper's proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from implicitbias.functions.piecewise_linear import PiecewiseLinear


@dataclass(frozen=True)
class CheapestMeasure:
    """An optimal measure and the multipliers that prove it optimal.

    thresholds          b_1 < … < b_m, including every kink of f
    forward, backward   α(1, b_j) and α(-1, b_j)
    cost                Σ |α(1, b_j)| + |α(-1, b_j)|
    values_at           multipliers ν_j of the values f(b_j)
    slopes_at           multipliers of f'(-∞) and f'(+∞); zero if the slopes are not prescribed
    """

    thresholds: tuple[Fraction, ...]
    forward: tuple[Fraction, ...]
    backward: tuple[Fraction, ...]
    constant: Fraction
    cost: Fraction
    values_at: tuple[Fraction, ...]
    slopes_at: tuple[Fraction, Fraction]

    @property
    def difference(self) -> tuple[Fraction, ...]:
        """α_- = α(1, ·) - α(-1, ·) at the thresholds."""
        return tuple(u - v for u, v in zip(self.forward, self.backward, strict=True))

    def multiplier_of_forward(self, b: Fraction) -> Fraction:
        """The dual value of one unit of mass on [x - b]_+: Σ ν_j [b_j - b]_+ + μ_+."""
        return _pairing(self.values_at, self.thresholds, b, 1) + self.slopes_at[1]

    def multiplier_of_backward(self, b: Fraction) -> Fraction:
        """The dual value of one unit of mass on [b - x]_+: Σ ν_j [b - b_j]_+ - μ_-."""
        return _pairing(self.values_at, self.thresholds, b, -1) - self.slopes_at[0]

    def beats_every_measure(self) -> bool:
        """Whether both dual values are at most 1 in absolute value at EVERY threshold, so that no measure is cheaper.

        Both are piecewise linear in b with knots at b_j, and constant outside because Σ ν_j = 0.
        """
        return sum(self.values_at) == 0 and all(
            abs(self.multiplier_of_forward(b)) <= 1 and abs(self.multiplier_of_backward(b)) <= 1
            for b in self.thresholds
        )

    def earns(self, f: PiecewiseLinear) -> Fraction:
        """Σ ν_j f(b_j) + μ_- f'(-∞) + μ_+ f'(+∞): a lower bound on the cost of every representation of f."""
        values = sum((nu * f(b) for nu, b in zip(self.values_at, self.thresholds, strict=True)), Fraction(0))
        return values + self.slopes_at[0] * f.left_slope + self.slopes_at[1] * f.right_slope

    def at(self, x: Fraction) -> Fraction:
        """h_{α,c}(x)."""
        units = zip(self.thresholds, self.forward, self.backward, strict=True)
        zero = Fraction(0)
        return self.constant + sum((u * max(x - b, zero) + v * max(b - x, zero) for b, u, v in units), zero)


def cheapest_measure(
    f: PiecewiseLinear, further: Sequence[Fraction | int] = (), everywhere: bool = True, outward: Fraction | None = None
) -> CheapestMeasure:
    """The cheapest measure with thresholds at the knots of f and at `further` points.

    everywhere  True: it represents f on all of ℝ. False: only between the first and the last threshold, so that
                kinks at these two thresholds are unconstrained
    outward     if given, only ReLUs that are active on the side away from zero are allowed beyond ±outward

    Raises ArithmeticError if the optimum is not proved optimal among all measures (not checked with `outward`).
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    thresholds = sorted({Fraction(b) for b in (*f.knots, *further)})
    allowed = [
        (sign, b)
        for sign in (1, -1)
        for b in thresholds
        if outward is None or abs(b) <= outward or (b > 0) == (sign > 0)
    ]
    rows = [[max(sign * (x - b), Fraction(0)) for sign, b in allowed] + [Fraction(1)] for x in thresholds]
    wanted = [f(x) for x in thresholds]
    if everywhere:
        rows.append([Fraction(-1 if sign < 0 else 0) for sign, _ in allowed] + [Fraction(0)])
        rows.append([Fraction(1 if sign > 0 else 0) for sign, _ in allowed] + [Fraction(0)])
        wanted += [Fraction(f.left_slope), Fraction(f.right_slope)]
    n = len(allowed)
    doubled = [row[:n] + [-entry for entry in row[:n]] + row[n:] for row in rows]
    solved = optimum([1] * (2 * n) + [0], doubled, wanted, free=[False] * (2 * n) + [True])
    mass = {key: solved.primal[j] - solved.primal[n + j] for j, key in enumerate(allowed)}
    m = len(thresholds)
    slopes = solved.dual_eq[m:] if everywhere else (Fraction(0), Fraction(0))
    found = CheapestMeasure(
        tuple(thresholds),
        tuple(mass.get((1, b), Fraction(0)) for b in thresholds),
        tuple(mass.get((-1, b), Fraction(0)) for b in thresholds),
        solved.primal[-1],
        solved.value,
        tuple(solved.dual_eq[:m]),
        (slopes[0], slopes[1]),
    )
    if outward is None and not (found.beats_every_measure() and found.earns(f) == found.cost):
        raise ArithmeticError(f"the multipliers do not prove {found} optimal among all measures")
    return found


def _pairing(nu: Sequence[Fraction], points: Sequence[Fraction], b: Fraction, sign: int) -> Fraction:
    return sum((n * max(sign * (x - b), Fraction(0)) for n, x in zip(nu, points, strict=True)), Fraction(0))
