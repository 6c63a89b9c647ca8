"""How a word, a value, a duration read on a terminal. Plain text carries everything; colour only repeats it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TextIO

from rich.console import Console, RenderableType
from rich.text import Text

from implicitbias.claims.evidence import Value
from implicitbias.claims.statement import Candidate, Rule
from implicitbias.judging.judgement import Judgement, Outcome, text
from implicitbias.judging.verdict import GLYPHS

PIPE_WIDTH = 120
"""Columns where there is no terminal to ask and COLUMNS is not set."""

STYLES = {
    "PROVED": "green",
    "CERTIFIED": "green",
    "SUPPORTED": "cyan",
    "ESTABLISHED": "green",
    "CORRECTED": "blue",
    "REFUTED": "bold red",
    "UNDECIDED": "yellow",
    "BROKEN": "bold red",
    "SKIPPED": "dim",
    "UNCHECKED": "dim",
}

MARKS = {
    Outcome.REJECTED: ("✗", "rejected"),
    Outcome.ACCEPTED: ("✓", "accepted"),
    Outcome.UNDECIDED: ("?", "undecided"),
}


def console_for(stream: TextIO | None = None, width: int | None = None) -> Console:
    """A console on this stream (standard output by default): its terminal's width, or one fit for a file.

    NO_COLOR and COLUMNS are honoured; nothing in a claim's text is taken for markup.
    """
    stream = stream or sys.stdout
    if width is None and not stream.isatty() and not os.environ.get("COLUMNS", "").isdigit():
        width = PIPE_WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def show(content: RenderableType, stream: TextIO | None = None, width: int | None = None) -> None:
    """Print on a stream, without the blanks with which rich fills lines up."""
    console = console_for(stream, width)
    with console.capture() as captured:
        console.print(content)
    lines = captured.get().split("\n")
    console.file.write("\n".join(line.rstrip(" ") for line in lines))


def badge(word: StrEnum | str) -> Text:
    """Glyph and word: `✓ ESTABLISHED`."""
    return Text(f"{GLYPHS[str(word)]} {word}", style=STYLES[str(word)], no_wrap=True)


def outcome(found: Outcome) -> str:
    """Mark and word: `✗ rejected`."""
    return " ".join(MARKS[found])


def why(judgement: Judgement) -> str:
    """The reason of a judgement in a line; for a rejection the counterexample."""
    return judgement.reason or str(judgement.counterexample or "")


def seconds(duration: float) -> str:
    """A duration as people say it.

    >>> [seconds(s) for s in (0.004, 0.25, 75, 4000)]
    ['4 ms', '0.25 s', '1 min 15 s', '1 h 6 min']
    """
    if duration < 0.0995:
        return f"{duration * 1000:.0f} ms"
    if duration < 59.5:
        return f"{duration:.2g} s" if duration < 10 else f"{duration:.0f} s"
    minutes, rest = divmod(round(duration), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def value(shown: Value) -> str:
    """A measured value: exact numbers as they are, floats to six digits.

    >>> value({"rate": 0.1234567, "units": (3, 4)})
    'rate 0.123457, units (3, 4)'
    """
    if isinstance(shown, float):
        return f"{shown:.6g}"
    if isinstance(shown, Mapping):
        return ", ".join(f"{name} {value(entry)}" for name, entry in shown.items())
    if isinstance(shown, list | tuple):
        return "(" + ", ".join(value(entry) for entry in shown) + ")"
    return text(shown)


def candidate(shown: Candidate) -> str:
    """A formula as it is written; a rule by its name and what it says."""
    return f"{shown.name}: {shown.says}" if isinstance(shown, Rule) else shown


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "claim"), count(3, "claim")
    ('1 claim', '3 claims')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """Names in a sentence: `a, b and c`.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
