"""`implicitbias zeta --weight "normal(0,1)" --bias "uniform(-2,2)" --at 0 0.5 1`: what curvature costs, 1/zeta."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from implicitbias.commands.data.answers import Answer, give
from implicitbias.commands.options import (
    NUMBERS_MAY_BE_NEGATIVE,
    AsJson,
    At,
    Bias,
    Joint,
    MoreAt,
    Weight,
    refuse_unknown,
)
from implicitbias.errors import DataError, UserError

if TYPE_CHECKING:
    from implicitbias.exact.rational import Interval
    from implicitbias.laws.joint.joint_law import Initialisation

CONTEXT = NUMBERS_MAY_BE_NEGATIVE

DIGITS, PENALTY_DIGITS = 20, 12
"""Most significant digits of zeta and of 1/zeta."""


Laws = Annotated[bool, typer.Option("--laws", help="List the laws that are known, and stop.")]


def zeta(
    more: MoreAt = None,
    weight: Weight = None,
    bias: Bias = None,
    joint: Joint = None,
    at: At = None,
    laws: Laws = False,
    as_json: AsJson = False,
) -> None:
    """What a wide ReLU network pays for curvature after this initialisation: ∫ f''(x)²/ζ(x) dx.

    ζ(x) = E[W² | C = x] p_C(x), with C = -B/W where a neuron [W x + B]₊ has its kink (Jin & Montúfar 2021,
    Proposition 7). The digits shown are certified by quadrature in ball arithmetic.
    """
    if laws:
        give(Answer({"schema": 1, "laws": [entry for _, table in _tables() for entry in table]}, known_laws()), as_json)
        return
    points = [*(at or []), *(more or [])]
    refuse_unknown(points, "zeta")
    if joint is None and (weight is None or bias is None):
        raise UserError(
            'give --weight and --bias, or --joint: zeta --weight "normal(0,1)" --bias "uniform(-2,2)" --at 0'
        )
    if joint is not None and (weight is not None or bias is not None):
        raise UserError("give either --joint or --weight and --bias, not both")
    if more and not at:
        raise UserError(f"{more[0]} stands without --at: write --at {' '.join(more)}")
    from implicitbias.laws.joint.build import initialisation

    law = initialisation(joint) if joint is not None else initialisation(weight, bias)
    found = document(law, points)
    give(Answer(found, in_words(found)), as_json)


def document(law: Initialisation, points: list[str]) -> dict[str, Any]:
    """All that was found, as JSON values; null stands for infinity."""
    form = law.closed_form
    return {
        "schema": 1,
        "law": law.text,
        "symmetric": law.symmetric,
        "support": [[_finite(end) for end in interval] for interval in law.support],
        "closed_form": None if form is None else {"formula": form.formula, "where": form.where or None},
        "values": [value_at(law, point) for point in points],
        "moments": {
            "weight_second_moment": _moment(law, 2, 0),
            "mixed_second_moment": _moment(law, 1, 1),
            "bias_second_moment": _moment(law, 0, 2),
        },
    }


def value_at(law: Initialisation, point: str) -> dict[str, Any]:
    """zeta and 1/zeta at a point, with an interval that certainly holds zeta."""
    from implicitbias.commands.data.enclosures import decimal_interval
    from implicitbias.exact.rational import exact

    try:
        x = exact(point)
        float(x)
    except DataError as error:
        raise DataError(f"--at: {error}") from None
    except OverflowError:
        raise DataError(f"--at: {point} is beyond what a double can hold") from None
    enclosure, rational = law.zeta_enclosure(x), law.zeta_exact(x)
    if rational is not None and not enclosure.contains(rational):
        raise AssertionError(f"the closed form and the quadrature disagree at {point}")
    middle = rational if rational is not None else (enclosure.lower + enclosure.upper) / 2
    share = law.right_share(float(x))
    return {
        "x": point,
        "zeta": float(middle),
        "exact": None if rational is None else str(rational),
        "digits": certain_digits(enclosure, rational),
        "enclosure": list(decimal_interval(enclosure if rational is None else rational)),
        "penalty": float(1 / middle) if middle > Fraction(1, 10**300) else None,
        "penalty_digits": penalty_digits(enclosure, rational),
        "right_share": None if math.isnan(share) else share,
    }


def certain_digits(enclosure: Interval, rational: Fraction | None, most: int = DIGITS) -> str:
    """The decimal that both ends of the interval round to, as long as it is certain.

    >>> from implicitbias.exact.rational import Interval
    >>> certain_digits(Interval(Fraction(33333, 100000), Fraction(33334, 100000)), None)
    '0.3333'
    """
    from implicitbias.exact.rational import decimal_text

    if rational is not None:
        return decimal_text(rational, most)
    if enclosure.upper < Fraction(1, 10**300):
        return "0"
    for digits in range(most, 0, -1):
        low, high = decimal_text(enclosure.lower, digits), decimal_text(enclosure.upper, digits)
        if low == high:
            return low
    return f"between {decimal_text(enclosure.lower, 3)} and {decimal_text(enclosure.upper, 3)}"


def penalty_digits(enclosure: Interval, rational: Fraction | None) -> str | None:
    """The same of 1/zeta, twelve digits at most; None where zeta is 0 or may be."""
    from implicitbias.exact.rational import Interval, decimal_text

    least = Fraction(1, 10**300)
    if rational is not None:
        return decimal_text(1 / rational, PENALTY_DIGITS) if rational > least else None
    if enclosure.lower <= least:
        return None
    return certain_digits(Interval(1 / enclosure.upper, 1 / enclosure.lower), None, PENALTY_DIGITS)


def in_words(found: dict[str, Any]) -> list[str]:
    """The same to be read."""
    lines = [found["law"], ""]
    if found["values"]:
        rows = [("x", "ζ(x)", "1/ζ(x)")]
        for value in found["values"]:
            penalty = value["penalty_digits"] or ("∞" if value["penalty"] is None else "uncertain")
            fraction = value["exact"]
            shown = value["digits"] + (f" = {fraction}" if fraction and "/" in fraction and len(fraction) < 30 else "")
            rows.append((value["x"], shown, penalty))
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines += [
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        lines.append("")
    form = found["closed_form"]
    if form is not None:
        where = f"  {form['where']}" if form["where"] else ""
        lines.append(f"  closed form  ζ(x) = {form['formula']}{where}")
    support = " ∪ ".join(_interval(low, high) for low, high in found["support"])
    moments = found["moments"]
    lines += [
        f"  supp ζ       {support}",
        f"  E[W²] = ∫ζ   {_shown(moments['weight_second_moment'])}",
        f"  E[WB]        {_shown(moments['mixed_second_moment'])}",
        f"  E[B²] = ∫ζx² {_shown(moments['bias_second_moment'])}",
    ]
    if not found["symmetric"]:
        lines.append("  (W, B) and (-W, -B) differ in law: the shares of W < 0 and W > 0 count, see --json")
    if None in (moments["weight_second_moment"], moments["bias_second_moment"]):
        lines.append("  A second moment is infinite: the kernel of the wide network does not exist.")
    return lines


def known_laws() -> list[str]:
    """Every law with its parameters and the first line of what it says."""
    lines = []
    for title, table in _tables():
        width = max(len(entry["law"]) for entry in table)
        lines += [title, *(f"  {entry['law']:<{width}}  {entry['says']}".rstrip() for entry in table), ""]
    return lines[:-1]


def _tables() -> list[tuple[str, list[dict[str, str]]]]:
    from implicitbias.laws.joint.build import INITIALISATIONS
    from implicitbias.laws.one.table import LAWS
    from implicitbias.laws.one.text import signature

    tables = (("Laws of the weights or of the biases:", LAWS), ("Joint laws (--joint):", INITIALISATIONS))
    return [
        (
            title,
            [
                {"law": signature(name, build), "says": (build.__doc__ or "").split("\n")[0]}
                for name, build in table.items()
            ],
        )
        for title, table in tables
    ]


def _moment(law: Initialisation, j: int, k: int) -> float | None:
    try:
        return law.moment(j, k)
    except DataError:
        return None


def _finite(end: float) -> float | None:
    return end + 0.0 if math.isfinite(end) else None


def _interval(low: float | None, high: float | None) -> str:
    left = "(-∞" if low is None else f"[{low:.12g}"
    right = "∞)" if high is None else f"{high:.12g}]"
    return f"{left}, {right}"


def _shown(moment: float | None) -> str:
    return "infinite or undefined" if moment is None else f"{moment:.12g}"
