"""Certificates of what every minimiser has: what `convex.weighted.exact_minimiser` found, for the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from implicitbias.certificate.kernel import FORMAT, VERSION, digest
from implicitbias.certificate.kinds.minimisers import WHERE
from implicitbias.errors import CertificateError

if TYPE_CHECKING:
    from implicitbias.convex.weighted.exact_minimiser import UniqueMinimiser
    from implicitbias.exact.quadratic import Quadratic

KIND = "all minimisers of least variation"


def minimisers_certificate(found: UniqueMinimiser) -> dict[str, Any]:
    """The certificate of kind "all minimisers of least variation". Nothing is checked here: the kernel does that.

    Raises CertificateError where no two atoms of opposite signs share a closed cell.
    """
    pairs = found.pairs()
    if not pairs:
        raise CertificateError(
            "no two atoms of opposite signs lie in one closed cell: there is nothing to certify; for the value and its "
            "bounds use the certificate of tv_interpolant"
        )
    i, j, k, where = pairs[-1]
    if where not in WHERE:
        raise AssertionError(f"the kernel does not know {where!r}")
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": KIND,
        "data": {
            "x": [_rationals(point[:-1]) for point in found.points],
            "y": _rationals(found.y),
            "tilt": _rationals(found.tilt),
            "root": found.root,
        },
        "primal": {"atoms": [[_text(atom.mass), atom.sign, _texts(atom.theta)] for atom in found.atoms]},
        "dual": {
            "p": _texts(found.p),
            "cells": [
                {
                    "inside": _rationals([Fraction(value) for value in found.cells.interior(n)]),
                    "above": [[i, _text(m)] for i, m in above],
                    "below": [[i, _text(m)] for i, m in below],
                }
                for n, (above, below) in enumerate(found.multipliers)
            ],
            "inverse": [_texts(row) for row in found.inverse],
        },
        "claim": {
            "value": _text(found.value),
            "pair": [i, j, k],
            "where": where,
        },
    }
    document["digest"] = digest(document)
    return document


def _rationals(numbers: Sequence[Fraction]) -> list[str]:
    return [str(number) for number in numbers]


def _text(number: Quadratic) -> str | list[str]:
    return [str(number.a), str(number.b)] if number.b else str(number.a)


def _texts(numbers: Sequence[Quadratic]) -> list[str | list[str]]:
    return [_text(number) for number in numbers]
