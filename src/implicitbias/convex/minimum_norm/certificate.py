"""Certificates of minimum-norm interpolation: what `interpolants` found, written down for the kernel."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from implicitbias.certificate.kernel import FORMAT, MAX_DIGITS, VERSION, digest
from implicitbias.errors import CertificateError

if TYPE_CHECKING:
    from implicitbias.convex.minimum_norm.interpolants import Interpolant
    from implicitbias.functions.piecewise_linear import PiecewiseLinear

EXPLICIT = 1000
"""Up to so many points the optimal function is written out; beyond, it is named as the spline of the data."""
TOO_LONG: int = 10 ** (MAX_DIGITS - 1)
"""A numerator or denominator from here on may be too long for a certificate, its sign counted."""
ENCLOSING_DIGITS = 30
"""Significant digits of the enclosure that stands for a number too long to be written."""


def minimum_norm_certificate(found: Interpolant, function: PiecewiseLinear | None = None) -> dict[str, Any]:
    """The certificate of kind "minimum-norm interpolation" for `certificate.kernel.check_certificate`.

    function  the minimiser that is certified; by default `found.function`

    Nothing is checked here: whether it proves anything is the kernel's decision alone.
    Raises CertificateError where data have more digits than a certificate may hold.
    """
    written = function
    if written is None and len(found.x) <= EXPLICIT and all(map(_fits, found.end_slopes.first)):
        written = found.function
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "minimum-norm interpolation",
        "data": {"x": _texts(found.x, "x"), "y": _texts(found.y, "y")},
        "primal": {"left_share": "1"} if written is None else {"function": _function(written)},
        "dual": {"p": [str(value) for value in found.dual.p]},
        "claim": {
            "value": exact_or_enclosed(found.cost),
            "unique": found.unique,
            "end_slopes": [
                [exact_or_enclosed(slope) for slope in pair] for pair in (found.end_slopes.first, found.end_slopes.last)
            ],
        },
    }
    document["digest"] = digest(document)
    return document


def exact_or_enclosed(number: Fraction) -> str | dict[str, str]:
    """The number in lowest terms, or two decimal fractions around it where it has more digits than a certificate holds.

    >>> exact_or_enclosed(Fraction(-14, 6))
    '-7/3'
    """
    if _fits(number):
        return str(number)
    scale = _scale(number)
    low = number.numerator * scale.numerator // (number.denominator * scale.denominator)
    return {"at_least": str(low / scale), "at_most": str((low + 1) / scale)}


def _function(function: PiecewiseLinear) -> dict[str, Any]:
    return {
        "knots": _texts(function.knots, "knots"),
        "values": _texts(function.values, "values"),
        "left_slope": _text(function.left_slope, "left_slope"),
        "right_slope": _text(function.right_slope, "right_slope"),
    }


def _scale(number: Fraction) -> Fraction:
    """The power of ten that brings the number to about so many digits before the point."""
    magnitude = (abs(number.numerator).bit_length() - number.denominator.bit_length()) * 3 // 10
    return Fraction(10) ** (ENCLOSING_DIGITS - magnitude)


def _fits(number: Fraction) -> bool:
    return abs(number.numerator) < TOO_LONG and number.denominator < TOO_LONG


def _texts(numbers: tuple[Fraction, ...], name: str) -> list[str]:
    return [_text(number, f"{name}[{i}]") for i, number in enumerate(numbers)]


def _text(number: Fraction, name: str) -> str:
    if not _fits(number):
        raise CertificateError(
            f"{name} has more than the {MAX_DIGITS} digits that a certificate may hold: round the data"
        )
    return str(number)
