"""A claim: the statement, the formula in it, its false neighbours, and the checks that may refute it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from implicitbias.claims.check import Check
from implicitbias.claims.erratum import Erratum
from implicitbias.claims.evidence import Value
from implicitbias.claims.prose import rewrap

OWN_RESULT = "implicitbias"
"""The `paper` of a result of our own, such as a closed form or a sharper bound, which no paper prints."""


@dataclass(frozen=True)
class Source:
    """Where the claim stands: the paper's key (or `OWN_RESULT`) and the place in it, e.g. `Theorem 3.1`."""

    paper: str
    locator: str


@dataclass(frozen=True)
class Rule:
    """A candidate that no formula can express: a support, an algorithm, a structure, a yes or no.

    `predict` maps what an instance gives to what the candidate says will be observed there. Like a formula it sees
    the given quantities only. `says` is the rule in words.
    """

    name: str
    says: str
    predict: Callable[[Mapping[str, Value]], Value]

    def __post_init__(self) -> None:
        rewrap(self, "says")


Candidate = str | Rule
"""What the evidence judges: a formula in the small language of `implicitbias.exact.formula`, or a rule."""


def candidate_text(candidate: Candidate) -> str:
    """The candidate as text for a reader: a formula as it is, a rule in words."""
    return candidate if isinstance(candidate, str) else candidate.says


def candidate_name(candidate: Candidate) -> str:
    """The candidate's short name: the formula itself, or the name of the rule."""
    return candidate if isinstance(candidate, str) else candidate.name


@dataclass(frozen=True)
class Control:
    """A plausible false neighbour of the statement: some check of the claim must reject it. `why`: the temptation."""

    candidate: Candidate
    why: str

    def __post_init__(self) -> None:
        rewrap(self, "why")

    @property
    def name(self) -> str:
        return candidate_name(self.candidate)


@dataclass(frozen=True)
class Flaw:
    """That the claim shows an erratum of its paper.

    erratum  what is printed, what it should be, and what depends on it
    printed  the quotation as a candidate, where it can be encoded faithfully: the claim's own evidence must refute it
    """

    erratum: Erratum
    printed: Candidate | None = None


@dataclass(frozen=True)
class Claim:
    """One checkable claim.

    id          `paper.place`, lower case: `savarese2019.theorem_3_1`
    source      paper and locator
    title       a short noun phrase
    statement   in our own words, Unicode mathematics for the terminal
    latex       the mathematical core of the statement, for pages
    hypotheses  what the statement assumes, one by one
    part_of     id of the headline to which this claim belongs; empty for a headline
    rests_on    ids of the claims that this one uses
    see_also    ids of related claims, mostly of other papers; the link is shown on both sides
    formerly    ids of claims that were merged into this one; they still find it
    formula     the candidate that the evidence judges: a formula in the claim's symbols, or a rule
    symbols     each symbol of the formula with its meaning (empty for a rule)
    domain      what the hypotheses say of the symbols, as conditions: `T >= Abs(a - b)`, `d < n`
    flaw        the erratum that it shows, if the print is wrong; `formula` is then the corrected form
    controls    false neighbours, at least one; two or more are usual
    checks      at least one
    conjecture  what nobody has proved: its checks search for a counterexample, and it is never ESTABLISHED
    """

    id: str
    source: Source
    title: str
    statement: str
    formula: Candidate
    controls: tuple[Control, ...]
    checks: tuple[Check, ...]
    latex: str = ""
    hypotheses: tuple[str, ...] = ()
    part_of: str = ""
    rests_on: tuple[str, ...] = ()
    see_also: tuple[str, ...] = ()
    formerly: tuple[str, ...] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)
    domain: tuple[str, ...] = ()
    flaw: Flaw | None = None
    conjecture: bool = False

    def __post_init__(self) -> None:
        rewrap(self, "title", "statement", "latex", "hypotheses")

    @property
    def paper(self) -> str:
        """The key of the paper in whose folder it stands; results of our own stand with the claims they add to."""
        return self.id.partition(".")[0]

    @property
    def is_headline(self) -> bool:
        """Whether a reader of the paper would name it: a theorem, a named lemma, a figure, an experiment."""
        return not self.part_of

    @property
    def printed(self) -> Candidate | None:
        """What is printed, where that is wrong and a candidate can say it."""
        return self.flaw.printed if self.flaw else None

    @property
    def is_own_result(self) -> bool:
        return self.source.paper == OWN_RESULT

    def check(self, name: str) -> Check:
        """The check of that name. Raises KeyError."""
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(f"{self.id} has no check named {name!r}")


@dataclass(frozen=True)
class Paper:
    """A paper. Its folder introduces itself by a `PAPER` in its `__init__.py`.

    key         the folder's name and the first part of every id: `savarese2019`
    venue       where it appeared
    identifier  arXiv number, DOI
    edition     the edition that was read
    about       what it is about, in three lines
    order       its places in reading order, as the beginnings of file names: `theorem_4_1` stands for
                `theorem_4_1_branching` too; files that it does not mention come after
    """

    key: str
    title: str
    authors: str
    year: int
    venue: str = ""
    identifier: str = ""
    edition: str = ""
    about: str = ""
    order: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rewrap(self, "about", "edition")
