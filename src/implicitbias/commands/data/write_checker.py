"""`implicitbias write-checker FILE`: the trusted checker as one file of Python, for a machine without this project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from implicitbias.commands.options import reachable


def write_checker(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", callback=reachable, help="The Python file to write, such as checker.py.")
    ],
) -> None:
    """Write the trusted checker of certificates, all kinds, as one file that needs Python's standard library alone.

    `python FILE PROOF` then says what `implicitbias check-certificate PROOF` says, with the same exit codes.
    """
    from implicitbias.commands.data.certificates import write_atomically
    from implicitbias.commands.data.one_file import checker_in_one_file
    from implicitbias.commands.output import check_writable, say

    check_writable(file)
    write_atomically(file, checker_in_one_file())
    say(f"The trusted checker: python {file} PROOF")
