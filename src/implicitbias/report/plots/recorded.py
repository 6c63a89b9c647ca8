"""The curves that a check has recorded, a plot for each quantity.

A curve's role says what is drawn: "case: quantity by variable" names both axes and the series; "series, case" is a
function of x, a plot for each case; anything else is a function of x.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from implicitbias.claims.evidence import Curve
from implicitbias.report.plots import slope
from implicitbias.report.plots.plot import Plot, Series

BY = re.compile(r"(?:(?P<case>.+?): )?(?P<quantity>.+) by (?P<variable>.+)")
OF_X = "a function of x"


def recorded(curves: Sequence[Curve], against: Plot | None = None) -> Iterator[Plot]:
    """`against`: the plot of observed and claimed; curves at its places along a power share its axes and its slope."""
    plots: dict[tuple[str, str, str], list[Series]] = {}
    for curve in curves:
        title, x_label, y_label, label = _told(curve.role)
        points = tuple(zip(curve.x, curve.y, strict=True))
        found = plots.setdefault((title, x_label, y_label), [])
        found.append(Series(label, "curve", points, curve.style == "line"))
    for (title, x_label, y_label), series in plots.items():
        points_of = [point for one in series for point in one.points]
        if len({x for x, _ in points_of}) < 2:
            continue
        claimed = _rate(against, {x for x, _ in points_of})
        fits = [slope.fitted(one.points, claimed) for one in series] if claimed is not None else []
        named = [replace(f, label=f"{f.label} ({one.label})") for f, one in zip(fits, series, strict=False) if f]
        logarithmic = bool(named) or slope.is_wide(points_of)
        # Points last, so that lines do not hide them.
        ordered = (*sorted(series, key=lambda one: not one.line), *named)
        yield Plot(title, x_label, y_label, ordered, logarithmic, logarithmic)


def _rate(against: Plot | None, places: set[float]) -> float | None:
    """The claimed power, if there is one along the same places."""
    claimed = [one for one in against.series if one.role == "claim"] if against and against.x_log else []
    if len(claimed) == 1 and {x for x, _ in claimed[0].points} <= places:
        return slope.power(claimed[0].points)
    return None


def _told(role: str) -> tuple[str, str, str, str]:
    """Title, labels of both axes, and the name of the series.

    >>> _told("gauss: distance by width"), _told("data, ramp")
    (('distance by width', 'width', 'distance', 'gauss'), ('ramp', 'x', 'f(x), ramp', 'data'))
    """
    if found := BY.fullmatch(role):
        quantity, variable = found["quantity"], found["variable"]
        return f"{quantity} by {variable}", variable, quantity, found["case"] or quantity
    series, _, case = role.rpartition(", ")
    return (case, "x", f"f(x), {case}", series) if series else ("functions", "x", "f(x)", role)
