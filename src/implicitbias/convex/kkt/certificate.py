"""Certificates of KKT points: what `convex.kkt.points` found, written down for the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from implicitbias.certificate import kernel
from implicitbias.certificate.kernel import FORMAT, VERSION, digest
from implicitbias.certificate.kinds import kkt as kernel_kkt
from implicitbias.certificate.kinds import kkt_exact as kernel_kkt_exact

if TYPE_CHECKING:
    from implicitbias.convex.kkt.points import KKTPoint


def kkt_certificate(point: KKTPoint) -> tuple[dict[str, Any], str]:
    """The certificate of kind "KKT point of the margin problem", and why the kernel refuses it: "" if it does not.

    The claim has the bounds of the number of kinks that the kernel proves, and whether the point is a global optimum
    where it proves that.
    """
    document = kkt_document(point)
    try:
        system = kernel_kkt.System(document, list(point.x), list(point.labels), kernel)
        least, most = kernel_kkt.check_inequalities(system, point.radius, kernel)
        document["claim"] = {"kinks_at_least": least, "kinks_at_most": most}
        if not kernel_kkt_exact.why_not_optimal(system, point.radius):
            document["claim"]["global_optimum"] = True
    except Exception:  # the kernel's refusal, which it repeats below with its reason
        document["claim"] = {"kinks_at_least": 0, "kinks_at_most": len(point.units)}
    document["digest"] = digest(document)
    return document, kernel.check_certificate(document).reason


def kkt_document(point: KKTPoint) -> dict[str, Any]:
    """What a certificate says of the point, without the claim and the digest; unchecked."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": "KKT point of the margin problem",
        "data": {"x": [str(at) for at in point.x], "labels": list(point.labels)},
        "multipliers": [[i, str(weight)] for i, weight in sorted(point.multipliers.items())],
        "units": [
            {
                "sign": unit.sign,
                "square": str(unit.square),
                "active": sorted(unit.active),
                "contacts": [[i, str(share)] for i, share in sorted(unit.contacts.items())],
            }
            for unit in point.units
        ],
        "radius": str(point.radius),
    }
