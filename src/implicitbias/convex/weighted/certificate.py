"""Certificates of what every minimiser has: two atoms of opposite signs in one closed cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from implicitbias.certificate.kinds.minimisers import KIND
from implicitbias.convex.cells.arrangement import Cells
from implicitbias.convex.cells.labelled import Point
from implicitbias.convex.document import certificate
from implicitbias.exact.quadratic import Quadratic


def minimisers_certificate(
    points: Sequence[Point],
    y: Sequence[Fraction],
    tilt: Sequence[Fraction],
    root: int,
    p: Sequence[Quadratic],
    atoms: Iterable[tuple[Quadratic, int, Sequence[Quadratic]]],
    cells: Cells,
    multipliers: Iterable[Sequence[Sequence[tuple[int, Quadratic]]]],
    inverse: Iterable[Sequence[Quadratic]],
    value: Quadratic,
    pair: tuple[int, int, int, str],
) -> dict[str, Any]:
    """The certificate of the only minimiser; arguments as in `UniqueMinimiser`.

    atoms  (mass, sign, θ) of each
    pair   (i, j, k, where): atoms i and j, of opposite signs, and the cell k that both lie in, in the sense `where`
    """
    i, j, k, where = pair
    return certificate(
        KIND,
        data={
            "x": [[str(number) for number in point[:-1]] for point in points],
            "y": [str(number) for number in y],
            "tilt": [str(number) for number in tilt],
            "root": root,
        },
        primal={"atoms": [[_text(mass), sign, _texts(theta)] for mass, sign, theta in atoms]},
        dual={
            "p": _texts(p),
            "cells": [
                {
                    "inside": [str(number) for number in cells.interior(n)],
                    "above": [[i, _text(m)] for i, m in above],
                    "below": [[i, _text(m)] for i, m in below],
                }
                for n, (above, below) in enumerate(multipliers)
            ],
            "inverse": [_texts(row) for row in inverse],
        },
        claim={"value": _text(value), "pair": [i, j, k], "where": where},
    )


def _text(number: Quadratic) -> str | list[str]:
    return [str(number.a), str(number.b)] if number.b else str(number.a)


def _texts(numbers: Iterable[Quadratic]) -> list[str | list[str]]:
    return [_text(number) for number in numbers]
