"""Certificates of maximum margins: what `convex.margin.classifier` found, written down for the kernel."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from implicitbias.certificate.kernel import FORMAT, VERSION, digest

if TYPE_CHECKING:
    from implicitbias.convex.margin.classifier import MaxMargin

DIGITS = 24
"""Significant digits of the bounds as they are written, rounded outwards."""


def margin_certificate(found: MaxMargin) -> dict[str, Any]:
    """The certificate of kind "maximum margin". Nothing is checked here: the kernel does that."""
    lower, upper = rounded_down(found.lower, DIGITS), -rounded_down(-found.upper, DIGITS)
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "maximum margin",
        "data": {"x": [str(at) for at in found.x], "labels": list(found.positions), "classes": len(found.classes)},
        "kinks": [str(end) for end in found.kinks],
        "primal": {
            "unit": str(found.primal.unit),
            "ramps": [[side, str(kink), [str(w) for w in weights]] for side, kink, weights in found.primal.ramps],
        },
        "dual": {
            "unit": str(found.dual.unit),
            "beta": [[i, rival, str(value)] for (i, rival), value in sorted(found.dual.beta.items())],
        },
        "claim": {
            "lower": str(lower),
            "upper": str(upper),
            "relative_gap": str(-rounded_down((lower - upper) / upper, 2)),
        },
    }
    document["digest"] = digest(document)
    return document


def rounded_down(number: Fraction, digits: int) -> Fraction:
    """The largest decimal of so many significant digits, about, that is not above the number.

    >>> rounded_down(Fraction(2, 3), 3), rounded_down(Fraction(-2, 3), 3)
    (Fraction(333, 500), Fraction(-667, 1000))
    """
    if not number:
        return number
    scale = Fraction(10) ** (digits - 1 - _magnitude(abs(number)))
    return (number * scale).__floor__() / scale


def _magnitude(number: Fraction) -> int:
    """⌊log10⌋ of a positive number."""
    power = (number.numerator.bit_length() - number.denominator.bit_length()) * 30103 // 100_000
    while Fraction(10) ** power > number:
        power -= 1
    while Fraction(10) ** (power + 1) <= number:
        power += 1
    return power
