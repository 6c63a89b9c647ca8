"""The words for how things stand: a verdict for one check of a claim, a standing for the claim as a whole."""

from __future__ import annotations

from enum import StrEnum

from implicitbias.claims.check import Kind


class Verdict(StrEnum):
    """What one check says about one claim.

    PROVED: theorems in which every step, from a definition in primitives to the formula, is checked by a rule.
    DERIVED: a proof whose definition or steps stand in words.
    CERTIFIED: within the range that was tried, a proof for finitely many sizes as well.
    """

    PROVED = "PROVED"
    DERIVED = "DERIVED"
    CERTIFIED = "CERTIFIED"
    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    UNDECIDED = "UNDECIDED"
    BROKEN = "BROKEN"
    SKIPPED = "SKIPPED"

    @property
    def accepts(self) -> bool:
        return self in (Verdict.PROVED, Verdict.DERIVED, Verdict.CERTIFIED, Verdict.SUPPORTED)


ACCEPTED = {Kind.CERTIFICATE: Verdict.CERTIFIED, Kind.EXPERIMENT: Verdict.SUPPORTED}
"""The verdict of an accepting check that is no proof, by its kind."""


class Standing(StrEnum):
    """How a claim stands. Always computed from its results (`implicitbias.judging.result.stand`), never typed.

    OPEN: a conjecture against which its search has found nothing; it never holds, and nothing is established by it.
    """

    ESTABLISHED = "ESTABLISHED"
    CORRECTED = "CORRECTED"
    REFUTED = "REFUTED"
    BROKEN = "BROKEN"
    UNDECIDED = "UNDECIDED"
    UNCHECKED = "UNCHECKED"
    OPEN = "OPEN"

    @property
    def holds(self) -> bool:
        return self in (Standing.ESTABLISHED, Standing.CORRECTED)


WEAKEST_FIRST = (
    Standing.BROKEN,
    Standing.REFUTED,
    Standing.UNDECIDED,
    Standing.UNCHECKED,
    Standing.ESTABLISHED,
    Standing.CORRECTED,
    Standing.OPEN,
)
"""The order in which standings call for attention; OPEN is last: a conjecture beside a theorem does not weaken it."""

GLYPHS: dict[str, str] = {
    "PROVED": "∎",
    "DERIVED": "∴",
    "CERTIFIED": "✓",
    "SUPPORTED": "≈",
    "ESTABLISHED": "✓",
    "CORRECTED": "✎",
    "REFUTED": "✗",
    "UNDECIDED": "?",
    "BROKEN": "!",
    "SKIPPED": "–",
    "UNCHECKED": "·",
    "OPEN": "○",
}
"""One glyph per word. Colour is never the only signal: screens show the glyph, and the word wherever it fits."""
