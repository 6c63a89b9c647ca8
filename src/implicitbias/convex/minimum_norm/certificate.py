"""Certificates of minimum-norm interpolation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from implicitbias.certificate.kinds.minimum_norm import KIND
from implicitbias.certificate.reading import MAX_DIGITS
from implicitbias.convex.document import certificate, fits
from implicitbias.convex.whole_numbers import QuotientSum
from implicitbias.errors import CertificateError
from implicitbias.functions.piecewise_linear import PiecewiseLinear

EXPLICIT = 1000
"""Up to this many points the optimal function is written out; beyond, it is named as the spline of the data."""
ENCLOSING_DIGITS = 30
"""Significant digits of the enclosure that stands for a number too long to be written."""

Pair = tuple[Fraction, Fraction]


def minimum_norm_certificate(
    x: Sequence[Fraction],
    y: Sequence[Fraction],
    dual: Sequence[Fraction],
    cost: Fraction | QuotientSum,
    unique: bool,
    end_slopes: tuple[Pair, Pair],
    function: PiecewiseLinear | None,
) -> dict[str, Any]:
    """The certificate of the smallest cost and of all end slopes of minimisers.

    dual        p at the data
    cost        the sum of a long one is enclosed without being added up
    end_slopes  the ends of the segment of all optimal pairs
    function    the minimiser that is certified; None for the linear spline with the whole correction at its left end

    Raises CertificateError where data have more digits than a certificate may hold.
    """
    if function is None and len(x) <= EXPLICIT and all(map(fits, end_slopes[0])):
        function = PiecewiseLinear(x, y, *end_slopes[0])
    return certificate(
        KIND,
        data={"x": _texts(x, "x"), "y": _texts(y, "y")},
        primal={"left_share": "1"} if function is None else {"function": _function(function)},
        dual={"p": [str(value) for value in dual]},
        claim={
            "value": exact_or_enclosed(cost) if isinstance(cost, Fraction) else enclosed(cost),
            "unique": unique,
            "end_slopes": [[exact_or_enclosed(slope) for slope in pair] for pair in end_slopes],
        },
    )


def exact_or_enclosed(number: Fraction) -> str | dict[str, str]:
    """The number in lowest terms, or two decimal fractions around it where it has more digits than a certificate holds.

    >>> exact_or_enclosed(Fraction(-14, 6))
    '-7/3'
    """
    if fits(number):
        return str(number)
    scale = _scale(number)
    low = number.numerator * scale.numerator // (number.denominator * scale.denominator)
    return {"at_least": str(low / scale), "at_most": str((low + 1) / scale)}


def enclosed(total: QuotientSum) -> dict[str, str]:
    """Two decimal fractions around a positive sum, about as near to it as those of `exact_or_enclosed`."""
    bits = 4 * ENCLOSING_DIGITS
    while True:
        low, high = total.bounds(bits)
        if low > 0:
            scale = _scale(high)
            if (high - low) * scale < 1:
                below, above = (low * scale).__floor__(), (high * scale).__floor__()
                return {"at_least": str(below / scale), "at_most": str((above + 1) / scale)}
        bits *= 2


def _function(function: PiecewiseLinear) -> dict[str, Any]:
    return {
        "knots": _texts(function.knots, "knots"),
        "values": _texts(function.values, "values"),
        "left_slope": _text(function.left_slope, "left_slope"),
        "right_slope": _text(function.right_slope, "right_slope"),
    }


def _scale(number: Fraction) -> Fraction:
    """The power of ten that brings the number to about ENCLOSING_DIGITS digits before the point."""
    magnitude = (abs(number.numerator).bit_length() - number.denominator.bit_length()) * 3 // 10
    return Fraction(10) ** (ENCLOSING_DIGITS - magnitude)


def _texts(numbers: Sequence[Fraction], name: str) -> list[str]:
    return [_text(number, f"{name}[{i}]") for i, number in enumerate(numbers)]


def _text(number: Fraction, name: str) -> str:
    if not fits(number):
        raise CertificateError(
            f"{name} has more than the {MAX_DIGITS} digits that a certificate may hold: round the data"
        )
    return str(number)
