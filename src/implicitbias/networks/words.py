"""An inspection as text and as JSON values."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any
from unicodedata import combining

from implicitbias.exact.rational import Interval

if TYPE_CHECKING:
    from implicitbias.networks.findings import Findings
    from implicitbias.networks.quantity import Value

SCHEMA = 1


def lines(found: Findings) -> list[str]:
    """All of it to be read: a line for each quantity, its meaning and how it was computed beside it."""
    text = [found.title, *([found.headline] if found.headline else [])]
    for section in found.sections:
        text += ["", section.title]
        name = max(len(quantity.name) for quantity in section.quantities)
        value = max((len(q.words) for q in section.quantities if len(q.words) <= WIDE), default=0)
        for quantity in section.quantities:
            said = "; ".join(filter(None, (quantity.formula, quantity.note)))
            marks = sum(map(bool, map(combining, quantity.name)))  # they take no room: the bar of R̄
            text.append(f"  {quantity.name:<{name + marks}}  {quantity.words:<{value}}  {said}".rstrip())
    if found.remarks:
        text += ["", *(f"Note: {remark}" for remark in found.remarks)]
    return text


WIDE = 28
"""Values that are longer do not widen their column."""


def document(found: Findings) -> dict[str, Any]:
    """Everything: a Fraction as text, exactly; what is enclosed as bounds."""
    net, origin = found.network, found.network.origin
    return {
        "schema": SCHEMA,
        "network": {
            "source": origin.source,
            "form": origin.form,
            "dtype": origin.dtype,
            "inputs": net.inputs,
            "units": list(net.widths),
            "outputs": net.outputs,
            "parameters": net.parameters,
        },
        "remarks": list(found.remarks),
        "sections": [
            {
                "title": section.title,
                "quantities": {
                    q.key: {"value": as_json(q.value), "formula": q.formula, "note": q.note} for q in section.quantities
                },
            }
            for section in found.sections
        ],
    }


def as_json(value: Value) -> Any:
    """A value for programs.

    >>> as_json(Fraction(1, 3)), as_json(Interval(Fraction(1), Fraction(3, 2)))
    ({'exact': '1/3', 'about': 0.3333333333333333}, {'at_least': '1', 'at_most': '3/2'})
    """
    match value:
        case Fraction():
            return {"exact": _text(value), "about": _about(value)}
        case Interval():
            return {"at_least": _text(value.lower), "at_most": _text(value.upper)}
        case tuple():
            return [as_json(entry) for entry in value]
    return value


def _text(number: Fraction) -> str:
    """p/q, of any length."""
    from flint import fmpq

    return str(fmpq(number.numerator, number.denominator))


def _about(number: Fraction) -> float | None:
    try:
        return float(number)
    except OverflowError:
        return None
