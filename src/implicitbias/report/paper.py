"""A paper as a page and as a document: what it is, which edition was read, and how its headlines stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from implicitbias.claims.statement import Paper
from implicitbias.judging.result import ClaimStanding
from implicitbias.report import json as report
from implicitbias.report.page import pairs
from implicitbias.report.prose import prose
from implicitbias.report.summary import Report, counts_of
from implicitbias.report.words import badge, count, located, parts_text, titled


def page(paper: Paper, standings: Sequence[ClaimStanding]) -> Group:
    """The whole page. `standings`: of all claims of the paper, in reading order."""
    shown: list[RenderableType] = [Text(paper.title or paper.key, style="bold")]
    if paper.authors:
        shown.append(Text(authors(paper)))
    shown.append(pairs(list(facts(paper))))
    if paper.about:
        shown += [Text(""), Text(prose(paper.about))]
    headlines = [s for s in standings if s.claim.is_headline]
    shown += [Text(""), *(Text(line) for line in totals(standings))]
    shown += [Text(""), Text(count(len(headlines), "headline"), style="dim"), _headlines(headlines)]
    return Group(*shown)


def authors(paper: Paper) -> str:
    """The authors with the year."""
    return f"{paper.authors} ({paper.year})" if paper.year else paper.authors


def facts(paper: Paper) -> Iterator[tuple[str, str]]:
    """Venue, identifier, the edition that was read and the key, as far as they are known."""
    given = {"venue": paper.venue, "identifier": paper.identifier, "edition read": paper.edition}
    yield from ((name, says) for name, says in given.items() if says)
    yield "key", paper.key


def totals(standings: Sequence[ClaimStanding]) -> Iterator[str]:
    """How the claims of the paper stand and, counted apart, the results of our own."""
    own = [s for s in standings if s.claim.is_own_result]
    printed = [s for s in standings if not s.claim.is_own_result]
    for title, group in ((f"{count(len(printed), 'claim')} of the paper", printed),
                         (f"{count(len(own), 'result')} of our own", own)):  # fmt: skip
        counts = ", ".join(f"{number} {word.lower()}" for word, number in counts_of(group).items() if number)
        if group:
            yield f"{title}: {counts}"


def document(paper: Paper, standings: Sequence[ClaimStanding]) -> dict[str, Any]:
    """The paper for `show --json`: its fields, its claims, and how many have each standing."""
    fields = ("key", "title", "authors", "year", "venue", "identifier", "edition", "about")
    return {
        "schema": report.SCHEMA,
        **{name: getattr(paper, name) for name in fields},
        "claims": [{name: entry for name, entry in report.claim(s, ()).items() if name != "checks"} for s in standings],
        "summary": report.summary(Report(tuple(standings))),
    }


def _headlines(standings: Sequence[ClaimStanding]) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    for s in standings:
        title = Text.assemble((located(s.claim), "bold"), f"  {titled(s.claim)}", (f"  {s.claim.id}", "dim"))
        if s.parts:
            title.append(f"\n{parts_text(s)}", style="dim")
        grid.add_row(badge(s.whole), title)
    return Padding(grid, (0, 0, 0, 2))
