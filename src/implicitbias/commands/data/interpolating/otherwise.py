"""What `interpolate --norm` says of problems (9) and (4) of Stewart et al. (2022)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from implicitbias.commands.data.answers import Answer, aligned, titled
from implicitbias.commands.data.numbers import decimal_of, equals, shown, text_of
from implicitbias.errors import DataError
from implicitbias.exact.rational import exact

if TYPE_CHECKING:
    from implicitbias.data.points import Points


def by_ramps(points: Points, kinks: str | None) -> Answer:
    """Problem (9), exactly."""
    from implicitbias.convex.ramps.interpolant import ramp_interpolant
    from implicitbias.convex.ramps.supports import fewest_kinks, is_only_optimum_at_data, regression_support

    found = ramp_interpolant(points.x, points.y, read_range(kinks))
    A, B = found.kinks
    support = [found.x[i] for i in regression_support(found.x, found.y)]
    at_data = {ramp.kink for ramp in found.ramps}
    unique = is_only_optimum_at_data(found) if len(found.x) <= SMALL else None
    document = {
        "schema": 1,
        "source": points.source,
        "points": len(points),
        "norm": "problem-9",
        "kinks": [text_of(A), text_of(B)],
        "cost": text_of(found.value),
        "cost_decimal": decimal_of(found.value),
        "interior_variation": text_of(found.variation),
        "case": found.case,
        "place": None if found.place is None else text_of(found.place),
        "dual": [text_of(value) for value in found.alpha],
        "ramps": [
            {"side": "right" if ramp.side > 0 else "left", "kink": text_of(ramp.kink), "weight": text_of(ramp.weight)}
            for ramp in found.ramps
        ],
        "support": [text_of(at) for at in support],
        "fewest_inner_kinks": fewest_kinks(found.x, found.y),
        "unique_with_kinks_at_data": unique,
    }
    why = {
        "zero": "the variation of the slopes inside the data: the ramps at the kinks alone pass through them",
        "slope": f"that variation, {shown(found.variation)}, and what the slopes at the ends need",
        "point": f"that variation, {shown(found.variation)}, and what the height at x {equals(found.place or A)} needs",
    }
    blocks = {
        "cost": [f"{shown(found.value)}, the smallest Σ|w| of ramps w[±(x - c)]₊ with c in [{shown(A)}, {shown(B)}]"],
        "made of": [why[found.case]],
        "support": [
            f"{len(support)} points where an optimum may have its kinks; this one has {len(at_data)}, and none has "
            f"fewer than {document['fewest_inner_kinks']} inside"
        ],
        "unique": [
            {
                None: f"not decided for more than {SMALL} points",
                True: "yes, among optima with kinks at the data",
                False: "no: optima with kinks at the data differ",
            }[unique]
        ],
        "ramps": aligned(
            ("direction", "kink", "weight"),
            found.ramps,
            lambda ramp: ("right" if ramp.side > 0 else "left", shown(ramp.kink), shown(ramp.weight)),
        ),
    }
    return Answer(document, titled(f"{len(points)} points of {points.source}", blocks), found.certificate())


def with_penalised_biases(points: Points) -> Answer:
    """Problem (4), between bounds."""
    from implicitbias.convex.biases.interpolant import bias_penalised_interpolant
    from implicitbias.convex.document import rounded_down

    found = bias_penalised_interpolant(points.x, points.y)
    strong = sorted(found.strong_units(), key=lambda unit: -unit.cost)
    lower, upper = rounded_down(found.lower, 18), -rounded_down(-found.upper, 18)
    document = {
        "schema": 1,
        "source": points.source,
        "points": len(points),
        "norm": "problem-4",
        "lower": text_of(lower),
        "upper": text_of(upper),
        "cost_decimal": repr(found.value),
        "relative_gap": float(found.gap),
        "solver": found.status,
        "units": [
            {"v": float(unit.v), "a": float(unit.a), "b": float(unit.b), "kink": _float(unit.kink)}
            for unit in found.units
        ],
    }
    blocks = {
        "cost": [
            f"between {decimal_of(lower)} and {decimal_of(upper)}, the smallest Σ|v|√(a² + b²) of units v[ax + b]₊",
            f"(certified, {float(found.gap):.1e} apart; kinks may lie anywhere)",
        ],
        "units": aligned(
            ("direction", "kink", "cost"),
            strong,
            lambda unit: (
                "constant" if not unit.a else "right" if unit.a > 0 else "left",
                "" if unit.kink is None else f"{float(unit.kink):.6g}",
                f"{float(unit.cost):.6g}",
            ),
        ),
    }
    return Answer(document, titled(f"{len(points)} points of {points.source}", blocks), found.certificate())


SMALL = 60
"""The largest number of points for which it is decided whether no other optimum has its kinks at the data."""


def read_range(text: str | None) -> tuple[Fraction, Fraction] | None:
    """A:B as numbers; None stays None."""
    if text is None:
        return None
    ends = text.split(":")
    if len(ends) != 2:
        raise DataError(f"--kinks is a range A:B, such as -1:1: got {text!r}")
    try:
        return exact(ends[0]), exact(ends[1])
    except DataError as error:
        raise DataError(f"--kinks: {error}") from None


def _float(number: Fraction | None) -> float | None:
    return None if number is None else float(number)
