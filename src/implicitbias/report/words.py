"""How words, values and durations read on a terminal. The plain text carries everything; colour only repeats it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from implicitbias.claims.evidence import Value
from implicitbias.claims.naming import place_of
from implicitbias.claims.statement import Candidate, Claim, Rule
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.readable import text
from implicitbias.judging.result import ClaimStanding, Result
from implicitbias.judging.verdict import GLYPHS, Standing
from implicitbias.report.lines import typeset_line
from implicitbias.report.printable import printable
from implicitbias.report.prose import prose
from implicitbias.report.typeset import symbol, typeset

_QUOTED = re.compile(r"'(-?[0-9][0-9/.]*)'")
"""A fraction as Python writes it in a list: names of instances are made of the data they name."""

_FORMULA = re.compile(r"\*\*|\b(Abs|Max|Min)\(")
"""What only a formula of the small language holds."""

PIPE_WIDTH = 120
"""Columns if there is no terminal to ask and COLUMNS is not set."""

STYLES = {
    "PROVED": "green",
    "DERIVED": "green",
    "CERTIFIED": "green",
    "SUPPORTED": "cyan",
    "ESTABLISHED": "green",
    "CORRECTED": "blue",
    "REFUTED": "bold red",
    "UNDECIDED": "yellow",
    "BROKEN": "bold red",
    "SKIPPED": "dim",
    "UNCHECKED": "dim",
    "OPEN": "cyan",
}

IN_COQ = " · Coq"
"""What follows PROVED where Coq has accepted the theorem from its definition."""

MARKS = {
    Outcome.REJECTED: ("✗", "rejected"),
    Outcome.ACCEPTED: ("✓", "accepted"),
    Outcome.UNDECIDED: ("?", "undecided"),
}


class PrintableConsole(Console):
    """A console on which only its own styles and movements are control characters, never anything in a text."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else printable(segment.text)
            yield segment if text is segment.text else segment._replace(text=text)


def console_for(stream: TextIO | None = None, width: int | None = None) -> Console:
    """A console on this stream (standard output by default): its terminal's width, or one fit for a file.

    NO_COLOR and COLUMNS are honoured; nothing in a claim's text is taken for markup.
    """
    stream = stream or sys.stdout
    if width is None and not stream.isatty() and not os.environ.get("COLUMNS", "").isdigit():
        width = PIPE_WIDTH
    return PrintableConsole(file=stream, width=width, highlight=False, markup=False, emoji=False)


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


def verdict_badge(result: Result) -> Text:
    """The badge of a check's verdict; a proof that Coq has accepted says so: `∎ PROVED · Coq`."""
    return badge(result.verdict).append(IN_COQ) if result.in_coq else badge(result.verdict)


def outcome(found: Outcome) -> str:
    """Mark and word: `✗ rejected`."""
    return " ".join(MARKS[found])


def case_name(name: str) -> str:
    """The name of an instance or a case without Python's quotes and lone commas, its formulas typeset.

    >>> case_name("one point ('0',), s >= T"), case_name("Huber loss Min(Abs(z - 1), 1)**2/2")
    ('one point (0), s ≥ T', 'Huber loss min(|z - 1|, 1)²/2')
    """
    shown = _QUOTED.sub(r"\1", name).replace(",)", ")")
    return typeset_line(shown) if _FORMULA.search(shown) else prose(shown)


def why(judgement: Judgement) -> str:
    """The reason of a judgement in a line; for a rejection the counterexample."""
    found = judgement.counterexample
    if found is None or judgement.reason not in ("", str(found)):
        return prose(judgement.reason)
    return str(replace(found, label=case_name(found.label), point={symbol(n): v for n, v in found.point.items()}))


def seconds(duration: float) -> str:
    """A duration in the units of everyday speech.

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
    """A measured value: exact numbers in full, floats to six digits.

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
    """A formula, typeset; a rule by its name and what it says."""
    return f"{shown.name}: {prose(shown.says)}" if isinstance(shown, Rule) else typeset(shown)


def equals(name: str, shown: str) -> str:
    """A symbol with its value, which may be an approximate one.

    >>> equals("x_1", "1/2"), equals("V", "≈ 37.71")
    ('x₁ = 1/2', 'V ≈ 37.71')
    """
    return f"{symbol(name)} {shown}" if shown.startswith("≈ ") else f"{symbol(name)} = {shown}"


def located(claim: Claim) -> str:
    """Where in the paper the claim stands, marked if it is a result of our own."""
    place = prose(claim.source.locator)
    return f"our own result, {place}" if claim.is_own_result else place


def titled(claim: Claim) -> str:
    """The title as it is shown."""
    return prose(claim.title)


def claims_apart(claims: Sequence[Claim]) -> str:
    """How many claims: those of the papers and our own results counted apart, `335 of the papers, 174 our own`."""
    own = sum(claim.is_own_result for claim in claims)
    if not own:
        return count(len(claims), "claim")
    return f"{len(claims) - own} of the papers, {own} our own" if own < len(claims) else f"{own} our own"


def parts_text(standing: ClaimStanding) -> str:
    """How the parts of a headline stand, naming the weakest: `1 of its 7 parts refuted (theorem_2_sum), 2 corrected`.

    Empty for a claim without parts.
    """
    says = _parts_counted(standing)
    more = "more" if says else "part" if standing.left_out == 1 else "parts"
    return ", ".join(filter(None, [says, f"{standing.left_out} {more} not run" if standing.left_out else ""]))


def _parts_counted(standing: ClaimStanding) -> str:
    total = len(standing.parts)
    counts = standing.part_counts
    others = [(word, number) for word, number in counts.items() if word is not Standing.ESTABLISHED]
    if not others:
        return f"{count(total, 'part')}, {'all ' if total > 1 else ''}established" if total else ""
    weakest = standing.weakest
    says = []
    for word, number in others:
        name = f" ({_named(weakest.claim)})" if weakest and word is weakest.standing else ""
        says.append(f"{number} {'not run' if word is Standing.UNCHECKED else word.lower()}{name}")
    whose = f"{others[0][1]} of its {total} parts" if total > 1 else "its one part"
    return ", ".join([f"{whose} {says[0].partition(' ')[2]}", *says[1:]])


def _named(claim: Claim) -> str:
    return f"{place_of(claim)}, our own result" if claim.is_own_result else place_of(claim)


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
