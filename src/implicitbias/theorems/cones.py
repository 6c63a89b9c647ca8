"""Cones in the plane of a unit's input weight w and bias b, cut out by data: where w x + b has one sign at each datum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from implicitbias.exact.formula import Operation
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus, negated, number, times, total

Ray = tuple[Operation, Operation]
"""A direction (w, b)."""

COORDINATES = ("first_part", "second_part")
"""How much of each of its two rays a point of a cone holds."""


def cones(points: Sequence[Operation]) -> Iterator[tuple[Ray, Ray]]:
    """Cones that cover the plane, each spanned by two rays, for data in increasing order.

    The rays (1, -x), on which w x + b = 0, turn from the first datum to the last; (0, -1) and (0, 1) keep the cones
    pointed. A unit with w > 0 and -b/w between two neighbouring data lies between their rays, one with -b/w beyond the
    last between its ray and (0, -1); w < 0 is the mirror image.
    """
    one, zero = number(1), number(0)
    right: list[Ray] = [(zero, one), *((one, negated(x)) for x in points), (zero, number(-1))]
    for a, b in pairwise(right):
        yield a, b
        yield (negated(a[0]), negated(a[1])), (negated(b[0]), negated(b[1]))


def at_least_the_square(
    setting: Setting,
    cone: tuple[Ray, Ray],
    quadratic: Callable[[Operation, Operation], Operation],
    linear: Callable[[Operation, Operation], Operation],
) -> None:
    """Show that a function of (w, b) is at least the square of another on a cone.

    The one is shown to be quadratic there and the other to be linear, so that the difference is A s² + B st + C t² in
    the parts s, t >= 0 of the rays: nonnegative if A, C >= 0 and (B >= 0 or 4AC >= B²).

    Raises RefusedError or NotShownError.
    """
    (a, b), (s, t) = cone, tuple(map(Operation, COORDINATES))
    inside = setting.with_variables(dict.fromkeys(COORDINATES, "nonnegative"))
    point = _combined(s, a, t, b)
    line = total([times(s, linear(*a)), times(t, linear(*b))])
    inside.zero(minus(linear(*point), line), "the price is linear on a cone")
    middle = (total([a[0], b[0]]), total([a[1], b[1]]))
    mixed = minus(minus(quadratic(*middle), quadratic(*a)), quadratic(*b))
    form = total([times(times(s, s), quadratic(*a)), times(times(s, t), mixed), times(times(t, t), quadratic(*b))])
    inside.zero(minus(quadratic(*point), form), "the squared cost is quadratic on a cone")
    outer = [minus(quadratic(*ray), times(linear(*ray), linear(*ray))) for ray in (a, b)]
    for coefficient in outer:
        setting.at_least_zero(coefficient, "squared cost less squared price on a ray")
    cross = minus(mixed, times(number(2), times(linear(*a), linear(*b))))
    try:
        setting.at_least_zero(cross, "mixed")
    except (RefusedError, NotShownError):
        discriminant = minus(times(number(4), times(*outer)), times(cross, cross))
        setting.at_least_zero(discriminant, "squared cost less squared price inside a cone")


def _combined(s: Operation, a: Ray, t: Operation, b: Ray) -> Ray:
    return total([times(s, a[0]), times(t, b[0])]), total([times(s, a[1]), times(t, b[1])])
