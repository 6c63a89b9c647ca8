"""Certificates of least total variation: what `convex.variation.least` found, for the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from implicitbias.certificate.kernel import FORMAT, MAX_DIGITS, VERSION, digest
from implicitbias.convex.margin.certificate import rounded_down
from implicitbias.errors import CertificateError

if TYPE_CHECKING:
    from implicitbias.convex.variation.least import TvInterpolant
    from implicitbias.convex.variation.margin import TvMargin
    from implicitbias.convex.variation.penalised import PenalisedFit

KIND = "interpolation of least total variation"
PENALISED = "least loss penalised by total variation"
MARGINS = "margins of least total variation"
DIGITS = 24
"""Significant digits of the bounds as they are written, rounded outwards."""


def tv_certificate(found: TvInterpolant) -> dict[str, Any]:
    """The certificate of kind "interpolation of least total variation". Nothing is checked here: the kernel does that.

    Raises CertificateError where numbers have more digits than a certificate may hold.
    """
    return _certificate(KIND, found, found.y, found.dual.p)


def penalised_certificate(found: PenalisedFit) -> dict[str, Any]:
    """Likewise of kind "least loss penalised by total variation"."""
    return _certificate(PENALISED, found, found.y, found.dual.p, {"penalty": _texts([found.penalty])[0]})


def tv_margin_certificate(found: TvMargin) -> dict[str, Any]:
    """Likewise of kind "margins of least total variation"."""
    p = [Fraction(0)] * len(found.points)
    for i, value in zip(found.support, found.dual.p, strict=True):
        p[i] = value
    if 0 in found.dual.p:
        raise CertificateError("a point of the support has the multiplier 0: leave it out of the support")
    return _certificate(MARGINS, found, list(map(Fraction, found.classes)), p)


def _certificate(
    kind: str,
    found: TvInterpolant | PenalisedFit | TvMargin,
    y: Sequence[Fraction],
    p: Sequence[Fraction],
    more: dict[str, str] | None = None,
) -> dict[str, Any]:
    lower, upper = rounded_down(found.lower, DIGITS), -rounded_down(-found.upper, DIGITS)
    gap = -rounded_down((lower - upper) / upper, 2) if upper else Fraction(0)
    cells = [
        {
            "inside": _texts(map(Fraction, found.cells.interior(k))),
            "above": [[i, *_texts([m])] for i, m in found.dual.above[k]],
            "below": [[i, *_texts([m])] for i, m in found.dual.below[k]],
        }
        for k in range(len(found.cells))
    ]
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "data": {"x": [_texts(point[:-1]) for point in found.points], "y": _texts(y), **(more or {})},
        "primal": {"units": [_texts((unit.c, *unit.theta)) for unit in found.units]},
        "dual": {"p": _texts(p), "cells": cells},
        "claim": {"lower": str(lower), "upper": str(upper), "relative_gap": str(gap)},
    }
    document["digest"] = digest(document)
    return document


def _texts(numbers: Iterable[Fraction]) -> list[str]:
    limit = 10 ** (MAX_DIGITS - 1)
    listed = list(numbers)
    if any(abs(number.numerator) >= limit or number.denominator >= limit for number in listed):
        raise CertificateError(f"a number has more than the {MAX_DIGITS} digits of a certificate: round the data")
    return [str(number) for number in listed]
