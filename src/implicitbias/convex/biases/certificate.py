"""Certificates of interpolation with penalised biases: what `convex.biases.interpolant` found, for the kernel."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from implicitbias.certificate.kernel import FORMAT, MAX_DIGITS, VERSION, digest
from implicitbias.convex.margin.certificate import rounded_down
from implicitbias.errors import CertificateError

if TYPE_CHECKING:
    from implicitbias.convex.biases.interpolant import BiasPenalisedInterpolant

DIGITS = 24
"""Significant digits of the bounds as they are written, rounded outwards."""


def bias_certificate(found: BiasPenalisedInterpolant) -> dict[str, Any]:
    """The certificate of kind "interpolation with penalised biases". Nothing is checked here: the kernel does that.

    Raises CertificateError where numbers have more digits than a certificate may hold.
    """
    lower, upper = rounded_down(found.lower, DIGITS), -rounded_down(-found.upper, DIGITS)
    gap = -rounded_down((lower - upper) / upper, 2) if upper else Fraction(0)
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "interpolation with penalised biases",
        "data": {"x": _texts(found.x), "y": _texts(found.y)},
        "primal": {"units": [_texts((unit.v, unit.a, unit.b)) for unit in found.units]},
        "dual": {"alpha": _texts(found.alpha)},
        "claim": {"lower": str(lower), "upper": str(upper), "relative_gap": str(gap)},
    }
    document["digest"] = digest(document)
    return document


def _texts(numbers: tuple[Fraction, ...]) -> list[str]:
    limit = 10 ** (MAX_DIGITS - 1)
    if any(abs(number.numerator) >= limit or number.denominator >= limit for number in numbers):
        raise CertificateError(f"a number has more than the {MAX_DIGITS} digits of a certificate: round the data")
    return [str(number) for number in numbers]
