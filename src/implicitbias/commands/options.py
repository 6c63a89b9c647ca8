"""The options that several commands share, spelled once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from implicitbias.claims.check import Budget
from implicitbias.errors import CertificateError, UserError
from implicitbias.report import FORMATS, TERMINAL


class Device(StrEnum):
    """Where networks are trained."""

    CPU = "cpu"
    CUDA = "cuda"


def reachable(path: Path | None) -> Path | None:
    """A path option as it is. Raises UserError for what the system cannot even look up: a name that is too long, a
    circle of links, the home folder of nobody."""
    try:
        if path is not None:
            path.expanduser().resolve().exists()
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UserError(f"{path} is no path of a file or folder: {reason}") from None
    return path


def ids(incomplete: str) -> list[str]:
    """The papers, and with one before a dot the ids of its claims, for the shell to complete."""
    from implicitbias.claims.catalogue import load

    catalogue = load()
    papers = [paper.key for paper in catalogue.papers]
    names = [claim.id for claim in catalogue.claims] if incomplete.partition(".")[0] in papers else papers
    return [name for name in names if name.startswith(incomplete)]


Globs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GLOB...",
        help="Ids of claims, patterns ('*theorem*') or papers; all claims if none is given.",
        autocompletion=ids,
    ),
]
ClaimId = Annotated[
    str, typer.Argument(metavar="CLAIM", help="The id of a claim: see `implicitbias list`.", autocompletion=ids)
]
ClaimsFolder = Annotated[
    Path | None,
    typer.Option(
        "--claims",
        metavar="FOLDER",
        callback=reachable,
        help="Read the claims of this folder instead of the shipped theory.",
    ),
]
LedgerFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="FILE",
        envvar="IMPLICITBIAS_LEDGER",
        callback=reachable,
        help="Where results are kept, instead of the user data folder.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]

# How checks are run

BudgetOption = Annotated[
    Budget,
    typer.Option("--budget", help="quick: minutes; full: an hour or two; paper: the papers' own sizes, hours."),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="The source of every random choice.")]
DeviceOption = Annotated[Device, typer.Option("--device", help="Where networks are trained.")]
Workers = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", min=1, help="Worker processes, by default one per core."),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit", metavar="SECONDS", help="End any check or job that takes longer, instead of its own limit."
    ),
]

# Data

PointsFile = Annotated[
    str, typer.Argument(metavar="DATA.csv", help="A CSV file of points, x increasing; - for standard input.")
]
XColumn = Annotated[str | None, typer.Option("--x", metavar="COLUMN", help="Name or position of x [default: 1].")]
YColumn = Annotated[str | None, typer.Option("--y", metavar="COLUMN", help="Name or position of y [default: 2].")]


def _not_standard_output(certificate: Path | None) -> Path | None:
    if str(certificate) == "-":
        raise CertificateError("standard output carries the results: name a file for the certificate")
    return reachable(certificate)


CertificateFile = Annotated[
    Path | None,
    typer.Option(
        "--certificate",
        metavar="FILE",
        callback=_not_standard_output,
        help="Write the proof for `check-certificate`.",
    ),
]
Kinks = Annotated[
    str | None,
    typer.Option(
        "--kinks",
        metavar="A:B",
        help="Where the kinks of ramps may lie [default: -1:1 if the data do, else from the first to the last x].",
    ),
]
Weight = Annotated[
    str | None, typer.Option("--weight", metavar="LAW", help='Law of the weights: "normal(0,1)", "binary(1)".')
]
Bias = Annotated[
    str | None, typer.Option("--bias", metavar="LAW", help='Law of the biases: "uniform(-2,2)", "laplace(0,1)".')
]
Joint = Annotated[
    str | None,
    typer.Option("--joint", metavar="LAW", help='Law of both instead: "pytorch()", "correlated_normal(1.5,0.7,0.6)".'),
]
At = Annotated[
    list[str] | None,
    typer.Option("--at", metavar="X...", help="Points, taken exactly as written: --at 0 0.1 -1/3."),
]
MoreAt = Annotated[list[str] | None, typer.Argument(metavar="X...", help="Further points for --at.")]

NUMBERS_MAY_BE_NEGATIVE = {"ignore_unknown_options": True}
"""The context settings of a command with `At` and `MoreAt`: -0.5 after --at is a number, not an option."""


def belong(options: Mapping[str, object], to: str, fits: bool) -> None:
    """Refuse options that were given where they have no meaning. Raises UserError, naming them."""
    given = [name for name, value in options.items() if value is not None and value is not False]
    if given and not fits:
        several = len(given) > 1
        verb, them = ("belong", "them") if several else ("belongs", "it")
        raise UserError(f"{' and '.join(given)} {verb} to {to}: leave {them} out")


def refuse_unknown(words: list[str], command: str) -> None:
    """With `NUMBERS_MAY_BE_NEGATIVE` unknown options arrive among the arguments. Raises UserError for one."""
    for word in words:
        if word.startswith("-") and (word[1:2] == "-" or word[1:2].isalpha()):
            raise UserError(f"there is no option {word}: see implicitbias {command} --help")


def with_report_files(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option `--FORMAT FILE` per format of reports; its parameter `files` gets them by format."""
    options = [
        inspect.Parameter(
            form,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                Path | None,
                typer.Option(
                    f"--{form}",
                    metavar="FILE",
                    callback=reachable,
                    help=f"Write {what} to this file; - is standard output.",
                ),
            ],
        )
        for form, what in FORMATS.items()
        if form != TERMINAL
    ]
    signature = inspect.signature(command, eval_str=True)
    parameters = [p for p in signature.parameters.values() if p.name != "files"] + options

    @functools.wraps(command)
    def with_files(**given: Any) -> None:
        command(files={option.name: given.pop(option.name) for option in options}, **given)

    with_files.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_files.__annotations__ = {p.name: p.annotation for p in parameters}
    return with_files
