"""The options that several commands share, spelled once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]
