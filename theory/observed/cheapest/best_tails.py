"""The end slopes that minimise the cost (27) of the linear spline, by exact linear programming."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from implicitbias.claims import Context


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


def all_best_tails(T: Fraction, a: Fraction, b: Fraction) -> list[tuple[Fraction, Fraction]]:
    """The minimisers of least and of greatest l_0 and the one between them, each once: the set is a segment.

    >>> [(str(l_0), str(l_N)) for l_0, l_N in all_best_tails(Fraction(1), Fraction(1), Fraction(2))]
    [('0', '2'), ('1/2', '3/2'), ('1', '1')]
    """
    from implicitbias.convex.programmes.linear_programme import optimum

    A, bounds = _constraints(T, a, b)
    face, limits = [*A, [0, 0, 0, 0, 1]], [*bounds, best_tails(T, a, b).value]
    ends = []
    for sign in (1, -1):
        point = optimum([sign, 0, 0, 0, 0], A_ub=face, b_ub=limits, free=True).primal
        ends.append((point[0], point[1]))
    (first, last), (other, opposite) = ends
    middle = ((first + other) / 2, (last + opposite) / 2)
    return sorted({ends[0], middle, ends[1]})


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
