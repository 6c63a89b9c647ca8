"""The options that several commands share, spelled once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from implicitbias.claims.check import Budget


class Device(StrEnum):
    """Where networks are trained."""

    CPU = "cpu"
    CUDA = "cuda"


Globs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GLOB", help="Ids of claims, patterns ('*theorem*') or papers; all claims if none is given."
    ),
]
ClaimId = Annotated[str, typer.Argument(metavar="CLAIM", help="The id of a claim: see `implicitbias list`.")]
ClaimsFolder = Annotated[
    Path | None,
    typer.Option("--claims", metavar="FOLDER", help="Read the claims of this folder instead of the shipped theory."),
]
LedgerFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="FILE",
        envvar="IMPLICITBIAS_LEDGER",
        help="Where results are kept, instead of the user data folder.",
    ),
]
XColumn = Annotated[str | None, typer.Option("--x", metavar="COLUMN", help="Name or position of x [default: 1].")]
YColumn = Annotated[str | None, typer.Option("--y", metavar="COLUMN", help="Name or position of y [default: 2].")]
CertificateFile = Annotated[
    Path | None, typer.Option("--certificate", metavar="FILE", help="Write the proof for `check-certificate`.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]
BudgetOption = Annotated[
    Budget,
    typer.Option("--budget", help="quick: minutes; full: an hour or two; paper: the papers' own sizes, hours."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Every random choice comes from it.")]
DeviceOption = Annotated[Device, typer.Option("--device", help="Where networks are trained.")]
Workers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Processes that compute; as many as there are cores by default.")
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="SECONDS", help="Ends any check or job that takes longer; each has its own."),
]
