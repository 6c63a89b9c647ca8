"""The plots of a check as charts: the same series as on the page, each role in its own tone and mark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from implicitbias.claims.statement import Claim
from implicitbias.judging.result import Result
from implicitbias.report.plots import plots
from implicitbias.report.plots.against import CLAIMED
from implicitbias.report.plots.plot import RESIDUALS, Plot
from implicitbias.report.plots.plot import Series as Told
from implicitbias.report.prose import prose

from .canvas import Chart, Series
from .wording import BLUE, CYAN, DIM, GREEN, RED, YELLOW

LOOKS = {
    "observed": (BLUE, ""),
    "run": (DIM, "·"),
    "claim": (GREEN, "○"),
    "fit": (CYAN, ""),
    "printed": (RED, "×"),
    "control": (YELLOW, "+"),
    "curve": ("", ""),
}
"""Tone and mark of each role; curves are told apart by their place."""

GROUPS = "●◆▲■"
"""The marks of groups of observations."""

Values = Sequence[float | None]


def charts(claim: Claim, result: Result, *, judged: bool = True) -> list[Chart]:
    """All that can be plotted of the check. `judged`: with what the claim and its neighbours say."""
    return [_chart(plot, judged) for plot in plots(claim, result) if judged or not _needs_claim(plot)]


def _needs_claim(plot: Plot) -> bool:
    return plot.title == RESIDUALS or plot.x_label == CLAIMED


def conjecture(claim: Claim, result: Result, says: Values) -> list[Chart]:
    """What was observed and claimed together with what a conjecture says of each instance."""
    return [_chart(plot, True) for plot in plots(claim, result, ("your formula says", says))[:1]]


def _chart(plot: Plot, judged: bool) -> Chart:
    return Chart(
        series=[series for told, series in _series(plot) if judged or told.role in ("observed", "run", "curve")],
        x_label=prose(plot.x_label),
        y_label=prose(plot.y_label),
        note=plot.note if judged else "",
        box=plot.box(),
        x_log=plot.x_log,
        y_log=plot.y_log,
        low=plot.title == RESIDUALS,
    )


def _series(plot: Plot) -> Iterator[tuple[Told, Series]]:
    groups = iter(GROUPS)
    for told, points, spread in plot.drawn():
        tone, mark = LOOKS[told.role]
        mark = next(groups) if told.role == "observed" else mark
        x, y = zip(*points, strict=True)
        yield told, Series(told.label, x, y, "line" if told.line else "points", tone, mark, spread)
