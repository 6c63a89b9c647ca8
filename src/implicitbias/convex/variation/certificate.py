"""Certificates of least total variation: of interpolants, of penalised fits, and of margins."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from implicitbias.certificate.kinds import penalised_variation, variation, variation_margins
from implicitbias.certificate.reading import Kind
from implicitbias.convex.cells.arrangement import Cells
from implicitbias.convex.cells.labelled import Point
from implicitbias.convex.document import bounds, certificate, texts
from implicitbias.convex.variation.bounds import Dual, Unit
from implicitbias.convex.variation.cone_proofs import ConeDual
from implicitbias.errors import CertificateError

Bounds = tuple[Fraction, Fraction]
"""(lower, upper)."""


def tv_certificate(
    points: Sequence[Point],
    y: Sequence[Fraction],
    units: Sequence[Unit],
    dual: Dual | ConeDual,
    cells: Cells | None,
    proved: Bounds,
) -> dict[str, Any]:
    """The certificate of an interpolant of least total variation.

    points  (x, 1)
    cells   those of the points, which a `Dual` is about
    proved  what units and dual prove of the least variation

    Raises CertificateError where numbers have more digits than a certificate may hold.
    """
    return _certificate(variation.KIND, points, {"y": texts(y)}, units, dual.p, _shown(dual, cells), proved)


def penalised_certificate(
    points: Sequence[Point],
    y: Sequence[Fraction],
    penalty: Fraction,
    units: Sequence[Unit],
    dual: Dual | ConeDual,
    cells: Cells | None,
    proved: Bounds,
) -> dict[str, Any]:
    """The same of the least loss penalised by total variation."""
    data = {"y": texts(y), "penalty": texts([penalty])[0]}
    return _certificate(penalised_variation.KIND, points, data, units, dual.p, _shown(dual, cells), proved)


def tv_margin_certificate(
    points: Sequence[Point],
    classes: Sequence[int],
    units: Sequence[Unit],
    support: Sequence[int],
    dual: Dual,
    cells: Cells,
    proved: Bounds,
) -> dict[str, Any]:
    """The same of margins of least total variation.

    support      the points at which p != 0
    dual, cells  those of the support
    """
    if 0 in dual.p:
        raise CertificateError("a point of the support has the multiplier 0: leave it out of the support")
    p = [Fraction(0)] * len(points)
    for i, value in zip(support, dual.p, strict=True):
        p[i] = value
    data = {"y": texts(map(Fraction, classes))}
    return _certificate(variation_margins.KIND, points, data, units, p, _shown(dual, cells), proved)


def _shown(dual: Dual | ConeDual, cells: Cells | None) -> dict[str, Any]:
    """Why the dual is feasible."""
    if isinstance(dual, ConeDual):
        return {"above": dual.above, "below": dual.below}
    assert cells is not None, "a dual that is shown cell by cell needs the cells"
    return {
        "cells": [
            {
                "inside": texts(map(Fraction, cells.interior(k))),
                "above": [[i, *texts([m])] for i, m in dual.above[k]],
                "below": [[i, *texts([m])] for i, m in dual.below[k]],
            }
            for k in range(len(cells))
        ]
    }


def _certificate(
    kind: Kind,
    points: Sequence[Point],
    data: dict[str, Any],
    units: Sequence[Unit],
    p: Sequence[Fraction],
    feasible: dict[str, Any],
    proved: Bounds,
) -> dict[str, Any]:
    return certificate(
        kind,
        data={"x": [texts(point[:-1]) for point in points], **data},
        primal={"units": [texts((unit.c, *unit.theta)) for unit in units]},
        dual={"p": texts(p), **feasible},
        claim=bounds(*proved),
    )
