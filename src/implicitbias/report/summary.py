"""What all reports are made from: the standings in reading order, what they add up to, and the exit code.

Claims of the papers and results of our own are counted apart. The exit code depends on the standing of each claim, so
a headline's weak part counts once, as itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from implicitbias.claims.erratum import Erratum
from implicitbias.claims.statement import Claim, Paper
from implicitbias.judging.result import ClaimStanding, Result
from implicitbias.judging.verdict import Standing


class Detail(Enum):
    """How much the report for a terminal shows beside what is not as expected."""

    LINE = "one line"
    HEADLINES = "the headlines; of a single one also its parts"
    ALL = "every claim"


@dataclass(frozen=True)
class Family:
    """A headline and those of its parts that a report is about.

    standing   the headline's; None if the report is about some of its parts alone
    """

    headline: Claim
    standing: ClaimStanding | None
    parts: tuple[ClaimStanding, ...]


@dataclass(frozen=True)
class Report:
    """The standings of some claims.

    partial     only checks of some kinds were asked for: a claim is then judged by these, the others are not missed
    errata      of these papers, the gravest first
    """

    standings: tuple[ClaimStanding, ...]
    papers: tuple[Paper, ...] = ()
    partial: bool = False
    interrupted: bool = False
    errata: tuple[Erratum, ...] = ()
    detail: Detail = Detail.ALL

    @property
    def results(self) -> tuple[Result, ...]:
        return tuple(result for s in self.standings for result in s.results)

    @property
    def of_papers(self) -> tuple[ClaimStanding, ...]:
        """The claims that the papers make."""
        return tuple(s for s in self.standings if not s.claim.is_own_result)

    @property
    def own(self) -> tuple[ClaimStanding, ...]:
        """The results of our own."""
        return tuple(s for s in self.standings if s.claim.is_own_result)

    @property
    def counts(self) -> dict[Standing, int]:
        """How many claims have each standing."""
        return counts_of(self.standings)

    def families(self, paper: str) -> tuple[Family, ...]:
        """The claims of a paper as headlines with their parts, in reading order."""
        asked = {s.claim.id: s for s in self.standings if s.claim.paper == paper}
        headlines: dict[str, Claim] = {}
        parts: dict[str, list[ClaimStanding]] = {}
        for s in asked.values():
            headline = s.headline or s.claim
            headlines.setdefault(headline.id, headline)
            if s.headline:
                parts.setdefault(headline.id, []).append(s)
        return tuple(
            Family(headline, asked[name].within(asked) if name in asked else None, tuple(parts.get(name, ())))
            for name, headline in headlines.items()
        )

    @property
    def controls(self) -> tuple[int, int]:
        """How many controls were held against some check, and how many of them some check rejects."""
        tried = [s for s in self.standings if s.results]
        return sum(len(s.killed) for s in tried), sum(s.controls_rejected for s in tried)

    @property
    def provenance(self) -> Mapping[str, Any]:
        """What the results have in common: budget, seed, machine, versions."""
        made = [made_with(result) for result in self.results]
        return {k: v for k, v in made[0].items() if all(k in m and m[k] == v for m in made)} if made else {}


def counts_of(standings: Iterable[ClaimStanding]) -> dict[Standing, int]:
    """How many of the claims have each standing."""
    found = [s.standing for s in standings]
    return {word: found.count(word) for word in Standing}


def made_with(result: Result) -> dict[str, Any]:
    """A result's provenance for reports: the versions that it was made with, without all else that it was made from."""
    given = {name: value for name, value in result.provenance.items() if name != "computation"}
    used = given.pop("used", None) or {}
    return {**given, **({"versions": used["versions"]} if "versions" in used else {})}


def made_in_words(provenance: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The rows in which a page says how results were made.

    >>> made_in_words({"seed": 0, "machine": {"system": "Linux"}, "versions": {"python": "3.11"}, "elsewhere": True})
    [('seed', '0'), ('machine', 'Linux, not this one: it came with implicitbias'), ('versions', 'python 3.11')]
    """
    rows = []
    for name, given in provenance.items():
        if name == "machine":
            here = ", not this one: it came with implicitbias" if provenance.get("elsewhere") else ""
            rows.append((name, " ".join(map(str, given.values())) + here))
        elif name == "versions":
            rows.append((name, ", ".join(f"{what} {version}" for what, version in given.items())))
        elif name != "elsewhere" and given not in (None, "", {}):
            rows.append((name.replace("_", " "), str(given)))
    return rows


def is_expected(standing: ClaimStanding, partial: bool = False) -> bool:
    """Whether the claim stands as the catalogue expects; `partial`: by the checks that were asked for."""
    if standing.standing is standing.expected:
        return True
    return partial and only_not_run(standing)


def only_not_run(standing: ClaimStanding) -> bool:
    """Whether it is undecided only because some of its checks were not asked for."""
    return (
        standing.standing is Standing.UNDECIDED
        and bool(standing.results)
        and all(result.verdict.accepts for result in standing.results)
    )


def survivors(standing: ClaimStanding) -> tuple[str, ...]:
    """The controls that every check of the claim has judged and none has rejected."""
    ran = {result.check for result in standing.results}
    if any(check.name not in ran for check in standing.claim.checks):
        return ()
    return tuple(name for name in standing.survivors if all(name in result.controls for result in standing.results))


def exit_code(report: Report) -> int:
    """0 all as expected; 1 refuted, broken or unexpectedly established; 3 only undecided; 130 interrupted."""
    if report.interrupted:
        return 130
    surprises = [s.standing for s in report.standings if not is_expected(s, report.partial)]
    if any(standing not in (Standing.UNDECIDED, Standing.UNCHECKED) for standing in surprises):
        return 1
    return 3 if surprises else 0


def heading(paper: Paper) -> str:
    """Authors, year and title; empty for claims whose folder does not describe a paper."""
    authors = f"{paper.authors} ({paper.year})" if paper.year else paper.authors
    return ". ".join(part for part in (authors, paper.title) if part)
