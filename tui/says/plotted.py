"""The plot of a check's evidence: its curves, otherwise what was observed at its instances."""

from __future__ import annotations

from collections.abc import Sequence

from implicitbias.claims.evidence import Evidence
from implicitbias.judging.conjecture import as_float
from implicitbias.report.typeset import symbol

from .canvas import Series
from .wording import ACCENT, BLUE, RED

Plot = tuple[list[Series], str]
"""The series and the label of the x-axis."""

Column = tuple[str, list[float | None], str]
"""A label, a value per instance, a tone."""

Pairs = Sequence[tuple[float | None, float | None]]


def evidence(found: Evidence, symbols: Sequence[str]) -> Plot:
    """The curves if there are any, otherwise the observed numbers."""
    if found.curves:
        # Points last, so that lines do not hide them.
        ordered = sorted(found.curves, key=lambda curve: curve.style == "points")
        return [Series(curve.role, curve.x, curve.y, curve.style) for curve in ordered], "x"
    observed = [as_float(instance.observed) for instance in found.instances]
    return _at_instances(found, symbols, [("observed", observed, BLUE)])


def conjecture(found: Evidence, symbols: Sequence[str], pairs: Pairs, rejected: bool) -> Plot:
    """What was observed at each instance together with what a conjecture says."""
    observed = [seen for seen, _ in pairs]
    says = [said for _, said in pairs]
    tone = RED if rejected else ACCENT
    return _at_instances(found, symbols, [("observed", observed, BLUE), ("your formula says", says, tone)])


def _at_instances(found: Evidence, symbols: Sequence[str], columns: Sequence[Column]) -> Plot:
    """Against the symbol if there is only one; otherwise against the rank of what was observed."""
    axis = [as_float(i.given.get(symbols[0])) for i in found.instances] if len(symbols) == 1 else []
    by_symbol = bool(axis) and all(value is not None for value in axis)
    first = columns[0][1] if columns else []
    order = sorted(range(len(first)), key=lambda i: (first[i] is None, first[i] or 0.0))
    series = []
    for label, values, tone in columns:
        points = [
            (axis[i] if by_symbol else float(number), values[i])
            for number, i in enumerate(order, 1)
            if values[i] is not None
        ]
        if points:
            series.append(Series(label, [x for x, _ in points], [y for _, y in points], "points", tone))  # type: ignore[misc]
    return series, symbol(symbols[0]) if by_symbol else "instances, by what was observed"
