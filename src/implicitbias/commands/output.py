"""What a command writes: results on standard output or in files (`-` is standard output), remarks on standard error.

Whatever it writes is printable (`implicitbias.report.printable`): no other module writes on these streams.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

import typer

from implicitbias.errors import UserError
from implicitbias.report.printable import printable


def say(text: str = "") -> None:
    """Print a result."""
    typer.echo(printable(text))


FAULT = 4
"""The exit code where implicitbias itself failed."""


def print_json(document: Mapping[str, Any]) -> None:
    """Print a document, indented."""
    say(json.dumps(document, indent=2, ensure_ascii=False))


def remark(text: str) -> None:
    """Say on standard error what is not a result."""
    typer.echo(printable(text), err=True)


class Warnings(logging.Handler):
    """Says as a remark what the package warns of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)

    def emit(self, record: logging.LogRecord) -> None:
        remark(f"warning: {record.getMessage()}")


def check_writable(file: Path | None) -> None:
    """Raise UserError before an hour of computing rather than after it if the file cannot be written."""
    if file is None or str(file) == "-":
        return
    if file.is_dir():
        raise UserError(f"cannot write {file}: it is a folder; name a file in it")
    if not file.parent.is_dir():
        raise UserError(f"cannot write {file}: the folder {file.parent} does not exist; make it first")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise UserError(f"cannot write {file}: no permission")


@contextlib.contextmanager
def writing(file: Path) -> Iterator[TextIO]:
    """A stream to write to, in UTF-8."""
    if str(file) == "-":
        yield sys.stdout
        return
    check_writable(file)
    try:
        with file.open("w", encoding="utf-8") as stream:
            yield stream
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None
