"""Cones in the plane of input weight w and bias b, cut out by data: on each, w x + b has one sign at every datum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.setting import (
    NotShownError,
    RefusedError,
    Setting,
    minus,
    negated,
    number,
    put,
    times,
    total,
)
from implicitbias.theorems.sign import Sign

Ray = tuple[Operation, Operation]
"""A direction (w, b)."""


def rays(setting: Setting, points: Sequence[Operation]) -> list[Ray]:
    """Rays that cut the plane into pointed cones, for data in increasing order; neighbours, and the last and the first
    as they come, span a cone.

    The rays (1, -x), on which w x + b = 0, turn from the first datum to the last. A unit with w > 0 and -b/w between
    two neighbouring data lies between their rays; one with -b/w beyond the data, or w = 0, lies between the ray of the
    last datum and the mirror image of that of the first. These are opposite where all data may be the same place: then
    (0, 1) and (0, -1) are put between them.
    """
    right = [(number(1), negated(x)) for x in points]
    if setting.sign(minus(points[-1], points[0])) is not Sign.POSITIVE:
        right = [(number(0), number(1)), *right]
    return [*right, *((negated(w), negated(b)) for w, b in right)]


def at_least_the_square(
    setting: Setting,
    points: Sequence[Operation],
    quadratic: Callable[[Operation, Operation], Operation],
    linear: Callable[[Operation, Operation], Operation],
) -> None:
    """Show that a quadratic form in (w, b) is at least the square of a function that is linear on the cones.

    On a cone their difference is A s² + B st + C t² in the parts s, t >= 0 of the two rays: nonnegative if A, C >= 0
    and (B >= 0 or 4AC >= B²). Raises RefusedError or NotShownError.
    """
    turn = rays(setting, points)
    prices = [setting.tidy(linear(*ray)) for ray in turn]
    gaps = [setting.tidy(minus(quadratic(*ray), times(p, p))) for ray, p in zip(turn, prices, strict=True)]
    for gap in gaps:
        setting.at_least_zero(gap, "squared cost less squared price on a ray")
    for i, j in pairwise((*range(len(turn)), 0)):
        mixed = minus(minus(quadratic(*_sum(turn[i], turn[j])), quadratic(*turn[i])), quadratic(*turn[j]))
        cross = setting.tidy(minus(mixed, times(number(2), times(prices[i], prices[j]))))
        inside = setting.tidy(minus(times(number(4), times(gaps[i], gaps[j])), times(cross, cross)))
        if not any((sign := setting.sign(tree)) and sign.at_least_zero for tree in (cross, inside)):
            what = "squared cost less squared price inside a cone"
            setting.refute(Operation("Max", (cross, inside)), lambda sign: sign < 0, f"{what}: not nonnegative")
            raise NotShownError(f"{what}: neither {written(cross)} nor {written(inside)} is shown to be at least 0")


@cache
def conic(unit: Operation) -> None:
    """Show that a unit with parameters v, w, b is v times a function of (w, b) that is linear on each side of x.

    Raises RefusedError or NotShownError.
    """
    v, w, b, p, q, x, s = map(Operation, ("v", "w", "b", "p", "q", "x", "s"))
    free = Setting(dict.fromkeys(("v", "w", "b", "x"), "real"))
    one = put(unit, {"v": number(1)})
    free.zero(minus(unit, times(v, one)), "a unit is linear in its output weight")
    for side in (number(1), number(-1)):
        both = Setting({**dict.fromkeys(("w", "b", "p", "q", "x"), "real"), "s": "nonnegative"})
        values = (times(side, total([times(ray[0], x), ray[1]])) for ray in ((w, b), (p, q)))
        point = {"w": total([w, times(s, p)]), "b": total([b, times(s, q)])}
        apart = total([one, times(s, put(one, {"w": p, "b": q}))])
        both.assuming(*values, strict=False).zero(
            minus(put(one, point), apart), "a unit is linear on each side of a datum"
        )


@cache
def squared_norm(cost: Operation) -> Operation:
    """n(w, b)² such that a unit costs |v| n(w, b), or k v² + n(w, b)²/4k, at least |v| n(w, b) too; shown quadratic.

    Raises RefusedError or NotShownError.
    """
    v, w, b, p, q, s = map(Operation, ("v", "w", "b", "p", "q", "s"))
    free = Setting(dict.fromkeys(("v", "w", "b"), "real"))
    one, zero = number(1), number(0)
    input_weights, output_weight = put(cost, {"v": zero}), put(cost, {"v": one, "w": zero, "b": zero})
    norm = put(cost, {"v": one})
    try:
        free.zero(minus(cost, times(Operation("Abs", (v,)), norm)), "the cost grows with |v|")
        free.at_least_zero(norm, "the cost")
        squared = times(norm, norm)
    except RefusedError:
        apart = total([times(times(v, v), output_weight), input_weights])
        free.zero(minus(cost, apart), "the cost grows with |v|, or is k v² and a part without v")
        free.at_least_zero(output_weight, "what an output weight costs")
        free.at_least_zero(input_weights, "what input weights cost")
        squared = times(times(number(4), output_weight), input_weights)
    plane = Setting(dict.fromkeys(("w", "b", "p", "q", "s"), "real"))

    def at(*ray: Operation) -> Operation:
        return put(squared, {"w": ray[0], "b": ray[1]})

    mixed = minus(minus(at(*_sum((w, b), (p, q))), at(w, b)), at(p, q))
    form = total([at(w, b), times(s, mixed), times(times(s, s), at(p, q))])
    along = at(total([w, times(s, p)]), total([b, times(s, q)]))
    plane.zero(minus(along, form), "the squared cost of input weights is quadratic")
    return squared


def _sum(a: Ray, b: Ray) -> Ray:
    return total([a[0], b[0]]), total([a[1], b[1]])
