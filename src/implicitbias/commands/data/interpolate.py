"""`implicitbias interpolate DATA.csv`: the function of smallest representation cost through given points."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.commands.data.answers import WORDS, Answer, both_ends, columns, give, titled
from implicitbias.commands.data.numbers import decimal_of, equals, shown, text_of
from implicitbias.commands.options import (
    AsJson,
    CertificateFile,
    Kinks,
    PointsFile,
    XColumn,
    YColumn,
    belong,
    reachable,
)

if TYPE_CHECKING:
    from implicitbias.convex.minimum_norm.interpolants import Interpolant
    from implicitbias.data.points import Points


class Norm(StrEnum):
    """What is minimised."""

    REPRESENTATION_COST = "representation-cost"
    PROBLEM_9 = "problem-9"
    PROBLEM_4 = "problem-4"
    TV = "tv"


NormOption = Annotated[
    Norm,
    typer.Option(
        "--norm",
        help="representation-cost: biases are free, kinks anywhere. problem-9: Σ|w| of ramps w[±(x - c)]₊ with "
        "kinks c in a range, no affine part free. problem-4: Σ|v|√(a² + b²) of units v[ax + b]₊, the bias counted. "
        "tv: Σ|c|√(|a|² + b²) of units c[a·x + b]₊, for any number of inputs.",
    ),
]
Penalty = Annotated[
    str | None,
    typer.Option(
        "--penalty",
        metavar="LAMBDA",
        help="Do not pass through the points, but minimise the mean squared error plus LAMBDA times the cost; with "
        "--norm representation-cost or tv.",
    ),
]
AllMinimisers = Annotated[
    Path | None,
    typer.Option(
        "--all-minimisers",
        metavar="FILE",
        callback=reachable,
        help="With --norm tv: write the proof, where there is one, that the minimiser is the only one and has two "
        "units of opposite signs in one cell of the data.",
    ),
]


def interpolate(
    data: PointsFile,
    x: XColumn = None,
    y: YColumn = None,
    norm: NormOption = Norm.REPRESENTATION_COST,
    kinks: Kinks = None,
    penalty: Penalty = None,
    all_minimisers: AllMinimisers = None,
    certificate: CertificateFile = None,
    as_json: AsJson = False,
) -> None:
    """The function of smallest cost through the points, and the proof that none is smaller.

    By default the cost is max(∫|f''|, |f'(-∞) + f'(+∞)|), what a wide two-layer ReLU network with weight decay pays for
    f; --norm chooses problem (9) or (4) of Stewart et al. (2022) instead, or with tv problem (20) of de Dios & Bruna
    (2020): then all columns but y, or but the last, are inputs, --x a,b chooses some, and lines come in any order; with
    --penalty their problem (22). --penalty alone weighs the loss against the cost of a function of one input, and lines
    may repeat an x.
    Numbers are taken as the exact decimals they are. Nothing is printed before the trusted checker has accepted the
    certificate. Problems (4) and (20) have no rational answer: bounds are printed, and certified.
    """
    from implicitbias.commands.data.interpolating.otherwise import by_ramps, with_penalised_biases
    from implicitbias.commands.data.interpolating.penalised import penalised
    from implicitbias.data.points import read_points

    belong({"--kinks": kinks}, "--norm problem-9", norm is Norm.PROBLEM_9)
    belong({"--penalty": penalty}, "--norm tv or representation-cost", norm in (Norm.TV, Norm.REPRESENTATION_COST))
    belong({"--all-minimisers": all_minimisers}, "--norm tv without --penalty", norm is Norm.TV and penalty is None)
    match norm:
        case Norm.TV:
            answer = _of_total_variation(data, (x, y), penalty, all_minimisers)
        case Norm.PROBLEM_9:
            answer = by_ramps(read_points(data, x, y), kinks)
        case Norm.PROBLEM_4:
            answer = with_penalised_biases(read_points(data, x, y))
        case Norm.REPRESENTATION_COST if penalty is not None:
            answer = penalised(data, (x, y), penalty)
        case Norm.REPRESENTATION_COST:
            answer = cheapest(read_points(data, x, y))
    give(answer, as_json, certificate)


def _of_total_variation(
    data: str, columns: tuple[str | None, str | None], penalty: str | None, all_minimisers: Path | None
) -> Answer:
    from implicitbias.commands.data.interpolating import total_variation as tv
    from implicitbias.data.table import read_table

    x, y = columns
    table = read_table(data, [] if x is None else x.split(","), y, labelled=True)
    if all_minimisers is not None:
        tv.write_of_all_minimisers(table, all_minimisers)
    return tv.of_least_variation(table) if penalty is None else tv.of_penalised_variation(table, penalty)


def cheapest(points: Points) -> Answer:
    """The function of smallest representation cost, exactly."""
    from implicitbias.convex.minimum_norm.interpolants import min_norm_interpolant

    found = min_norm_interpolant(points.x, points.y)
    return Answer(as_document(points, found), in_words(points, found), found.certificate())


def as_document(points: Points, found: Interpolant) -> dict[str, Any]:
    """All that was found, exact numbers as text."""
    left, right = found.end_slopes.first
    return {
        "schema": 1,
        "source": points.source,
        "points": len(points),
        "cost": text_of(found.cost),
        "cost_decimal": decimal_of(found.cost),
        "unique": found.unique,
        "regime": "end slopes" if found.correction else "interior variation",
        "interior_variation": text_of(found.interior_variation),
        "end_line_sum": text_of(found.end_slope_sum),
        "correction": text_of(found.correction),
        "end_slopes": [[text_of(slope) for slope in pair] for pair in (found.end_slopes.first, found.end_slopes.last)],
        "free_intervals": [[text_of(found.x[i]), text_of(found.x[i + 1])] for i in found.free_intervals],
        "free_outside": found.correction > 0,
        "knots": [text_of(knot) for knot in found.x],
        "values": [text_of(value) for value in found.y],
        "slopes": [text_of(slope) for slope in (left, *found.slopes, right)],
    }


def in_words(points: Points, found: Interpolant) -> list[str]:
    """The same to be read."""
    variation, ends = shown(found.interior_variation), equals(abs(found.end_slope_sum))
    (left, right), (other_left, other_right) = found.end_slopes.first, found.end_slopes.last
    if found.correction:
        regime = [
            f"the variation of the slopes inside the data, {variation}, is below |l₁ + l_(N-1)| {ends}:",
            f"the end slopes move from l₁ and l_(N-1) towards 0 by {shown(found.correction)} together",
        ]
        slopes = [
            f"(f'(-∞), f'(+∞)) from ({shown(left)}, {shown(right)}) to ({shown(other_left)}, {shown(other_right)}):",
            "all pairs on this segment, and no other",
        ]
    else:
        regime = [
            f"the variation of the slopes inside the data, {variation}, is at least |l₁ + l_(N-1)| {ends}:",
            "the first and the last line are continued",
        ]
        slopes = [f"f'(-∞) {equals(left)}, f'(+∞) {equals(right)}, and no other pair"]
    blocks = {
        "cost": [
            f"{shown(found.cost)}, the smallest max(∫|f''|, |f'(-∞) + f'(+∞)|) of all functions through the points"
        ],
        "regime": regime,
        "end slopes": slopes,
        "unique": _uniqueness(found),
        "function": _table(found.x, found.y, (left, *found.slopes, right)),
    }
    return titled(f"{len(points)} points of {points.source}, l₁ … l_(N-1) the slopes from point to point", blocks)


def _uniqueness(found: Interpolant) -> list[str]:
    if found.unique:
        return ["yes: the linear spline is the only function that attains the cost"]
    places = [f"{shown(found.x[i])} and {shown(found.x[i + 1])}" for i in found.free_intervals]
    more = [f"{len(places) - WORDS} more intervals"] if len(places) > WORDS else []
    outside = ["outside the data"] if found.correction else []
    places = [f"between {place}" for place in places[:1]] + places[1:]
    return ["no: the functions that attain it differ " + ", ".join(outside + places[:WORDS] + more)]


def _table(knots: Sequence[Fraction], values: Sequence[Fraction], slopes: Sequence[Fraction]) -> list[str]:
    rows = [("x", "f(x)", "slope after it"), ("-∞", "", shown(slopes[0]))]
    for before, n in pairwise([-1, *both_ends(len(knots))]):
        if n - before > 1:
            rows.append(("…", "…", f"({n - before - 1} knots more)"))
        rows.append((shown(knots[n]), shown(values[n]), shown(slopes[n + 1])))
    return columns(rows)
