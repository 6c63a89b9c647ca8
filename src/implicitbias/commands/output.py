"""Files that a command writes for its user: `-` is standard output."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from implicitbias.errors import UserError


def check_writable(file: Path | None) -> None:
    """Say early, before an hour of computing, that a file cannot be written."""
    if file is None or str(file) == "-":
        return
    if file.is_dir():
        raise UserError(f"cannot write {file}: it is a folder; name a file in it")
    if not file.parent.is_dir():
        raise UserError(f"cannot write {file}: there is no folder {file.parent}; make it first")
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
