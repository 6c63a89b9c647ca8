"""What `interpolate --penalty` says: the function of one input of least loss plus representation cost."""

from __future__ import annotations

from fractions import Fraction

from implicitbias.commands.data.answers import Answer, columns, titled
from implicitbias.commands.data.numbers import decimal_of, text_of
from implicitbias.errors import DataError
from implicitbias.exact.rational import exact


def penalised(data: str, chosen: tuple[str | None, str | None], penalty: str) -> Answer:
    """Mean squared error plus λ max(∫|f''|, |f'(-∞) + f'(+∞)|), between bounds."""
    from implicitbias.convex.penalised.fit import penalised_function
    from implicitbias.data.table import read_table

    x, y = chosen
    table = read_table(data, [] if x is None else x.split(","), y, labelled=True)
    if len(table.x_names) != 1:
        raise DataError(
            f"{table.source} has {len(table.x_names)} inputs, {', '.join(table.x_names)}: choose one with --x, or take "
            "all with --norm tv"
        )
    weight = read_penalty(penalty)
    if weight <= 0:
        raise DataError(f"--penalty must be positive, not {penalty}: without it, interpolate passes through the points")
    groups: dict[Fraction, list[Fraction]] = {}
    for (at,), label in sorted(zip(table.x, table.y, strict=True)):
        groups.setdefault(at, []).append(label)
    means = [sum(labels, Fraction(0)) / len(labels) for labels in groups.values()]
    found = penalised_function(list(groups), means, weight, weights=[len(labels) for labels in groups.values()])
    proof = found.certificate([(at, label, Fraction(1)) for (at,), label in zip(table.x, table.y, strict=True)])
    low, high = (Fraction(proof["claim"][name]) for name in ("lower", "upper"))
    function, gap = found.function, float(Fraction(proof["claim"]["relative_gap"]))
    kinks = [(float(place), float(jump)) for place, jump in function.kinks]
    document = {
        "schema": 1,
        "source": table.source,
        "points": len(table),
        "norm": "representation-cost",
        "penalty": text_of(weight),
        "lower": text_of(low),
        "upper": text_of(high),
        "relative_gap": gap,
        "cost": float(found.cost),
        "kinks": [place for place, _ in kinks],
        "knots": [float(knot) for knot in found.x],
        "values": [float(value) for value in found.values],
        "end_slopes": [float(function.left_slope), float(function.right_slope)],
    }
    strong = sorted(kinks, key=lambda kink: -abs(kink[1]))[:SHOWN]
    rows = [("x", "change of slope"), *((f"{place:.6g}", f"{jump:.6g}") for place, jump in sorted(strong))]
    blocks = {
        "cost": [
            f"between {decimal_of(low)} and {decimal_of(high)}, the smallest mean squared error plus",
            f"{decimal_of(weight)}·max(∫|f''|, |f'(-∞) + f'(+∞)|) (certified, {gap:.1e} apart)",
            f"here with max(∫|f''|, |f'(-∞) + f'(+∞)|) = {float(found.cost):.6g}",
        ],
        "end slopes": [f"f'(-∞) = {float(function.left_slope):.6g}, f'(+∞) = {float(function.right_slope):.6g}"],
        f"kinks ({len(strong)} of {len(kinks)})": columns(rows) if kinks else ["none: f is affine"],
    }
    return Answer(document, titled(f"{len(table)} points of {table.source}", blocks), proof)


SHOWN = 12
"""The kinks that are printed, the strongest."""


def read_penalty(text: str) -> Fraction:
    """λ, of a size that data may have."""
    from implicitbias.data.points import LARGEST, SMALLEST

    try:
        weight = exact(text)
    except DataError as error:
        raise DataError(f"--penalty: {error}") from None
    if weight and not SMALLEST <= abs(weight) <= LARGEST:
        raise DataError(f"--penalty: {text} is outside the sizes that are read, 1e-150 to 1e150")
    return weight
