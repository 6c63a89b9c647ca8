"""What a command found: for programs, for people and for the checker."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import typer

from implicitbias.commands.data.certificates import write_accepted

Row = TypeVar("Row")
SHOWN = 12
"""Rows that are printed for people; `--json` prints all."""


@dataclass(frozen=True)
class Answer:
    """The same result for programs, for people and for the checker."""

    document: dict[str, Any]
    lines: list[str]
    certificate: dict[str, Any]


def give(answer: Answer, certificate: Path | None, as_json: bool) -> None:
    """Print the answer, once the checker has accepted its certificate, which goes to the file if one is named."""
    write_accepted(answer.certificate, certificate)
    if as_json:
        written = None if certificate is None else str(certificate)
        typer.echo(json.dumps({**answer.document, "certified": True, "certificate": written}, ensure_ascii=False))
        return
    typer.echo("\n".join(answer.lines))
    if certificate is not None:
        typer.echo(f"\nCertificate, accepted by the checker: {certificate}")


def titled(title: str, blocks: dict[str, list[str]]) -> list[str]:
    lines = [title, ""]
    for name, block in blocks.items():
        lines += [f"{name if i == 0 else '':<10}{line}" for i, line in enumerate(block)]
    return lines


def aligned(header: tuple[str, ...], items: Sequence[Row], cells: Callable[[Row], tuple[str, ...]]) -> list[str]:
    rows = [header, *(cells(item) for item in islice(items, SHOWN))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return lines + ([f"… {len(items) - SHOWN} more: see --json"] if len(items) > SHOWN else [])
