"""Problem (5) on the line, solved over functions, without measures, cells of parameter space or cones.

The cost of a piecewise-linear f with slope jumps at places t is, as a function on the whole line, the least
Σ_t √(1 + t²)(|u_t| + |l_t|) + |k| over all f = Σ u_t [x - t]_+ + Σ l_t [t - x]_+ + k. If every √(1 + t²) is rational,
this is a rational linear programme. Its multipliers p give ρ_±(t) = Σ p_i [±(x_i - t)]_+, linear between the data; if
|ρ_±(t)| <= √(1 + t²) for all t and |Σ p_i| <= 1, no kink elsewhere reduces the cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from implicitbias.exact.vectors import dot, rational_root


@dataclass(frozen=True)
class FunctionOptimum:
    """value = Σ p_i y_i; `everywhere`: whether no function through the data costs less, wherever its kinks are."""

    value: Fraction
    p: tuple[Fraction, ...]
    everywhere: bool


def cheapest_function(
    x: Sequence[Fraction], y: Sequence[Fraction], kinks: Sequence[Fraction], bias: bool = True, line_free: bool = False
) -> FunctionOptimum:
    """The least cost with the given kinks. x must increase; √(1 + t²) must be rational at each kink.

    bias       True: a kink at t costs √(1 + t²) per unit and a constant 1. False: 1 and 0 (the cost |a|)
    line_free  whether affine functions can be added at no cost
    """
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    columns: list[list[Fraction]] = []
    costs: list[Fraction] = []
    for t in kinks:
        for side in (1, -1):
            columns.append([max(Fraction(0), side * (at - t)) for at in x])
            costs.append(rational_root(1 + t**2) if bias else Fraction(1))
    columns.append([Fraction(1)] * len(x))
    costs.append(Fraction(int(bias and not line_free)))
    if line_free:
        columns.append(list(x))
        costs.append(Fraction(0))
    signed = [[s * v for v in column] for column in columns for s in (1, -1)]
    rows = [[column[i] for column in signed] for i in range(len(x))]
    found = minimise([cost for cost in costs for _ in (1, -1)], rows, y)
    if not isinstance(found, Optimum):
        raise ArithmeticError("no function with these kinks passes through the data")
    return FunctionOptimum(found.value, found.dual_eq, _prices_bounded(x, found.dual_eq))


def _prices_bounded(x: Sequence[Fraction], p: Sequence[Fraction]) -> bool:
    """Whether |ρ_±(t)| <= √(1 + t²) for all t and |Σ p_i| <= 1; ρ_+ and ρ_- are linear between the data."""
    if abs(sum(p, Fraction(0))) > 1:
        return False
    ends = [x[0] - 1, *x, x[-1] + 1]
    for side in (1, -1):

        def price(t: Fraction, side: int = side) -> Fraction:
            return dot(p, [max(Fraction(0), side * (at - t)) for at in x])

        for position, (low, high) in enumerate(pairwise(ends)):
            slope = (price(high) - price(low)) / (high - low)
            # the two outer pieces are unbounded
            start = None if position == 0 else low
            end = None if position == len(ends) - 2 else high
            if not _below_root(price(low) - slope * low, slope, start, end):
                return False
    return True


def _below_root(value: Fraction, slope: Fraction, start: Fraction | None, end: Fraction | None) -> bool:
    """Whether (value + slope t)² <= 1 + t² for all t from start to end (None: unbounded)."""
    # h(t) = (1 - slope²)t² - 2 value slope t + 1 - value²
    a, b, c = 1 - slope**2, -2 * value * slope, 1 - value**2

    def h(t: Fraction) -> Fraction:
        return a * t**2 + b * t + c

    if any(h(t) < 0 for t in (start, end) if t is not None):
        return False
    if (start is None or end is None) and (a < 0 or (a == 0 and b * (1 if end is None else -1) < 0)):
        return False
    if a <= 0:
        return True
    lowest = -b / (2 * a)
    inside = (start is None or start < lowest) and (end is None or lowest < end)
    return not inside or h(lowest) >= 0
