"""What can be plotted of a check, computed once for the terminal, the page and the pictures."""

from __future__ import annotations

from implicitbias.claims.statement import Claim
from implicitbias.judging.result import Result
from implicitbias.report.plots.against import Beside, against_claim
from implicitbias.report.plots.plot import Plot
from implicitbias.report.plots.recorded import recorded
from implicitbias.report.plots.runs import single_runs


def plots(claim: Claim, result: Result, other: Beside | None = None) -> tuple[Plot, ...]:
    """Observed against claimed, residuals, single runs, and recorded curves; none where nothing is a number.

    other  stands in the place of the printed form and the control
    """
    found = tuple(against_claim(claim, result, other))
    single = single_runs(result.evidence.instances)
    return (*found, *single, *recorded(result.evidence.curves, found[0] if found else None))
