"""Two classes as signs: which label is +1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from implicitbias.errors import DataError, UserError

if TYPE_CHECKING:
    from implicitbias.data.points import Labelled


def signs_of(points: Labelled, positive: str | None) -> dict[str, int]:
    """Each label with its sign: 1 and -1 as they are; of two words `positive` is +1, by default the later one.

    Raises DataError for one class, more than two, or numbers other than 1 and -1.
    """
    words = sorted({str(label) for label in points.labels})
    if len(words) == 1:
        raise DataError(f"{points.source} has one class only, {words[0]!r}: points of two classes are needed")
    if not all(isinstance(label, str) for label in points.labels):
        if words != ["-1", "1"]:
            raise DataError(f"{points.source}: labels must be 1 and -1, or two words; found {', '.join(words[:5])}")
        if positive is not None:
            raise UserError("--positive belongs to labels that are words: 1 and -1 say it themselves")
        return {"-1": -1, "1": 1}
    if len(words) != 2:
        raise DataError(f"{points.source} has {len(words)} classes, {', '.join(words[:5])}: two are needed")
    if positive is not None and positive not in words:
        there = f"{points.source} has {words[0]!r} and {words[1]!r}"
        raise UserError(f"--positive {positive!r} is not a label: {there}")
    plus = positive or words[1]
    return {word: 1 if word == plus else -1 for word in words}
