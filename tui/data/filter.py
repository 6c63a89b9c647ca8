"""Which claims the tree shows."""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.claims.check import Kind
from implicitbias.claims.statement import Claim
from implicitbias.judging.verdict import Standing
from implicitbias.report.words import located

from .snapshot import Snapshot


@dataclass(frozen=True)
class Filter:
    """Standings and kinds, one of which must fit (empty: any), a text to find, and whether only trouble is shown.

    Headlines and parts alike are filtered by their own standing.
    """

    text: str = ""
    standings: frozenset[Standing] = frozenset()
    kinds: frozenset[Kind] = frozenset()
    attention: bool = False

    @property
    def is_open(self) -> bool:
        return self == Filter()

    def choose(self, snapshot: Snapshot) -> tuple[Claim, ...]:
        """The claims that pass, in reading order."""
        return tuple(claim for claim in snapshot.claims if self.passes(snapshot, claim))

    def passes(self, snapshot: Snapshot, claim: Claim) -> bool:
        if self.standings and snapshot.standing(claim.id).standing not in self.standings:
            return False
        if self.kinds and not any(check.kind in self.kinds for check in claim.checks):
            return False
        if self.attention and not snapshot.needs_look(claim):
            return False
        return matches(self.text, f"{claim.id} {located(claim)} {claim.title}")

    def says(self) -> str:
        """The filter in words; empty if everything passes."""
        words = [word.lower() for word in sorted(self.standings)] + sorted(self.kinds)
        if self.attention:
            words.append("needs a look")
        if self.text:
            words.append(f"“{self.text}”")
        return ", ".join(words)


def matches(query: str, text: str) -> bool:
    """Whether every word of the query occurs in the text, literally or as letters in this order inside one word.

    >>> matches("thm 3.1", "savarese2019.theorem_3_1 Theorem 3.1"), matches("rho 3.1", "Theorem 3.1")
    (True, False)
    """
    low = text.lower()
    words = low.replace("_", " ").replace(".", " ").split()
    return all(part in low or any(_in_order(part, word) for word in words) for part in query.lower().split())


def _in_order(letters: str, word: str) -> bool:
    if not word.startswith(letters[:1]):
        return False
    rest = iter(word)
    return all(letter in rest for letter in letters)
