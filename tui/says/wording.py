"""Words, marks and durations as `Content`: word and glyph carry the meaning, the theme's colour repeats it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from textual.content import Content

from implicitbias.judging.judgement import Outcome
from implicitbias.judging.verdict import GLYPHS, Standing
from implicitbias.report.words import MARKS

GREEN, BLUE, CYAN = "$text-success", "$text-primary", "$text-secondary"
RED, YELLOW = "bold $text-error", "$text-warning"
ACCENT = "$text-accent"
DIM = "dim"
BOLD = "bold"

STYLES = {
    "PROVED": GREEN,
    "DERIVED": GREEN,
    "CERTIFIED": GREEN,
    "SUPPORTED": CYAN,
    "ESTABLISHED": GREEN,
    "CORRECTED": BLUE,
    "REFUTED": RED,
    "UNDECIDED": YELLOW,
    "BROKEN": RED,
    "SKIPPED": DIM,
    "UNCHECKED": DIM,
    "OPEN": CYAN,
}

OUTCOME_STYLES = {Outcome.REJECTED: RED, Outcome.ACCEPTED: GREEN, Outcome.UNDECIDED: YELLOW}

OWN = "◇"
"""The mark of a result of our own."""

STANDING_WIDTH = 13
"""Cells of the longest glyph and word, `✓ ESTABLISHED`."""


def plain(text: str, style: str = "") -> Content:
    """Text as it is: nothing in a claim's text is read as markup."""
    return Content.styled(text, style) if style else Content(text)


def badge(word: str, width: int = 0) -> Content:
    """Glyph and word, padded to the width."""
    return plain(f"{GLYPHS[str(word)]} {word}".ljust(width), STYLES[str(word)])


def mark(found: Outcome) -> Content:
    return plain(MARKS[found][0], OUTCOME_STYLES[found])


def outcome(found: Outcome, style: str | None = None) -> Content:
    return plain(" ".join(MARKS[found]), OUTCOME_STYLES[found] if style is None else style)


def tick(holds: bool) -> Content:
    return plain("✓ holds", GREEN) if holds else plain("✗ DOES NOT HOLD", RED)


def counts(found: Mapping[Standing, int], words: bool = True) -> Content:
    """`✓ 112 established  ✎ 22 corrected`, or only glyphs and numbers."""
    parts = [
        plain(f"{GLYPHS[word]} {number}{f' {word.lower()}' if words else ''}", STYLES[word])
        for word, number in found.items()
    ]
    return Content("  " if words else " ").join(parts)


def age(then: datetime, now: datetime) -> str:
    """How long ago, in one unit.

    >>> from datetime import timedelta, timezone
    >>> now = datetime(2026, 1, 1, tzinfo=timezone.utc)
    >>> [age(now - timedelta(seconds=s), now) for s in (3, 200, 7200, 300_000, 40_000_000)]
    ['now', '3 min', '2 h', '3 d', '1 y']
    """
    seconds = max(0.0, (now - then).total_seconds())
    for size, unit in ((365 * 86400, "y"), (86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "now" if seconds < 10 else f"{int(seconds)} s"
