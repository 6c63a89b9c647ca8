"""`implicitbias check-certificate FILE`: run the small trusted checker."""

from __future__ import annotations

from typing import Annotated

import typer

from implicitbias.commands.options import AsJson
from implicitbias.commands.output import print_json, say
from implicitbias.errors import CertificateError


def check_certificate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A certificate, such as `interpolate` writes.")],
    as_json: AsJson = False,
) -> None:
    """Recompute everything a certificate says, in integers.

    The checker is a folder of its own, `certificate`, that needs Python's standard library alone: copied anywhere,
    `python certificate/kernel.py FILE` says the same.
    Exit codes: 0 valid; 1 refused, with the reason; 2 not readable as a certificate.
    """
    from implicitbias.certificate import kernel

    try:
        outcome = kernel.check_file(file)
    except kernel.UnreadableError as error:
        raise CertificateError(f"{file} cannot be read as a certificate: {error}") from None
    if as_json:
        print_json({"schema": 1, "valid": outcome.valid, "reason": outcome.reason, "statement": outcome.statement})
    else:
        say(f"valid: {outcome.statement}" if outcome.valid else f"refused: {outcome.reason}")
    if not outcome.valid:
        raise typer.Exit(1)
