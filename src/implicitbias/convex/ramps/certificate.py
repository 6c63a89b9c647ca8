"""Certificates of interpolation by ramps: what `convex.ramps.interpolant` found, written down for the kernel."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from implicitbias.certificate.kernel import FORMAT, MAX_DIGITS, VERSION, digest
from implicitbias.convex.margin.certificate import rounded_down
from implicitbias.errors import CertificateError

if TYPE_CHECKING:
    from implicitbias.convex.ramps.interpolant import Ramp, RampInterpolant

EXPLICIT = 1000
"""Up to so many points the ramps are written out, if their weights are not too long."""
TOO_LONG: int = 10 ** (MAX_DIGITS - 1)
DIGITS = 30
"""Significant digits of what is rounded."""


def ramp_certificate(found: RampInterpolant, ramps: tuple[Ramp, ...] | None = None) -> dict[str, Any]:
    """The certificate of kind "interpolation by ramps". Nothing is checked here: whether it proves anything, the
    kernel says.

    Raises CertificateError where data have more digits than a certificate may hold.
    """
    if not all(map(_fits, (*found.x, *found.y, *found.kinks))):
        raise CertificateError(f"the data have more than the {MAX_DIGITS} digits of a certificate: round them")
    written = found.ramps if ramps is None else ramps
    numbers = [found.value, *found.alpha, *(ramp.weight for ramp in written)]
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "interpolation by ramps",
        "data": {"x": [str(at) for at in found.x], "y": [str(value) for value in found.y]},
        "kinks": [str(end) for end in found.kinks],
    }
    if ramps is not None or len(found.x) <= 2 or (len(found.x) <= EXPLICIT and all(map(_fits, numbers))):
        document |= {
            "primal": {"ramps": [[ramp.side, str(ramp.kink), str(ramp.weight)] for ramp in written]},
            "dual": {"alpha": [str(value) for value in found.alpha]},
            "claim": {"value": str(found.value)},
        }
    else:
        document |= {
            "primal": {"left_shares": [str(_short(share)) for share in found.left_shares]},
            "dual": {"eta": str(found.eta), "lambda": str(found.lam)},
            "claim": {"value": _around(found.value)},
        }
    document["digest"] = digest(document)
    return document


def _around(value: Fraction) -> dict[str, str]:
    """A little wider than the rounding of the shares and of the kernel's sums."""
    room = value / 10 ** (DIGITS - 4)
    return {"at_least": str(rounded_down(value - room, DIGITS)), "at_most": str(-rounded_down(-value - room, DIGITS))}


def _short(share: Fraction) -> Fraction:
    return share if share in (0, 1) else rounded_down(share, 2 * DIGITS)


def _fits(number: Fraction) -> bool:
    return abs(number.numerator) < TOO_LONG and number.denominator < TOO_LONG
