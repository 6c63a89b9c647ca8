"""What `interpolate` and `margin` with `--norm tv` say: the least total variation for data with several inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from implicitbias.commands.data.answers import Answer, aligned, titled, too_wide
from implicitbias.commands.data.interpolating.penalised import read_penalty
from implicitbias.commands.data.numbers import decimal_of, text_of
from implicitbias.convex.cells.labelled import MOST_CELLS, has_few_cells
from implicitbias.errors import CertificateError, DataError, UnsolvedError
from implicitbias.exact.rational import exact

if TYPE_CHECKING:
    from pathlib import Path

    from implicitbias.convex.variation.bounds import Unit
    from implicitbias.convex.variation.penalised import Penalised
    from implicitbias.convex.weighted.optimal_face import OptimalFace
    from implicitbias.data.table import Table

T = TypeVar("T")

FEW_CELLS = 200
"""The largest number of cells for which it is decided whether there are other minimisers."""
FEW_INPUTS = 100
"""The largest number of inputs for which it is."""
MOST_POINTS = {2: 500, 3: 400, 4: 200, 5: 100}
MOST_POINTS_THROUGH = {2: 100, 3: 100, 4: 60, 5: 30}
"""The most points with a penalty, and through them, by the number of inputs, where cells are too many to list: they
take some two minutes with random points, the proof and its check included."""
MOST_CONES = 1_000_000
CLOSENESS = {2: 1e-6, 3: 1e-6, 4: 1e-3, 5: 1e-2}
"""How far apart bounds are there with a penalty, about and relatively: closer ones would take many minutes."""
SHOWN_INPUTS = 4
"""Coefficients of a unit that are printed; `--json` prints all."""


def of_least_variation(table: Table) -> Answer:
    """Problem (20) of de Dios & Bruna (2020), between bounds."""
    from implicitbias.convex.variation.least import tv_interpolant

    if not has_few_cells(table.x):
        return _of_least_variation_by_cones(table)
    found = tv_interpolant(table.x, table.y)
    strong = found.strong_units()
    face = _face(table, len(found.cells))
    document = {
        **_asked(table),
        "cells": len(found.cells),
        "cones": None,
        **_enclosed(found),
        "unique": None if face is None else face.unique,
        "dimension_of_minimisers": None if face is None else face.dimension,
        "contacts": None if face is None else len(face.contacts),
        "strong_units": len(strong),
        "units": _as_numbers(found.units),
    }
    blocks = {
        "cost": [
            f"{_between(found)}, the smallest Σ|c|√(|a|² + b²) of units c[a·x + b]₊",
            f"(certified, {float(found.gap):.1e} apart)",
        ],
        "cells": [f"{len(found.cells)}: the certificate shows of each that no unit in it would make the sum smaller"],
        "unique": [_uniqueness(face)],
        "units": _shown_units(table, strong),
    }
    return Answer(document, titled(_title(table, "label"), blocks), found.certificate())


def _of_least_variation_by_cones(table: Table) -> Answer:
    from implicitbias.convex.variation.through import bounded_interpolant

    _require_not_too_many(table, MOST_POINTS_THROUGH)
    found = _unless_unsolved(table, lambda: bounded_interpolant(table.x, table.y, most=MOST_CONES))
    certificate = _unless_unsolved(table, found.certificate)
    proved, strong = _Claimed.of(certificate), found.strong_units()
    document = {
        **_asked(table),
        "cells": None,
        "cones": found.bound.cones,
        **_enclosed(proved),
        "unique": None,
        "dimension_of_minimisers": None,
        "contacts": None,
        "strong_units": len(strong),
        "units": _as_numbers(found.units),
    }
    blocks = {
        "cost": [
            f"{_between(proved)}, the smallest Σ|c|√(|a|² + b²) of units c[a·x + b]₊",
            f"(certified, {float(proved.gap):.1e} apart)",
        ],
        "cones": _cones(found.bound.cones),
        "unique": [_uniqueness(None)],
        "units": _shown_units(table, strong),
    }
    return Answer(document, titled(_title(table, "label"), blocks), certificate)


def write_of_all_minimisers(table: Table, file: Path) -> None:
    """The certificate that every minimiser has two units of opposite signs in one cell, to its file."""
    from implicitbias.commands.data.certificates import write_accepted
    from implicitbias.convex.weighted.exact_minimiser import unique_minimiser

    try:
        found = unique_minimiser(table.x, table.y)
    except ArithmeticError as error:
        raise CertificateError(f"{table.source}: nothing is proved of all minimisers: {error}") from None
    write_accepted(found.certificate(), file)


def _face(table: Table, cells: int) -> OptimalFace | None:
    """All minimisers; None where there are too many cells or inputs, or where their equations were not solved."""
    from implicitbias.convex.weighted.optimal_face import optimal_face

    try:
        few = cells <= FEW_CELLS and len(table.x[0]) <= FEW_INPUTS
        return optimal_face(table.x, table.y) if few else None
    except ArithmeticError:
        return None


def _uniqueness(face: OptimalFace | None) -> str:
    if face is None:
        return (
            f"not decided: for up to {FEW_CELLS} cells and {FEW_INPUTS} inputs, and points that do not nearly coincide"
        )
    if face.unique:
        return "yes, by 30 digits: no other units, equal ones added up, are as cheap"
    return (
        f"no, by 30 digits: the minimisers are a polytope of dimension {face.dimension}, with units in "
        f"{len(face.charged)} directions"
    )


def of_penalised_variation(table: Table, penalty: str) -> Answer:
    """Problem (22) of de Dios & Bruna (2020), between bounds."""
    weight = read_penalty(penalty)
    if groups := table.repeated():
        lines = ", ".join(str(table.lines[i]) for i in groups[0])
        raise DataError(
            f"{table.source}: lines {lines} hold the same point: keep one of them, with the mean of its labels"
        )
    return _by_cells(table, weight) if has_few_cells(table.x) else _by_cones(table, weight)


def _by_cells(table: Table, weight: Fraction) -> Answer:
    from math import sqrt

    from implicitbias.convex.variation.penalised import largest_penalty_square, penalised_fit

    found = penalised_fit(table.x, table.y, weight)
    square = largest_penalty_square(table.x, table.y)
    zero = "; from there on nothing is fitted" if weight**2 < square else ", not above this one: nothing is fitted"
    own = {
        "cells": len(found.cells),
        "cones": None,
        "largest_penalty": sqrt(square),
        "largest_penalty_square": text_of(square),
    }
    blocks = {
        "penalty": [f"{decimal_of(weight)}; the largest that leaves something is {sqrt(square):.12g}{zero}"],
        "cells": [f"{len(found.cells)}: the certificate shows of each that no unit in it would make the sum smaller"],
    }
    return _penalised(table, weight, found, own, blocks)


def _by_cones(table: Table, weight: Fraction) -> Answer:
    """Where cells are too many to list."""
    from implicitbias.convex.variation.many_cells import bounded_fit

    _require_not_too_many(table, MOST_POINTS)
    closeness = CLOSENESS[len(table.x[0])]
    larger = ", or take a larger penalty"
    found = _unless_unsolved(table, lambda: bounded_fit(table.x, table.y, weight, closeness, MOST_CONES), larger)
    own = {"cells": None, "cones": found.bound.cones, "largest_penalty": None, "largest_penalty_square": None}
    blocks = {"penalty": [decimal_of(weight)], "cones": _cones(found.bound.cones)}
    return _penalised(table, weight, found, own, blocks)


def _require_not_too_many(table: Table, most: dict[int, int]) -> None:
    n, d = len(table), len(table.x[0])
    if n <= most.get(d, 0):
        return
    taken = f"at most {most[d]} points are" if d in most else f"only {min(most)} to {max(most)} inputs are"
    raise DataError(
        f"{table.source}: {n} points with {d} input{'s' * (d > 1)} are too many: {taken} taken where there can be "
        f"more than {MOST_CELLS} cells; take fewer rows or columns"
    )


def _unless_unsolved(table: Table, found: Callable[[], T], otherwise: str = "") -> T:
    try:
        return found()
    except UnsolvedError as error:
        raise DataError(f"{table.source}: {error}{otherwise}") from None


def _cones(count: int) -> list[str]:
    return [
        f"{count} examined; some of them cover all directions, and the certificate shows of each of these that no",
        "unit in it would bring the value below the lower bound (cells, of which there can be more than",
        f"{MOST_CELLS}, are not listed)",
    ]


def _penalised(
    table: Table, weight: Fraction, found: Penalised, own: dict[str, Any], blocks: dict[str, list[str]]
) -> Answer:
    certificate = _unless_unsolved(table, found.certificate)
    proved, strong = _Claimed.of(certificate), found.strong_units()
    document = {
        **_asked(table),
        "penalty": text_of(weight),
        **_enclosed(proved),
        "loss": float(found.loss),
        "variation": float(found.variation),
        **own,
        "strong_units": len(strong),
        "units": _as_numbers(found.units),
    }
    every = {
        "cost": [
            f"{_between(proved)}, the smallest mean squared error plus {decimal_of(weight)}·Σ|c|√(|a|² + b²)",
            f"(certified, {float(proved.gap):.1e} apart)",
            f"here {float(found.loss):.6g} + {decimal_of(weight)}·{float(found.variation):.6g}",
        ],
        **blocks,
        "units": _shown_units(table, strong) if strong else ["none: f = 0"],
    }
    return Answer(document, titled(_title(table, "label"), every), certificate)


def of_largest_margin(table: Table) -> Answer:
    """The classifier of two classes with margin 1 and the least total variation, between bounds."""
    from implicitbias.convex.variation.margin import tv_margin

    names, sides = _two_classes(table)
    found = tv_margin(table.x, sides)
    strong, margins = found.strong_units(), found.margins()
    held = [i for i, margin in enumerate(margins) if margin <= 1 + Fraction(1, 10**9)]
    document = {
        **_asked(table),
        "classes": {names[0]: -1, names[1]: 1},
        **_enclosed(found),
        "margin_decimal": repr(float(1 / found.upper)),
        "at_margin_1": len(held),
        "support": len(found.support),
        "cells": len(found.cells),
        "strong_units": len(strong),
        "units": _as_numbers(found.units),
    }
    blocks = {
        "value": [
            f"{_between(found)}, the smallest Σ|c|√(|a|² + b²) of units c[a·x + b]₊",
            f"with f >= 1 at {names[1]} and f <= -1 at {names[0]} (certified, {float(found.gap):.1e} apart)",
        ],
        "margin": [f"{float(1 / found.upper):.12g}, the largest of classifiers with Σ|c|√(|a|² + b²) = 1"],
        "support": [f"{len(found.support)} of {len(found.points)} points decide; {len(held)} have margin 1 here"],
        "units": _shown_units(table, strong),
    }
    lines, warning = titled(_title(table, "classes"), blocks), too_wide(found.gap)
    return Answer(document, lines, found.certificate(), bool(warning), warning)


class Enclosed(Protocol):
    """A certified value: bounds that are exact rationals, and how far they are apart."""

    @property
    def lower(self) -> Fraction: ...
    @property
    def upper(self) -> Fraction: ...
    @property
    def gap(self) -> Fraction: ...


@dataclass(frozen=True)
class _Claimed:
    """The bounds that a certificate claims."""

    lower: Fraction
    upper: Fraction

    @classmethod
    def of(cls, certificate: dict[str, Any]) -> _Claimed:
        claim = certificate["claim"]
        return cls(Fraction(claim["lower"]), Fraction(claim["upper"]))

    @property
    def gap(self) -> Fraction:
        return (self.upper - self.lower) / self.upper if self.upper else Fraction(0)


def _asked(table: Table) -> dict[str, Any]:
    return {
        "schema": 1,
        "source": table.source,
        "points": len(table),
        "inputs": list(table.x_names),
        "label": table.y_name,
        "norm": "tv",
    }


def _enclosed(found: Enclosed) -> dict[str, Any]:
    lower, upper = _rounded_outwards(found)
    return {
        "lower": text_of(lower),
        "upper": text_of(upper),
        "cost_decimal": repr(float(found.upper)),
        "relative_gap": float(found.gap),
    }


def _between(found: Enclosed) -> str:
    lower, upper = _rounded_outwards(found)
    return f"between {decimal_of(lower)} and {decimal_of(upper)}"


def _rounded_outwards(found: Enclosed) -> tuple[Fraction, Fraction]:
    from implicitbias.convex.document import rounded_down

    return rounded_down(found.lower, 18), -rounded_down(-found.upper, 18)


def _title(table: Table, what: str) -> str:
    n, d = len(table), len(table.x_names)
    inputs = f"input{'s' * (d > 1)} {', '.join(table.x_names)}"
    return f"{n} point{'s' * (n > 1)} of {table.source}, {inputs}, {what} {table.y_name}"


def _two_classes(table: Table) -> tuple[tuple[str, str], list[int]]:
    """The two labels, numbers in their order, else words in theirs; and 1 at the second, -1 at the first."""
    try:
        values: list[Fraction] | list[str] = [exact(word) for word in table.words]
    except DataError:
        values = list(table.words)
    distinct = sorted(set(values))  # type: ignore[type-var]
    if len(distinct) != 2:
        shown = ", ".join(sorted(set(table.words))[:SHOWN_INPUTS]) + (" …" if len(distinct) > SHOWN_INPUTS else "")
        raise DataError(
            f"{table.source}: --norm tv separates two classes, and column {table.y_name} has {len(distinct)}: {shown}"
        )
    names = tuple(table.words[values.index(value)] for value in distinct)  # type: ignore[arg-type]
    return (names[0], names[1]), [1 if value == distinct[1] else -1 for value in values]


def _as_numbers(units: Sequence[Unit]) -> list[dict[str, Any]]:
    return [{"c": text_of(u.c), "a": [text_of(a) for a in u.theta[:-1]], "b": text_of(u.theta[-1])} for u in units]


def _shown_units(table: Table, strong: Sequence[Unit]) -> list[str]:
    return aligned(("sign", "cost", *_names(len(table.x_names)), "b"), strong, _cells)


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
