"""Finite networks that approach a smooth function: their distance, their cost, and a lower bound on the cost.

The distance is sup |h - f| / weight, with weight 1 (definition (6)) or 1 + |x|.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from implicitbias.exact.formula import parse
from implicitbias.exact.rational import Interval

from ..functions.smooth_functions import enclosed

if TYPE_CHECKING:
    from implicitbias.exact.formula import Expression
    from implicitbias.exact.rational import Interval, Number

    from ..functions.smooth_functions import Analysis

REACH = 12
"""Networks have kinks at sinh(t), |t| <= REACH: from the origin to about 8e4 with steps that grow with |x|."""
ROUNDING = Fraction(1, 2**80)
"""Values are rounded to this accuracy, which is added to every distance."""
CLOSENESS = Fraction(1, 2**60)
"""The lower bound holds for every network within this distance, hence for the limit."""
BITS = 192
"""Working precision in bits: errors stay far below ROUNDING even where exp(±sinh(12)) is involved."""
STEP = Fraction(1, 2**10)
"""Mean slopes of a close network on intervals of this length are known up to 2 · CLOSENESS · weight / STEP."""


@dataclass(frozen=True)
class Approach:
    """error: certified upper bound on the distance of the network; cost: encloses the limit of the least cost."""

    error: Fraction
    cost: Interval
    network_cost: Fraction


def enclosure_of_the_cost(found: Analysis, units: int, weighted: bool) -> Approach:
    """Enclose the limit, as ε → 0, of the least cost of a network at distance at most ε.

    Upper bound: the cost of an explicit network and the variation T of f', since the slopes of finer networks inscribed
    in f have the same end values and variation at most T. Lower bound: every network within CLOSENESS of f has nearly
    the mean slopes of f on short intervals.
    """
    kinks, values, slopes = _inscribed(found, units)
    cost = explicit_cost(kinks, values, slopes)
    highest = max(cost, _upper(found.T_enclosure)) + 2 * ROUNDING
    return Approach(_distance(found, kinks, slopes, weighted), Interval(_lower_bound(found, weighted), highest), cost)


def explicit_cost(kinks: list[Fraction], values: list[Fraction], slopes: tuple[Fraction, Fraction]) -> Fraction:
    """Path norm of an explicit network that interpolates the points and has these end slopes.

    Forward units get (κ + a)/2 and backward units (κ - a)/2, where a is proportional to |κ|; if |s| exceeds the
    variation, one further kink with κ = 0 carries the rest of a. The resulting end slopes are checked.
    """
    inner = [(d - c) / (b - a) for (a, c), (b, d) in pairwise(zip(kinks, values, strict=True))]
    all_slopes = [slopes[0], *inner, slopes[1]]
    jumps = [b - a for a, b in pairwise(all_slopes)]
    T, s = sum((abs(j) for j in jumps), Fraction(0)), slopes[0] + slopes[1]
    share = Fraction(0) if T == 0 else max(Fraction(-1), min(Fraction(1), s / T))
    forward = [(j + share * abs(j)) / 2 for j in jumps]
    backward = [(j - share * abs(j)) / 2 for j in jumps]
    rest = s - share * T
    forward.append(rest / 2)
    backward.append(-rest / 2)
    if sum(forward) != slopes[1] or -sum(backward) != slopes[0]:
        raise ArithmeticError("the explicit network has other end slopes than asked for")
    return sum((abs(u) + abs(v) for u, v in zip(forward, backward, strict=True)), Fraction(0))


def distance_from_affine(found: Analysis, places: tuple[Fraction, Fraction, Fraction]) -> Fraction:
    """A lower bound on sup |f - a| over the three places for every affine a: half of |f(x₂) - chord(x₂)|.

    It holds because |f(x₂) - chord(x₂)| <= 2 sup|f - a|: the chord of a is a itself.
    """
    a, b, c = places
    fa, fb, fc = (_at(found.f, x) for x in places)
    t = (b - a) / (c - a)
    ends = [(_lower(fa) * (1 - t) + _lower(fc) * t), (_upper(fa) * (1 - t) + _upper(fc) * t)]
    return max(_lower(fb) - ends[1], ends[0] - _upper(fb), Fraction(0)) / 2


def _inscribed(found: Analysis, units: int) -> tuple[list[Fraction], list[Fraction], tuple[Fraction, Fraction]]:
    from implicitbias.exact.enclosure import enclose

    ticks = [Fraction(REACH) * (2 * i - units) / units for i in range(units + 1)]
    kinks = sorted({_rounded(enclose("sinh(t)", t=t), 2**20) for t in ticks})
    values = [_rounded(_at(found.f, x), 2**80) for x in kinks]

    ends = [_rounded(enclosed(found.extremes[i]), 2**100) for i in (0, -1)]
    if found.has_rational_data:
        ends = [Fraction(int(found.extremes[i].p), int(found.extremes[i].q)) for i in (0, -1)]
    return kinks, values, (ends[0], ends[1])


def _distance(found: Analysis, kinks: list[Fraction], slopes: tuple[Fraction, Fraction], weighted: bool) -> Fraction:
    """Certified distance: at most length · oscillation of f' / 4 between kinks; beyond them by monotonicity."""
    turning = [enclosed(c) for c in found.turning]
    slope_at = {x: _at(found.first, x) for x in kinks}
    worst = Fraction(0)
    for a, b in pairwise(kinks):
        seen = [slope_at[a], slope_at[b]]
        seen += [
            enclosed(e) for c, e in zip(turning, found.extremes[1:-1], strict=True) if a <= _upper(c) and _lower(c) <= b
        ]
        oscillation = max(map(_upper, seen)) - min(map(_lower, seen))
        weight = 1 + (min(abs(a), abs(b)) if weighted and a * b > 0 else 0)
        worst = max(worst, (b - a) * oscillation / 4 / weight)
    if turning and not (kinks[0] < _lower(turning[0]) and _upper(turning[-1]) < kinks[-1]):
        raise ArithmeticError(f"{found.function.name}: f' turns beyond the kinks of the network")
    function = found.function
    for end, slope, intercept in ((0, slopes[0], function.left_intercept), (-1, slopes[1], function.right_intercept)):
        x = kinks[end]
        if weighted:
            tail = _gap(slope_at[x], enclosed(found.extremes[end]))
        elif intercept is None:
            raise ArithmeticError(f"{function.name}: no network is near, the distance beyond {x} is infinite")
        else:
            tail = _gap(_at(f"{found.f} - ({slope})*x", x), _at(intercept, x))
        worst = max(worst, tail)
    return worst + ROUNDING


