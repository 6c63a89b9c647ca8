"""`implicitbias check-certificate FILE`: run the small trusted checker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from implicitbias.commands.options import AsJson, XColumn, belong
from implicitbias.commands.output import FAULT, print_json, remark, say
from implicitbias.errors import CertificateError, DataError, UserError

if TYPE_CHECKING:
    from implicitbias.certificate.kernel import Outcome
    from implicitbias.commands.data.same_data import Columns

DataFile = Annotated[
    str | None,
    typer.Option(
        "--data",
        metavar="DATA.csv",
        help="Refuse the certificate unless it is about the points of this file; - for standard input.",
    ),
]
Y = Annotated[str | None, typer.Option("--y", metavar="COLUMN", help="With --data: name or position of y.")]
Label = Annotated[
    str | None, typer.Option("--label", metavar="COLUMN", help="With --data: name or position of the classes.")
]
Bins = Annotated[
    int | None, typer.Option("--bins", metavar="K", help="With --data: turn numbers into K classes, as `margin` does.")
]


def check_certificate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A certificate, such as `interpolate` writes.")],
    data: DataFile = None,
    x: XColumn = None,
    y: Y = None,
    label: Label = None,
    bins: Bins = None,
    as_json: AsJson = False,
) -> None:
    """Recompute everything a certificate says, in integers.

    A certificate says which points it is about. With --data a valid one is refused where these are not the points of
    your own file, read as the command reads them that wrote it; rows may have another order, classes other names.
    The checker needs Python's standard library alone: `implicitbias write-checker FILE` writes it as one file.
    Exit codes: 0 valid; 1 refused, with the reason; 2 not readable as a certificate, or as data; 4 the checker failed.
    """
    from implicitbias.certificate import kernel
    from implicitbias.data.source import contents

    if file == data == "-":
        raise UserError(
            "the certificate and the data cannot both come from standard input: name a file for one of them"
        )
    belong({"--x": x, "--y": y, "--label": label, "--bins": bins}, "--data", data is not None)
    try:
        outcome = kernel.check_text(contents(file, "a certificate, or - for standard input", kernel.MAX_BYTES))
    except (DataError, kernel.UnreadableError) as error:
        raise CertificateError(f"{file} cannot be read as a certificate: {error}") from None
    if outcome.fault:
        remark(f"implicitbias: {file}: {outcome.reason}")
        raise typer.Exit(FAULT)
    differs = ""
    if data is not None and outcome.valid:
        from implicitbias.commands.data.same_data import Columns

        differs = _other_data(outcome, data, Columns(x, y, label, bins))
    valid = outcome.valid and not differs
    if as_json:
        document = {"schema": 1, "valid": valid, "reason": outcome.reason or differs}
        print_json({**document, "statement": outcome.statement if valid else "", "data": data})
    elif valid:
        bound = "" if data is None else f"for the data of {data}. "
        say(f"valid: {bound}{outcome.statement}")
    else:
        say(f"refused: {outcome.reason or differs}")
    if not valid:
        raise typer.Exit(1)


def _other_data(outcome: Outcome, file: str, columns: Columns) -> str:
    """Why the certificate is not about the data of the file; "" if it is."""
    from implicitbias.commands.data.same_data import difference

    if outcome.data is None:
        return f"the certificate is valid, but about no data, and so not about {file}"
    differs = difference(outcome.kind, outcome.data, file, columns)
    return f"the certificate is valid, but about other data: {differs}" if differs else ""
