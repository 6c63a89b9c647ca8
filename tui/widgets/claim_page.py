"""The page of a claim, above its checks, or of a paper."""

from __future__ import annotations

from implicitbias.claims.statement import Claim, Paper
from implicitbias.report.words import located

from ..data.snapshot import Snapshot
from ..says import paper, statement
from ..says.wording import plain
from .reading_pane import ReadingPane


class ClaimPage(ReadingPane):
    """Its border says which claim or paper it is."""

    def show_claim(self, snapshot: Snapshot, claim: Claim) -> None:
        self.border_title = plain(f"{located(claim)} · {claim.title}")
        self.show(statement.page(snapshot, claim), about=claim.id)

    def show_paper(self, snapshot: Snapshot, shown: Paper) -> None:
        self.border_title = plain(shown.key)
        self.show(paper.page(snapshot, shown), about=shown.key)
