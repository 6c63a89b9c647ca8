"""`implicitbias examples`: small files of data to begin with, and the commands that read them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from implicitbias.commands.options import reachable
from implicitbias.commands.output import say
from implicitbias.errors import UserError


@dataclass(frozen=True)
class Example:
    """A file, what it holds, and commands for it."""

    name: str
    says: str
    text: str
    commands: tuple[str, ...]


def _lines(*lines: str) -> str:
    return "\n".join(lines) + "\n"


EXAMPLES = (
    Example(
        "points.csv",
        "five points on the line",
        _lines("x,y", "-2,0.5", "-1,-0.5", "0,0.5", "1,0", "2,1"),
        (
            "interpolate points.csv --certificate proof.json",
            'predict points.csv --weight "normal(0,1)" --bias "uniform(-2,2)"',
        ),
    ),
    Example(
        "labelled.csv",
        "two classes on the line that change three times",
        _lines("x,label", "-1,1", "-0.6,1", "-0.3,-1", "0.1,-1", "0.4,1", "0.7,1", "1,-1"),
        ("margin labelled.csv", "margin labelled.csv --flow"),
    ),
    Example(
        "table.csv",
        "two inputs and an output",
        _lines("a,b,y", "0,0,0", "1,0,1", "0,1,1", "1,1,0", "0.5,0.5,0.5", "2,1,1"),
        ("interpolate table.csv --norm tv --penalty 0.1", "cells table.csv --x a --x b"),
    ),
    Example(
        "classes.csv",
        "two inputs and two classes, as exclusive or",
        _lines("a,b,label", "0,0,-1", "1,0,1", "0,1,1", "1,1,-1"),
        ("margin classes.csv --norm tv",),
    ),
    Example(
        "network.json",
        "the weights of a network with four units",
        '{"w": [1, 1, -1, 1], "b": [1, 0, 1, -1], "v": [1, -2, 0.5, 1], "c": 0.25}\n',
        ("regions network.json", "inspect network.json"),
    ),
)


def examples(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", callback=reachable, help="Where to write; the working folder by default."),
    ] = Path(),
) -> None:
    """Write small files of data, and print commands that read them.

    Files that are there already and hold something else are left as they are, and nothing is written.
    """
    taken = [e.name for e in EXAMPLES if (folder / e.name).exists() and not _is(folder / e.name, e.text)]
    if taken:
        raise UserError(f"{' and '.join(taken)} in {folder.absolute()} would be overwritten: name another folder")
    for example in EXAMPLES:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / example.name).write_text(example.text, encoding="utf-8")
        except OSError as error:
            raise UserError(f"cannot write {folder / example.name}: {error.strerror or error}") from None
    for example in EXAMPLES:
        say(f"{folder / example.name}: {example.says}")
        for command in example.commands:
            say(f"  implicitbias {command.replace(example.name, str(folder / example.name))}")


def _is(file: Path, text: str) -> bool:
    try:
        return file.read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False
