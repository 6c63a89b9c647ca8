"""What a command writes: results on standard output or in files (`-` is standard output), remarks on standard error.

Whatever it writes is printable (`implicitbias.report.printable`): no other module writes on these streams.
"""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import os
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

import typer

from implicitbias.errors import UserError
from implicitbias.report.printable import printable


def say(text: str = "") -> None:
    """Print a result."""
    typer.echo(printable(text))


PATIENCE_FOR_A_READER = 5.0
"""Seconds to wait for something that reads from a named pipe."""

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


def opened(file: Path) -> TextIO:
    """The file, opened to be written in UTF-8; a named pipe as soon as something reads from it.

    Raises UserError for a pipe from which nothing does; OSError.
    """
    if not file.is_fifo():
        return file.open("w", encoding="utf-8")
    end = time.monotonic() + PATIENCE_FOR_A_READER
    while True:
        try:
            pipe = os.open(file, os.O_WRONLY | os.O_NONBLOCK)  # without the flag it waits for a reader, however long
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > end:
                raise UserError(f"cannot write {file}: it is a pipe that nobody reads from; name a file") from None
            time.sleep(0.02)
        else:
            os.set_blocking(pipe, True)
            return os.fdopen(pipe, "w", encoding="utf-8")


@contextlib.contextmanager
def writing(file: Path) -> Iterator[TextIO]:
    """A stream to write to, in UTF-8."""
    if str(file) == "-":
        yield sys.stdout
        return
    check_writable(file)
    try:
        with opened(file) as stream:
            yield stream
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None
