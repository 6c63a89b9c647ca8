"""True certificates of every kind, small ones, in every form that the solvers write."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from implicitbias.convex.biases.interpolant import bias_penalised_interpolant
from implicitbias.convex.kkt.points import KKTPoint, KKTUnit
from implicitbias.convex.margin.classifier import max_margin
from implicitbias.convex.minimum_norm.few_kinks import with_few_kinks
from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant
from implicitbias.convex.penalised.fit import penalised_function
from implicitbias.convex.ramps import interpolant as ramps
from implicitbias.convex.ramps.interpolant import ramp_interpolant
from implicitbias.convex.variation.least import tv_interpolant
from implicitbias.convex.variation.many_cells import bounded_fit
from implicitbias.convex.variation.margin import tv_margin
from implicitbias.convex.variation.penalised import penalised_fit
from implicitbias.convex.variation.through import bounded_interpolant
from implicitbias.convex.weighted.exact_minimiser import unique_minimiser

Document = dict[str, Any]
SQUARE = [[-1, -1], [-1, 1], [1, -1], [1, 1]]
LINE: list[tuple[list[Any], list[Any]]] = [
    ([0, 1, 2, 3, 4, 5], [5, 2, 1, 1, 2, 5]),
    (["-2.7", "-1.8", "2", "4.9"], ["-8.2", "-5.3", "5.9", "14.6"]),
    ([0, 1, 2, 3], [0, 1, 0, 0]),
    ([0, 1, 3], [0, -1, -3]),
    ([7], [3]),
]


def examples() -> Iterator[Document]:
    """The documents, of which every kind occurs."""
    for x, y in LINE:
        found = min_norm_interpolant(x, y)
        yield found.certificate()
        yield found.certificate(with_few_kinks(found))
    # denominators without a common one: the value is too long, and is enclosed
    x = [Fraction(10**17 * n + 7 * n * n + 1, 10**17 + n) for n in range(200)]
    yield min_norm_interpolant(x, [Fraction(n * n % 17, 10**17 - n) for n in range(200)]).certificate()
    for x, y in LINE[:3]:
        yield ramp_interpolant(x, y).certificate()
        explicit, ramps.EXPLICIT = ramps.EXPLICIT, 0
        yield ramp_interpolant(x, y).certificate()
        ramps.EXPLICIT = explicit
        yield bias_penalised_interpolant(x, y).certificate()
    yield tv_interpolant([[0], [1], [3]], ["-1/2", "1/2", 2]).certificate()
    yield tv_interpolant(SQUARE, [0, 1, 1, 0]).certificate()
    yield penalised_fit(SQUARE, [0, 1, 1, 0], "1/10").certificate()
    yield penalised_fit([[0], [1], [3]], [0, 1, 0], "1/10").certificate()
    for x, y in (SQUARE, [0, 1, 1, 0]), ([[0], [1], [3]], [0, 1, 0]):
        yield bounded_interpolant(x, y).certificate()
        yield bounded_fit(x, y, "1/10", accuracy=1e-3).certificate()
    for x, y in LINE:
        yield penalised_function(x, y, "1/10").certificate()
    x, y = LINE[1]
    yield penalised_function(x, y, "1/100", network=False, weights=[1, 2, 1, 3]).certificate()
    yield penalised_function(x, y, 1, monotone="increasing", curved="convex").certificate()
    yield penalised_function(x, y, 1, network=False, monotone="decreasing", curved="concave").certificate()
    found = penalised_function([0, 1, 2], [0, 2, 0], "1/3", weights=[1, 2, 1])
    yield found.certificate([tuple(map(Fraction, row)) for row in ((0, 0, 1), (1, 1, 1), (1, 3, 1), (2, 0, 1))])
    yield tv_margin(SQUARE, [1, -1, -1, 1]).certificate()
    yield tv_margin([[0], [1], [2], [5]], [1, -1, -1, 1]).certificate()
    yield unique_minimiser([[0], [1]], ["-1/2", "1/2"]).certificate()
    yield unique_minimiser([[-1], [1]], [-1, 1], [0, "-4/5"]).certificate()
    yield max_margin([-1, "-1/2", 0, "1/2", 1], "abcba").certificate()
    yield max_margin([3, 4, 7], "xyx").certificate()
    yield kinks_on_data()


def kinks_on_data() -> Document:
    """A KKT point with two kinks on data points, where the Clarke coefficient is 24/25."""
    x = tuple(map(Fraction, ("-2", "0", "3/4", "4/3", "2", "3")))
    units = (
        KKTUnit(1, Fraction(15, 7), frozenset({3, 4, 5}), {2: Fraction(24, 25)}),
        KKTUnit(-1, Fraction(20, 7), frozenset({0, 1, 2}), {3: Fraction(24, 25)}),
    )
    return KKTPoint(x, (-1, -1, -1, 1, 1, 1), {2: Fraction(20, 7), 3: Fraction(15, 7)}, units).certificate()
