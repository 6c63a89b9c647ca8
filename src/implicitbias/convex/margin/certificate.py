"""Certificates of maximum margins."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from implicitbias.certificate.kinds.margin import KIND
from implicitbias.convex.document import bounds, certificate
from implicitbias.convex.margin.bounds import Multipliers, Ramps


def margin_certificate(
    x: Iterable[Fraction],
    labels: Iterable[int],
    classes: int,
    kinks: tuple[Fraction, Fraction],
    primal: Ramps,
    dual: Multipliers,
) -> dict[str, Any]:
    """The certificate of dual.lower <= optimum <= primal.upper.

    labels   positions of the points' classes
    classes  how many classes there are
    """
    return certificate(
        KIND,
        data={"x": [str(at) for at in x], "labels": list(labels), "classes": classes},
        kinks=[str(end) for end in kinks],
        primal={
            "unit": str(primal.unit),
            "ramps": [[side, str(kink), [str(w) for w in weights]] for side, kink, weights in primal.ramps],
        },
        dual={
            "unit": str(dual.unit),
            "beta": [[i, rival, str(value)] for (i, rival), value in sorted(dual.beta.items())],
        },
        claim=bounds(dual.lower, primal.upper),
    )
