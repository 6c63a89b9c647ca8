"""Certificates of interpolation with penalised biases."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from implicitbias.certificate.kinds.biases import KIND
from implicitbias.convex.document import bounds, certificate, texts


def bias_certificate(
    x: Iterable[Fraction],
    y: Iterable[Fraction],
    units: Iterable[tuple[Fraction, Fraction, Fraction]],
    alpha: Iterable[Fraction],
    lower: Fraction,
    upper: Fraction,
) -> dict[str, Any]:
    """The certificate of lower <= optimum <= upper.

    units  (v, a, b) of each
    alpha  the dual

    Raises CertificateError where numbers have more digits than a certificate may hold.
    """
    return certificate(
        KIND,
        data={"x": texts(x), "y": texts(y)},
        primal={"units": [texts(unit) for unit in units]},
        dual={"alpha": texts(alpha)},
        claim=bounds(lower, upper),
    )
