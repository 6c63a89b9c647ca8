"""Certificates of the least penalised loss on a line."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, Protocol

from implicitbias.certificate.kinds.penalised_line import KIND
from implicitbias.convex.document import bounds, certificate, rounded_down, texts
from implicitbias.convex.penalised.dual import Dual, enclosed
from implicitbias.convex.penalised.shapes import Shape
from implicitbias.errors import CertificateError
from implicitbias.functions.piecewise_linear import PiecewiseLinear

DIGITS = 40
"""Significant digits of long slopes: what is cut off is far below the accuracy of the programme."""
LONG = 160
"""Bits of a denominator that are too many to be written in full."""
SLACK = Fraction(1, 2**150)
"""The share of each term that bounds keep clear of: the checker cuts long terms to fewer bits."""


class Found(Protocol):
    """What is certified: a `PenalisedFunction`."""

    @property
    def x(self) -> tuple[Fraction, ...]: ...
    @property
    def y(self) -> tuple[Fraction, ...]: ...
    @property
    def weights(self) -> tuple[Fraction, ...]: ...
    @property
    def penalty(self) -> Fraction: ...
    @property
    def network(self) -> bool: ...
    @property
    def shape(self) -> Shape: ...
    @property
    def dual(self) -> Dual: ...
    @property
    def function(self) -> PiecewiseLinear: ...


Rows = Sequence[tuple[Fraction, Fraction, Fraction]]


def penalised_line_certificate(found: Found, rows: Rows | None = None) -> dict[str, Any]:
    """The certificate that the function's penalised loss is the least, between bounds.

    rows  (x, y, weight) of the data as they were before equal inputs were taken together; those of `found` without

    Raises CertificateError where data have more digits than a certificate may hold, and for bounds far apart.
    """
    listed = sorted(zip(found.x, found.y, found.weights, strict=True) if rows is None else rows)
    groups: dict[Fraction, list[tuple[Fraction, Fraction]]] = {}
    for at, label, weight in listed:
        groups.setdefault(at, []).append((label, weight))
    if tuple(groups) != found.x:
        raise CertificateError("the rows are not those of the function: their inputs differ")
    weights = [sum((w for _, w in group), Fraction(0)) for group in groups.values()]
    all_weights = sum(weights, Fraction(0))
    shares = [weight / all_weights for weight in weights]
    means = [
        sum((label * w for label, w in group), Fraction(0)) / weight
        for group, weight in zip(groups.values(), weights, strict=True)
    ]
    apart = [
        w * (label - mean) ** 2 / all_weights
        for group, mean in zip(groups.values(), means, strict=True)
        for label, w in group
    ]
    height, slopes = _written(found)
    x, y, w = zip(*listed, strict=True)
    upper = [*apart, *_upper(found, height, slopes, shares, means)]
    lower = [*apart, *found.dual.terms(found.x, shares, means, found.shape)]
    return certificate(
        KIND,
        data={
            "x": texts(x),
            "y": texts(y),
            "weights": texts(w),
            "penalty": texts([found.penalty])[0],
            "cost": "network" if found.network else "slopes",
            "monotone": _word(found.shape.rising, "increasing", "decreasing"),
            "curved": _word(found.shape.bending, "convex", "concave"),
        },
        primal={"height": texts([height])[0], "slopes": texts(slopes)},
        dual=_multipliers(found.dual, found.shape),
        claim=bounds(max(_clear(lower, -1), Fraction(0)), _clear(upper, 1)),
    )


def _written(found: Found) -> tuple[Fraction, list[Fraction]]:
    """The height at the first input and all slopes, cut to DIGITS if one is long: which keeps their order and signs."""
    function = found.function
    values = list(map(function, found.x))
    inner = [(g - f) / (b - a) for (a, f), (b, g) in pairwise(zip(found.x, values, strict=True))]
    slopes = [function.left_slope, *inner, function.right_slope]
    if any(slope.denominator.bit_length() > LONG for slope in slopes):
        slopes = [rounded_down(slope, DIGITS) for slope in slopes]
    return values[0], slopes


def _upper(
    found: Found,
    height: Fraction,
    slopes: Sequence[Fraction],
    shares: Sequence[Fraction],
    means: Sequence[Fraction],
) -> list[Fraction]:
    """The terms of the penalised loss of the function that is written."""
    steps = [slope * (b - a) for slope, (a, b) in zip(slopes[1:-1], pairwise(found.x), strict=True)]
    values = accumulate(steps, initial=height)
    loss = [share * (f - mean) ** 2 for share, f, mean in zip(shares, values, means, strict=True)]
    cost = sum((abs(b - a) for a, b in pairwise(slopes)), Fraction(0))
    if found.network:
        cost = max(cost, abs(slopes[0] + slopes[-1]))
    return [*loss, found.penalty * cost]


def _multipliers(dual: Dual, shape: Shape) -> dict[str, Any]:
    return {
        "bends": texts(dual.bends),
        "ends": texts([dual.ends])[0],
        "steps": texts(dual.steps) if shape.rising else [],
    }


def _clear(terms: Sequence[Fraction], side: int) -> Fraction:
    """The sum, moved to this side by more than what the checker loses of it."""
    size = enclosed([abs(term) for term in terms])[1]
    return enclosed(terms)[side > 0] + side * SLACK * size


def _word(sign: int, positive: str, negative: str) -> str | None:
    return {1: positive, -1: negative}.get(sign)