def _lower_bound(found: Analysis, weighted: bool) -> Fraction:
    """Lower bound on the cost of every network within CLOSENESS of f, from bounds on its slopes and hence on |s|."""
    known = []
    for end in (0, -1):
        slope = enclosed(found.extremes[end])
        slack = CLOSENESS if weighted else Fraction(0)
        known.append((_lower(slope) - slack, _upper(slope) + slack))
    inner = []
    for c in found.turning:
        middle = _rounded(enclosed(c), 2**40)
        a, b = middle - STEP / 2, middle + STEP / 2
        fa, fb = _at(found.f, a), _at(found.f, b)
        slack = 2 * CLOSENESS * (2 + abs(middle) if weighted else 1) / STEP
        inner.append(((_lower(fb) - _upper(fa)) / STEP - slack, (_upper(fb) - _lower(fa)) / STEP + slack))
    slopes = [known[0], *inner, known[1]]
    variation = sum((max(c - b, a - d, Fraction(0)) for (a, b), (c, d) in pairwise(slopes)), Fraction(0))
    low, high = known[0][0] + known[1][0], known[0][1] + known[1][1]
    return max(variation, low, -high)


def _at(formula: str, x: Fraction) -> Number:
    from implicitbias.exact.enclosure import evaluate

    return evaluate(_parsed(formula), {"x": x}, BITS)


@lru_cache(maxsize=256)
def _parsed(formula: str) -> Expression:
    return parse(formula, ("x",))


def _gap(a: Number, b: Number) -> Fraction:
    return max(_upper(a) - _lower(b), _upper(b) - _lower(a))


def _rounded(number: Number, denominator: int) -> Fraction:
    return Fraction(round((_lower(number) + _upper(number)) / 2 * denominator), denominator)


def _lower(number: Number) -> Fraction:
    from implicitbias.exact.enclosure import lower

    return lower(number)


def _upper(number: Number) -> Fraction:
    from implicitbias.exact.enclosure import upper

    return upper(number)
