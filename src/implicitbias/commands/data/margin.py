"""`implicitbias margin DATA.csv`: the classifier of largest margin, its value between certified bounds."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from implicitbias.commands.data.answers import give
from implicitbias.commands.data.margin_flow import Asked, Branch, Loss
from implicitbias.commands.options import AsJson, CertificateFile, Kinks, XColumn, belong
from implicitbias.commands.output import remark


class MarginNorm(StrEnum):
    """What is minimised."""

    GROUP = "group"
    TV = "tv"


Data = Annotated[str, typer.Argument(metavar="DATA.csv", help="A CSV file of points and labels; - for standard input.")]
Label = Annotated[
    str | None,
    typer.Option(
        "--label", metavar="COLUMN", help="Name or position of the labels [default: the column label, else 2]."
    ),
]
Bins = Annotated[
    int | None,
    typer.Option(
        "--bins",
        metavar="K",
        help="Turn numbers in the label column into K classes, the nearest of K midpoints from 0 to 1 (numbers outside "
        "[0, 1] are scaled to it).",
    ),
]
NormOption = Annotated[
    MarginNorm,
    typer.Option(
        "--norm",
        help="group: Σ‖w‖ of ramps, one input. tv: Σ|c|√(|a|² + b²) of units c[a·x + b]₊, two classes, any number of "
        "inputs: all columns but y, or but the last; --x a,b chooses some.",
    ),
]
Flow = Annotated[
    bool,
    typer.Option("--flow", help="Follow gradient flow in w, b and v to a KKT point, and compare it with the optimum."),
]
Width = Annotated[
    int | None,
    typer.Option("--width", metavar="K", min=1, max=10**6, help="With --flow: units of the network [default: 100]."),
]
SeedOfFlow = Annotated[
    int | None, typer.Option("--seed", metavar="N", min=0, help="With --flow: the seed of its start [default: 0].")
]
LossOption = Annotated[Loss | None, typer.Option("--loss", help="With --flow: its loss [default: logistic].")]
BranchOption = Annotated[
    Branch | None,
    typer.Option(
        "--branch",
        help="With --flow: what becomes of a unit that a point pushes off to both sides [default: active].",
    ),
]
Positive = Annotated[
    str | None,
    typer.Option("--positive", metavar="WORD", help="With --flow: the label +1 [default: the later in the alphabet]."),
]


def margin(
    data: Data,
    x: XColumn = None,
    label: Label = None,
    bins: Bins = None,
    kinks: Kinks = None,
    norm: NormOption = MarginNorm.GROUP,
    flow: Flow = False,
    width: Width = None,
    seed: SeedOfFlow = None,
    loss: LossOption = None,
    branch: BranchOption = None,
    positive: Positive = None,
    certificate: CertificateFile = None,
    as_json: AsJson = False,
) -> None:
    """The two-layer ReLU classifier of smallest group norm with margin 1, and the proof that none is smaller.

    Minimises Σ‖w‖ over f(x) = Σ w[±(x - c)]₊ with values in R^k, so that the score of the right class exceeds every
    other by 1 at every point: problem (10) of Stewart et al. (2022). The value is printed between bounds that are exact
    rationals, and nothing is printed before the trusted checker has accepted the certificate. Labels may be words.
    Exit code 3 if the bounds are further apart than 1e-8 of the value. With --norm tv another norm, that of problem
    (20) of de Dios & Bruna (2020): f >= 1 at one of two classes, f <= -1 at the other.

    With --flow, for two classes: another problem, min ½Σ(w² + b² + v²) over f(x) = Σ v[wx + b]₊ with y f(x) >= 1
    (Safran et al. 2022, problem (4)). Gradient flow is followed until all margins are large, a zero-temperature
    surrogate of its late phase from there to a KKT point, which is certified and compared with the certified global
    optimum. Each stage takes at most 3000 steps. Exit code 3 where no KKT point is certified.
    """
    of_flow = {"--width": width, "--seed": seed, "--loss": loss, "--branch": branch, "--positive": positive}
    belong(of_flow, "--flow", flow)
    belong({"--flow": flow}, "--norm group", norm is MarginNorm.GROUP)
    belong({"--bins": bins, "--kinks": kinks}, "--norm group without --flow", norm is MarginNorm.GROUP and not flow)
    if norm is MarginNorm.TV:
        from implicitbias.commands.data.interpolating.total_variation import of_largest_margin
        from implicitbias.data.table import read_table

        answer = of_largest_margin(read_table(data, [] if x is None else x.split(","), label, classes=True))
    else:
        from implicitbias.commands.data.margin_flow import of_gradient_flow
        from implicitbias.commands.data.margin_group import of_least_group_norm
        from implicitbias.data.points import read_labelled

        points = read_labelled(data, x, label)
        if points.repeated:
            remark(f"{points.repeated} repeated points are counted once")
        if flow:
            asked = Asked(width or 100, seed or 0, loss or Loss.LOGISTIC, branch or Branch.ACTIVE)
            answer = of_gradient_flow(points, positive, asked)
        else:
            answer = of_least_group_norm(points, bins, kinks)
    give(answer, as_json, certificate)
