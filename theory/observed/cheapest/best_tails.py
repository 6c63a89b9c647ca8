"""The end slopes that minimise the cost (27) of the linear spline, by exact linear programming."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from implicitbias.claims import Context, Identity
from implicitbias.exact.formula import Assumption


@dataclass(frozen=True)
class BestTails:
    """The minimum of (27) over (l_0, l_N) and a minimiser."""

    value: Fraction
    point: tuple[Fraction, Fraction]


def best_tails(T: Fraction, a: Fraction, b: Fraction) -> BestTails:
    """min over l_0, l_N of max(T + |l_0 - a| + |l_N - b|, |l_0 + l_N|), as an exact linear programme.

    >>> best_tails(Fraction(1), Fraction(1), Fraction(2)).value
    Fraction(2, 1)
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    A, bounds = _constraints(T, a, b)
    found = optimum([0, 0, 0, 0, 1], A_ub=A, b_ub=bounds, free=True)
    return BestTails(found.value, (found.primal[0], found.primal[1]))


def _constraints(T: Fraction, a: Fraction, b: Fraction) -> tuple[list[list[int]], list[Fraction]]:
    """Rows in l_0, l_N, u, v, z of: u >= |l_0 - a|, v >= |l_N - b|, z >= T + u + v, z >= |l_0 + l_N|."""
    A = [
        [1, 0, -1, 0, 0],
        [-1, 0, -1, 0, 0],
        [0, 1, 0, -1, 0],
        [0, -1, 0, -1, 0],
        [0, 0, 1, 1, -1],
        [1, 1, 0, 0, -1],
        [-1, -1, 0, 0, -1],
    ]
    return A, [a, -a, b, -b, -T, Fraction(0), Fraction(0)]


def range_of_best_tails(T: Fraction, a: Fraction, b: Fraction) -> tuple[tuple[Fraction, Fraction], ...]:
    """(least, greatest) l_0 and (least, greatest) l_N among the minimisers.

    >>> [[str(end) for end in ends] for ends in range_of_best_tails(Fraction(1), Fraction(1), Fraction(2))]
    [['0', '1'], ['1', '2']]
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    A, bounds = _constraints(T, a, b)
    face, limits = [*A, [0, 0, 0, 0, 1]], [*bounds, best_tails(T, a, b).value]
    ends = [
        sign * optimum([sign * int(i == j) for j in range(5)], A_ub=face, b_ub=limits, free=True).value
        for i in (0, 1)
        for sign in (1, -1)
    ]
    return (ends[0], ends[1]), (ends[2], ends[3])


def _domain(*names: str) -> dict[str, Assumption]:
    return dict.fromkeys(names, "nonnegative")


def realisable_cases() -> tuple[Identity, ...]:
    """The least cost for every T, a, b that data can have (T >= |b - a|), in cases that determine all signs.

    In each case q, e, … are nonnegative, and (l_0, l_N) is an optimal pair of end slopes.
    """
    cases = []
    for sign, side in (("", "a + b >= 0"), ("-", "a + b <= 0")):
        for order, (first, last) in (("a <= b", ("a", "b")), ("a >= b", ("b", "a"))):
            tail = {"a": "l_0", "b": "l_N"}
            label = f"{side}, {order if not sign else order.translate(str.maketrans('<>', '><'))}"
            opposite = {first: f"{sign}(-p)", last: f"{sign}(p + e)"}
            given = {"T": "2*p + e + q", **opposite, **{tail[k]: v for k, v in opposite.items()}}
            domain = _domain("p", "e", "q")
            cases.append(Identity(f"{label}, slopes of opposite sign", domain, given, "2*p + e + q"))
            same = {first: f"{sign}p", last: f"{sign}(p + e)"}
            given = {"T": "2*p + e + q", **same, **{tail[k]: v for k, v in same.items()}}
            cases.append(Identity(f"{label}, T >= |a + b|", domain, given, "2*p + e + q"))
            bent = {first: f"{sign}(q/2 + u + v)", last: f"{sign}(q/2 + u + v + e)"}
            ends = {tail[first]: f"{sign}(q/2 + v)", tail[last]: f"{sign}(q/2 + u + e)"}
            domain = _domain("e", "q", "u", "v")
            cases.append(Identity(f"{label}, T <= |a + b|", domain, {"T": "e + q", **bent, **ends}, "e + q + u + v"))
    return tuple(cases)


def triples(context: Context, count: int) -> list[tuple[str, Fraction, Fraction, Fraction]]:
    """Simple (T, a, b) that can be checked by hand, then random ones, of which half have T < |a+b|."""
    simple = [
        (0, 1, 1),
        (2, 1, -1),
        (1, 1, 2),
        (1, -1, -2),
        (3, 1, 2),
        (2, 0, 0),
        (0, -2, -2),
        (5, 4, 3),
        (3, 3, 2),
        (1, 0, 1),
    ]
    found = [(f"T = {T}, slopes {a} and {b}", Fraction(T), Fraction(a), Fraction(b)) for T, a, b in simple]
    generator = context.random()
    for i in range(count):
        a, b = (Fraction(generator.randint(-90, 90), generator.choice([1, 3, 7, 10])) for _ in range(2))
        # T >= |b - a| holds for every data set
        T = abs(b - a) * Fraction(generator.randint(10, 14 if i % 2 else 40), 10)
        found.append((f"random slopes {i}", T, a, b))
    return found
