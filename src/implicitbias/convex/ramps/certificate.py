"""Certificates of interpolation by ramps."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from implicitbias.certificate.kinds.ramps import KIND
from implicitbias.certificate.reading import MAX_DIGITS
from implicitbias.convex.document import certificate, fits, rounded_down, rounded_up
from implicitbias.errors import CertificateError

DIGITS = 30
"""Significant digits of what is rounded."""

Ramp = tuple[int, Fraction, Fraction]
"""(side, kink, weight)."""


def explicit_certificate(
    x: Sequence[Fraction],
    y: Sequence[Fraction],
    kinks: tuple[Fraction, Fraction],
    ramps: Sequence[Ramp],
    alpha: Sequence[Fraction],
    value: Fraction,
) -> dict[str, Any]:
    """The certificate of the value, by ramps through the points and a dual.

    Raises CertificateError where data have more digits than a certificate may hold.
    """
    return certificate(
        KIND,
        **_data(x, y, kinks),
        primal={"ramps": [[side, str(kink), str(weight)] for side, kink, weight in ramps]},
        dual={"alpha": [str(number) for number in alpha]},
        claim={"value": str(value)},
    )


def enclosing_certificate(
    x: Sequence[Fraction],
    y: Sequence[Fraction],
    kinks: tuple[Fraction, Fraction],
    left_shares: Sequence[Fraction],
    eta: Fraction,
    lam: Fraction,
    value: Fraction,
) -> dict[str, Any]:
    """The certificate of an enclosure of the value, by the shares of left ramps at the data and the dual at the ends.

    Raises CertificateError where data have more digits than a certificate may hold.
    """
    # a little wider than the rounding of the shares and of the kernel's sums
    room = value / 10 ** (DIGITS - 4)
    around = {"at_least": str(rounded_down(value - room, DIGITS)), "at_most": str(rounded_up(value + room, DIGITS))}
    return certificate(
        KIND,
        **_data(x, y, kinks),
        primal={"left_shares": [str(_short(share)) for share in left_shares]},
        dual={"eta": str(eta), "lambda": str(lam)},
        claim={"value": around},
    )


def _data(x: Sequence[Fraction], y: Sequence[Fraction], kinks: tuple[Fraction, Fraction]) -> dict[str, Any]:
    if not all(map(fits, (*x, *y, *kinks))):
        raise CertificateError(f"the data have more than the {MAX_DIGITS} digits of a certificate: round them")
    return {
        "data": {"x": [str(at) for at in x], "y": [str(value) for value in y]},
        "kinks": [str(end) for end in kinks],
    }


def _short(share: Fraction) -> Fraction:
    return share if share in (0, 1) else rounded_down(share, 2 * DIGITS)
