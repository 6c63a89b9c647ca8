"""The page of a claim, above its checks, or of a paper."""

from __future__ import annotations

from implicitbias.claims.statement import Claim, Paper
from implicitbias.report.words import located, titled

from ..data.snapshot import Snapshot
from ..says import paper, statement
from ..says.blocks import Paragraph
from ..says.wording import plain
from .reading_pane import ReadingPane


class ClaimPage(ReadingPane):
    """Its border says which claim or paper it is."""

    def show_claim(self, snapshot: Snapshot, claim: Claim) -> None:
        self.border_title = plain(f"{located(claim)} · {titled(claim)}")
        self.show(statement.page(snapshot, claim), about=claim.id)

    def show_nothing(self, typed: str) -> None:
        """`typed`: the filter that no claim passes; it may be one of standing and kind instead."""
        self.border_title = plain("no claim")
        says = f"No claim has all of “{typed}” in its id, place or title" if typed else "No claim passes the filter"
        advice = ": escape shows all claims again; f chooses by standing and kind."
        self.show([Paragraph(plain(says + advice))], about="")

    def show_paper(self, snapshot: Snapshot, shown: Paper) -> None:
        self.border_title = plain(shown.key)
        self.show(paper.page(snapshot, shown), about=shown.key)
