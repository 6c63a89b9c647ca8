"""The plot of a check's evidence: its curves, otherwise what was observed at its instances and what the claim says."""

from __future__ import annotations

from collections.abc import Sequence

from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Claim
from implicitbias.judging.beside import beside
from implicitbias.judging.conjecture import as_float
from implicitbias.report.judged import AT_MOST
from implicitbias.report.typeset import symbol

from .canvas import Series, Style
from .wording import ACCENT, BLUE, GREEN, RED

Plot = tuple[list[Series], str]
"""The series and the label of the x-axis."""

Column = tuple[str, list[float | None], str, Style]
"""A label, a value per instance, a tone, and how it is drawn."""

Pairs = Sequence[tuple[float | None, float | None]]


def evidence(claim: Claim, found: Evidence, *, judged: bool = True) -> Plot:
    """The curves if there are any; otherwise what was observed, over lines of what the claim and the printed form say.

    judged  with these lines
    """
    if found.curves:
        # Points last, so that lines do not hide them.
        ordered = sorted(found.curves, key=lambda curve: curve.style == "points")
        return [Series(curve.role, curve.x, curve.y, curve.style) for curve in ordered], "x"
    symbols = tuple(claim.symbols)
    relations = {instance.relation for instance in found.instances}
    bound = AT_MOST[relations.pop()].strip() if len(relations) == 1 else ""
    columns: list[Column] = []
    for label, candidate, tone in (("the claim says", claim.formula, GREEN), ("as printed", claim.printed, RED)):
        if judged and candidate is not None:
            says = [as_float(one.says) for one in beside(found.instances, candidate, symbols)]
            columns.append((f"{label} {bound}".strip(), says, tone, "line"))
    observed = [as_float(instance.observed) for instance in found.instances]
    return _at_instances(found, symbols, [*columns, ("observed", observed, BLUE, "points")])


def conjecture(found: Evidence, symbols: Sequence[str], pairs: Pairs, rejected: bool) -> Plot:
    """What was observed at each instance together with what a conjecture says."""
    observed = [seen for seen, _ in pairs]
    says = [said for _, said in pairs]
    tone = RED if rejected else ACCENT
    return _at_instances(
        found, symbols, [("observed", observed, BLUE, "points"), ("your formula says", says, tone, "points")]
    )


def _at_instances(found: Evidence, symbols: Sequence[str], columns: Sequence[Column]) -> Plot:
    """Against the symbol if there is only one, in its order; otherwise against the rank of what was observed."""
    axis = [as_float(i.given.get(symbols[0])) for i in found.instances] if len(symbols) == 1 else []
    by_symbol = bool(axis) and all(value is not None for value in axis)
    first = next((values for label, values, *_ in columns if label == "observed"), [])
    along = axis if by_symbol else first
    order = sorted(range(len(first)), key=lambda i: (along[i] is None, along[i] or 0.0))
    series = []
    for label, values, tone, style in columns:
        points = [
            (axis[i] if by_symbol else float(number), values[i])
            for number, i in enumerate(order, 1)
            if values[i] is not None
        ]
        if points:
            series.append(Series(label, [x for x, _ in points], [y for _, y in points], style, tone))  # type: ignore[misc]
    return series, symbol(symbols[0]) if by_symbol else "instances, by what was observed"
