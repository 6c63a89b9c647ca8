"""Observed: how many units interpolating networks of least cost need; shared by both claims about it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product

from implicitbias.claims import Context, Observation, Premise, seen
from implicitbias.exact.vectors import solve

from ..cheapest.cheapest_network import feature
from ..cheapest.cost_programme import Number, interpolation

Unit = tuple[int, Number, Fraction]
"""(w, b, u): u[w(x - b)]_+."""


def random_sets(context: Context, count: int) -> list[tuple[list[Number], list[Number]]]:
    """Data sets including ramps, plateaus, ties and zigzags, and sets of one and two points."""
    draw = context.random()
    sets: list[tuple[list[Number], list[Number]]] = [
        ([2], [5]),
        ([0, 1], [0, 0]),
        ([0, 1], [0, 3]),
        ([0, 1, 2], [0, 1, 2]),
        ([0, 1, 2], [0, 0, 1]),
        ([0, 1, 2, 3], [0, 0, 0, 0]),
        ([0, 1, 2, 3, 4], [0, 0, 1, 0, 0]),
    ]
    for i in range(count):
        size = 1 + i % 12
        x: list[Number] = sorted(draw.sample(range(-20, 21), size))
        ramp = 5 if i % 3 == 0 else 0
        sets.append((x, [ramp * z + draw.randint(-12, 12) for z in x]))
    return sets


def with_the_bias(units: Sequence[Unit], x: Sequence[Number]) -> tuple[Unit, ...]:
    """N - 1 units or fewer that are optimal for N data beside an output bias, from those of any optimal vertex.

    A vertex without the bias may have N units. It is an edge away from one with the bias, which costs nothing: along
    the edge the units balance what is added to it, until the first of them has nothing left.
    """
    if len(units) < len(x):
        return tuple(units)
    rows = [[feature((w, b), z) for w, b, _ in units] for z in x]
    along = solve(rows, [-1] * len(x))
    added = min((-u / d for (_, _, u), d in zip(units, along, strict=True) if d), key=abs)
    moved = [(w, b, u + added * d) for (w, b, u), d in zip(units, along, strict=True)]
    if sum(abs(u) for *_, u in moved) != sum(abs(u) for *_, u in units):
        raise ArithmeticError("the output bias has a price: the vertex was not optimal")
    return tuple(unit for unit in moved if unit[2])


def vertices(context: Context) -> Observation:
    """Number of units of the interpolant at an optimal vertex of the linear programme that has the output bias among
    its columns, for data sets of 1 to 12 points."""
    for x, y in random_sets(context, 48):
        units = with_the_bias(interpolation(x, y).units, x)
        yield seen(len(units), f"{len(x)} points", relation="<=", N=len(x), x=tuple(x), y=tuple(y), units=units)


def zigzags(context: Context) -> Observation:
    """The fewest units of any minimiser for zigzag data, where the minimising function is unique.

    If the price is ±1 at the inner data points only, every minimiser has its kinks there. So it is the linear spline,
    and each kink κₙ takes at least one unit, of either orientation. One unit per kink is enough if and only if signs
    exist such that Σ±κₙ is the sum of the two end slopes.
    """
    draw = context.random()
    sets: list[tuple[list[Number], list[Number]]] = [([0], [1]), ([0, 1], [0, 1]), ([0, 1, 3], [0, 1, 0])]
    for size in range(4, 13):
        for _ in range(2):
            places: list[Number] = [3 * i + draw.randint(0, 1) for i in range(size)]
            if size > 8:  # with so many kinks, whole numbers often add up by chance
                places = [3 * i + Fraction(draw.randint(0, 96), 97) for i in range(size)]
            heights = [draw.randint(0, 5) + (20 if i % 2 else 0) for i in range(size)]
            sets.append((places, list(heights)))
    instances, unique = [], True
    for x_data, y_data in sets:
        x, y = [Fraction(z) for z in x_data], [Fraction(z) for z in y_data]
        found = interpolation(x, y)
        slopes = [(y[i + 1] - y[i]) / (x[i + 1] - x[i]) for i in range(len(x) - 1)]
        kinks = [after - before for before, after in pairwise(slopes)]
        if kinks:
            forward, backward = _prices_at(x, found.prices, 1), _prices_at(x, found.prices, -1)
            inner = all(abs(p) == abs(m) == 1 for p, m in zip(forward[1:-1], backward[1:-1], strict=True))
            signs = all(p * later < 0 for p, later in pairwise(forward[1:-1]))
            ends = max(abs(p[i]) for p in (forward, backward) for i in (0, -1)) < 1
            unique = unique and inner and signs and ends
            s = slopes[0] + slopes[-1]
            one_each = any(
                sum(o * k for o, k in zip(o_s, kinks, strict=True)) == s for o_s in product((1, -1), repeat=len(kinks))
            )
            fewest = len(kinks) + (not one_each)
        else:
            fewest = int(any(slopes))
        if kinks and fewest == len(kinks):
            continue  # special data: one unit per kink is enough, one unit fewer than in general
        instances.append(
            seen(fewest, f"zigzag of {len(x)} points: no minimiser has fewer units", N=len(x), x=tuple(x), y=tuple(y))
        )
    sizes = {i.given["N"] for i in instances}
    yield from instances
    yield Premise("prices ±1 at the inner points, of alternating sign, and strictly between elsewhere", unique)
    yield Premise("every size from 1 to 12 is there", sizes == set(range(1, 13)), f"{len(sizes)} sizes")


def _prices_at(x: list[Fraction], prices: tuple[Fraction, ...], w: int) -> list[Fraction]:
    """Σνₙ[w(xₙ−b)]₊ at the data points b; linear in b between them and constant beyond."""
    return [sum((v * max(w * (z - b), Fraction(0)) for v, z in zip(prices, x, strict=True)), Fraction(0)) for b in x]
