"""An erratum: what a paper prints, word for word, what it should be, and what depends on it.

One slip is one erratum, however many claims show it: a claim points to it by its `flaw`. An erratum that no claim can
show, a wrong index or a word, has none. A paper's errata stand in `errata.py` of its folder, as the tuple `ERRATA`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from implicitbias.claims.prose import rewrap

ErratumWord = Literal[
    "misprint",
    "convention slip",
    "missing hypothesis",
    "imprecise wording",
    "wrong step",
    "false statement",
    "heuristic",
    "retracted by the authors",
]

Effect = Literal["a theorem changes", "a formula changes", "a constant or an index", "wording"]

EFFECTS: dict[Effect, str] = {
    "a theorem changes": "a result is false as printed, or needs a hypothesis that is not printed",
    "a formula changes": "a displayed formula, or a step of a proof, is wrong; the results around it stand",
    "a constant or an index": "an index, a constant, a sign or a reference is another one",
    "wording": "words that say more or other than is meant: no result and no formula changes",
}
"""The four classes, the gravest first, with what each means."""

COUNTED: tuple[Effect, ...] = ("a theorem changes", "a formula changes")
"""What the headline number counts; the other two classes are listed apart."""

Seen = Literal["the picture of the page", "the text of the file", "the scan's text"]

ID = re.compile(r"[a-z][a-z0-9_]*-e[1-9][0-9]*")


@dataclass(frozen=True)
class Edition:
    """An edition that was read. `file`: the name that its text has in a folder of papers, for `implicitbias errata`."""

    name: str
    file: str

    def prints(self, where: str, seen: Seen, words: str = "") -> Reading:
        """The slip stands here, at `where`. `words`: as this edition has them, if other than the quotation."""
        return Reading(self, where, seen, True, words)

    def mends(self, where: str, seen: Seen, words: str = "") -> Reading:
        """The authors have corrected it here. `words`: what stands in its place."""
        return Reading(self, where, seen, False, words)


@dataclass(frozen=True)
class Reading:
    """What one edition has at the place of the slip.

    where    page and place, or equation
    seen     what it was transcribed from
    printed  whether the slip stands here; otherwise it is mended
    words    words of this edition, where they differ from the quotation
    """

    edition: Edition
    where: str
    seen: Seen
    printed: bool
    words: str = ""


@dataclass(frozen=True)
class Erratum:
    """One slip in print.

    id          `paper-eN`: stable, so that others can refer to it; an id is never given to another erratum
    place       where in the paper
    quotation   the words, or the formula, as printed
    formula     whether the quotation is a formula; otherwise it is words, which a text of the paper must contain
    correct     what it should be
    effect      which of the four classes
    word        the fair name of the slip
    bearing     which later results use the wrong form, which survive, what the authors write elsewhere
    charitable  the reading under which the authors are right
    readings    the editions that were looked at, the earliest first
    """

    id: str
    place: str
    quotation: str
    formula: bool
    correct: str
    effect: Effect
    word: ErratumWord
    bearing: str
    charitable: str
    readings: tuple[Reading, ...]

    def __post_init__(self) -> None:
        rewrap(self, "quotation", "correct", "bearing", "charitable")

    @property
    def paper(self) -> str:
        """The key of the paper."""
        return self.id.partition("-")[0]

    @property
    def counts(self) -> bool:
        """Whether the headline number counts it."""
        return self.effect in COUNTED

    @property
    def mended(self) -> str:
        """The edition in which the authors have corrected it; empty if none of those that were read."""
        return next((reading.edition.name for reading in self.readings if not reading.printed), "")

    @property
    def read(self) -> str:
        """Where it was read, edition by edition, in one line."""
        return "; ".join(
            f"{'' if r.printed else 'corrected in '}{r.edition.name}, {r.where} ({r.seen})" for r in self.readings
        )

    @property
    def order(self) -> tuple[int, str, int]:
        """Where it stands in a table: by effect, then by paper and number."""
        number = self.id.rpartition("-e")[2]
        return list(EFFECTS).index(self.effect), self.paper, int(number) if number.isdigit() else 0
