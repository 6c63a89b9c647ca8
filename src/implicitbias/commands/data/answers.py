"""What a command on data found, and how it is printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import typer

from implicitbias.commands.data.certificates import write_accepted
from implicitbias.commands.output import remark, say

Row = TypeVar("Row")

ROWS = 24
"""Rows of a table that are printed; `--json` prints all."""
WORDS = 12
"""Entries of a list within a line that are printed; `--json` prints all."""
UNDECIDED = 3
"""The exit code where what was asked could not be decided."""
TOLERANCE = Fraction(1, 10**8)
"""A value whose bounds are further apart than this, relatively, counts as undecided; they are printed all the same."""


@dataclass(frozen=True)
class Answer:
    """One result, for programs, for readers and for the checker.

    document     everything that was found, as JSON values
    lines        the same to be read
    certificate  its proof, if there is one
    undecided    what was asked could not be decided
    warning      a remark for standard error
    """

    document: dict[str, Any]
    lines: list[str]
    certificate: dict[str, Any] | None = None
    undecided: bool = False
    warning: str = ""


def give(answer: Answer, as_json: bool, certificate: Path | None = None) -> None:
    """Have the checker accept the certificate, write it if a file is named, then print the answer.

    Raises typer.Exit(UNDECIDED) where the answer is undecided.
    """
    document = answer.document
    if answer.certificate is not None:
        write_accepted(answer.certificate, certificate)
        document = {**document, "certified": True, "certificate": None if certificate is None else str(certificate)}
    if as_json:
        say(json.dumps(document, ensure_ascii=False, allow_nan=False))
    else:
        say("\n".join(answer.lines))
        if answer.certificate is not None and certificate is not None:
            say(f"\nCertificate, accepted by the checker: {certificate}")
    if answer.warning:
        remark(answer.warning)
    if answer.undecided:
        raise typer.Exit(UNDECIDED)


def too_wide(gap: Fraction) -> str:
    """A warning if bounds at this relative distance leave a value undecided."""
    return f"the bounds are {float(gap):.1e} apart, more than {float(TOLERANCE):.0e}" if gap > TOLERANCE else ""


def titled(title: str, blocks: dict[str, list[str]]) -> list[str]:
    """The title and the blocks, the name of each to the left of its first line."""
    width = max(10, *(len(name) + 2 for name in blocks))
    lines = [title, ""]
    for name, block in blocks.items():
        lines += [f"{name if i == 0 else '':<{width}}{line}" for i, line in enumerate(block)]
    return lines


def columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, each column as wide as its widest cell.

    >>> columns([("x", "y"), ("10", "2")])
    [' x  y', '10  2']
    """
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]


def aligned(header: tuple[str, ...], items: Sequence[Row], cells: Callable[[Row], tuple[str, ...]]) -> list[str]:
    """A table of the first items."""
    return columns([header, *(cells(item) for item in islice(items, ROWS))]) + left_out(len(items))


def both_ends(count: int) -> list[int]:
    """The positions of the rows that are printed out of `count` where both ends matter most."""
    return list(range(count)) if count <= ROWS else [*range(ROWS // 2), *range(count - ROWS // 2, count)]


def left_out(count: int) -> list[str]:
    """The line after the first `ROWS` of `count` rows; no line if these are all."""
    return [f"… {count - ROWS} more: see --json"] if count > ROWS else []


def listed(words: Sequence[str]) -> str:
    """The first words, and how many more there are."""
    return ", ".join(words[:WORDS]) + (f", and {len(words) - WORDS} more" if len(words) > WORDS else "")
