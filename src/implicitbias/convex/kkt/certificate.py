"""Certificates of KKT points of the margin problem."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from implicitbias.certificate.budget import RefusedError
from implicitbias.certificate.kernel import check_certificate
from implicitbias.certificate.kinds.kkt import KIND, check_inequalities
from implicitbias.certificate.parts.kkt_exact import why_not_optimal
from implicitbias.certificate.parts.kkt_system import System
from implicitbias.certificate.rational import Rational
from implicitbias.convex.document import certificate

Unit = tuple[int, Fraction, Collection[int], Mapping[int, Fraction]]
"""ε and κ of v = ε√κ, the points at which the unit is active, and the Clarke coefficients at its contacts."""


def kkt_certificate(
    x: Sequence[Fraction],
    labels: Sequence[int],
    multipliers: Mapping[int, Fraction],
    units: Sequence[Unit],
    radius: Fraction,
) -> tuple[dict[str, Any], str]:
    """The certificate, and why the kernel refuses it: "" if it does not.

    The claim states the bounds of the number of kinks that the kernel proves, and global optimality if it proves that.
    """
    point = _point(multipliers, units)
    try:
        system = System(point, list(map(rational, x)), list(labels))
        least, most = check_inequalities(system, rational(radius))
        claim: dict[str, Any] = {"kinks_at_least": least, "kinks_at_most": most}
        if not why_not_optimal(system, rational(radius)):
            claim["global_optimum"] = True
    except RefusedError:  # which the kernel repeats below with its reason
        claim = {"kinks_at_least": 0, "kinks_at_most": len(units)}
    document = certificate(
        KIND,
        data={"x": [str(at) for at in x], "labels": list(labels)},
        **point,
        radius=str(radius),
        claim=claim,
    )
    return document, check_certificate(document).reason


def kkt_system(
    x: Sequence[Fraction], labels: Sequence[int], multipliers: Mapping[int, Fraction], units: Sequence[Unit]
) -> System:
    """The equations of the point, as the kernel reads them. Raises RefusedError if it refuses to read them."""
    return System(_point(multipliers, units), list(map(rational, x)), list(labels))


def rational(number: Fraction) -> Rational:
    """The number as the kernel computes with it."""
    return Rational(number.numerator, number.denominator)


def fraction(number: Rational) -> Fraction:
    """The kernel's number as others compute with it."""
    return Fraction(number.numerator, number.denominator)


def _point(multipliers: Mapping[int, Fraction], units: Iterable[Unit]) -> dict[str, Any]:
    return {
        "multipliers": [[i, str(weight)] for i, weight in sorted(multipliers.items())],
        "units": [
            {
                "sign": sign,
                "square": str(square),
                "active": sorted(active),
                "contacts": [[i, str(share)] for i, share in sorted(contacts.items())],
            }
            for sign, square, active, contacts in units
        ],
    }
