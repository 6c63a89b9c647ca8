"""What `interpolate --norm tv` says: the least total variation through data with several inputs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from implicitbias.commands.interpolate_otherwise import Answer, _lines, _table

if TYPE_CHECKING:
    from implicitbias.convex.tv_bounds import Unit
    from implicitbias.table import Table

SHOWN_INPUTS = 4
"""Coefficients of a unit that are printed for people; `--json` prints all."""


def of_least_variation(table: Table) -> Answer:
    """Problem (20) of de Dios & Bruna (2020), between bounds."""
    from implicitbias.certificate.margin import rounded_down
    from implicitbias.commands.interpolate import decimal_of, text_of
    from implicitbias.convex.total_variation import tv_interpolant

    found = tv_interpolant(table.x, table.y)
    lower, upper = rounded_down(found.lower, 18), -rounded_down(-found.upper, 18)
    n, d = len(table), len(table.x_names)
    strong = found.strong_units()
    document = {
        "schema": 1,
        "source": table.source,
        "points": n,
        "inputs": list(table.x_names),
        "label": table.y_name,
        "norm": "tv",
        "cells": len(found.cells),
        "lower": text_of(lower),
        "upper": text_of(upper),
        "cost_decimal": repr(float(found.upper)),
        "relative_gap": float(found.gap),
        "strong_units": len(strong),
        "units": [
            {"c": text_of(u.c), "a": [text_of(a) for a in u.theta[:-1]], "b": text_of(u.theta[-1])} for u in found.units
        ],
    }
    blocks = {
        "cost": [
            f"between {decimal_of(lower)} and {decimal_of(upper)}, the smallest Σ|c|√(|a|² + b²) of units c[a·x + b]₊",
            f"(certified, {float(found.gap):.1e} apart)",
        ],
        "cells": [f"{len(found.cells)}: the certificate shows of each that no unit in it would make the sum smaller"],
        "units": _table(("sign", "cost", *_names(d), "b"), strong, _cells),
    }
    title = f"{n} point{'s' * (n > 1)} of {table.source}, input{'s' * (d > 1)} {', '.join(table.x_names)}, "
    return Answer(document, _lines(f"{title}label {table.y_name}", blocks), found.certificate())


def _names(d: int) -> tuple[str, ...]:
    return tuple(f"a_{j + 1}" for j in range(min(d, SHOWN_INPUTS))) + (("…",) if d > SHOWN_INPUTS else ())


def _cells(unit: Unit) -> tuple[str, ...]:
    """The unit with (a, b) of length 1."""
    length = float(unit.cost / abs(unit.c)) if unit.c else 1.0
    a = [f"{float(value) / length:.6g}" for value in unit.theta[:-1]]
    more = ["…"] if len(a) > SHOWN_INPUTS else []
    sign = "+" if unit.c > 0 else "-"
    return (sign, f"{_short(unit.cost)}", *a[:SHOWN_INPUTS], *more, f"{float(unit.theta[-1]) / length:.6g}")


def _short(number: Fraction) -> str:
    return f"{float(number):.6g}"
