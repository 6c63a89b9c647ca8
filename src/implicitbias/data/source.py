"""What a user's file, pipe or standard input holds, read within bounds of size and of waiting."""

from __future__ import annotations

import os
import select
import stat
import sys
import time
from pathlib import Path

from implicitbias.errors import DataError

STANDARD_INPUT = "-"

MOST_BYTES = 100_000_000
"""More is refused before it fills the memory: two million lines of two numbers with all their digits fit. A device such
as /dev/zero has no end."""
CHUNK = 1 << 20

PATIENCE_FOR_A_WRITER = 5.0
PATIENCE_WITH_A_WRITER = 60.0
"""Seconds to wait for a named pipe: for somebody to open it for writing, then for each next part."""


def name_of(source: str | Path) -> str:
    """How messages call it."""
    return "standard input" if str(source) == STANDARD_INPUT else str(source)


def contents(source: str | Path, wanted: str = "a CSV file, or - for standard input", most: int | None = None) -> bytes:
    """The bytes of a file, or of standard input where the source is `-`.

    wanted  what to give instead, for messages
    most    the number of bytes that are read, by default `MOST_BYTES`

    Raises DataError for what cannot be read, has no end within `most` bytes, or is a pipe that nobody writes to.
    """
    name, most = name_of(source), MOST_BYTES if most is None else most
    try:
        found = _of_standard_input(name, most) if str(source) == STANDARD_INPUT else _of_file(Path(source), name, most)
    except FileNotFoundError:
        raise DataError(f"there is no file {name}: give the path of {wanted}") from None
    except DataError:
        raise  # it says already what is wrong
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DataError(f"{name} cannot be read: {reason}") from None
    if len(found) > most:
        raise DataError(f"{name} holds more than the {most // 10**6} MB that are read: give a part of it")
    return found


def text_in(source: str | Path) -> str:
    """What it holds as text: UTF-8, with or without a byte-order mark. Raises DataError as `contents` and `decoded`."""
    return decoded(contents(source), name_of(source))


def decoded(raw: bytes, name: str) -> str:
    """These bytes as text. Raises DataError, with the line, for what is no UTF-8."""
    what_to_do = "a CSV file in UTF-8 is needed: export the points as text"
    if b"\0" in raw:
        line = raw.count(b"\n", 0, raw.index(b"\0")) + 1
        raise DataError(f"{name} is not text (a zero byte on line {line}): {what_to_do}")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{name} is no UTF-8 text (byte {raw[error.start]:#04x} on line {line}): {what_to_do}"
        ) from None


def _of_standard_input(name: str, most: int) -> bytes:
    if sys.stdin is None:
        raise DataError(f"{name} is closed: give the path of a CSV file")
    return sys.stdin.buffer.read(most + 1)


def _of_file(path: Path, name: str, most: int) -> bytes:
    # Opening a named pipe would wait for its writer, however long.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            return _of_pipe(descriptor, name, most)
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(most + 1)
    finally:
        os.close(descriptor)


def _of_pipe(descriptor: int, name: str, most: int) -> bytes:
    found = bytearray()
    writer, begin = False, time.monotonic()
    while len(found) <= most:
        try:
            part = os.read(descriptor, CHUNK)
        except BlockingIOError:
            writer = True
            if not select.select([descriptor], [], [], PATIENCE_WITH_A_WRITER)[0]:
                raise DataError(f"{name} is a pipe, and nothing came for {PATIENCE_WITH_A_WRITER:.0f} s") from None
            continue
        if not part and not writer:
            if time.monotonic() > begin + PATIENCE_FOR_A_WRITER:
                raise DataError(f"{name} is a pipe that nobody writes to: give the path of a file")
            time.sleep(0.02)
            continue
        if not part:
            break
        writer = True
        found += part
    return bytes(found)
