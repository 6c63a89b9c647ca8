"""The claim above its checks: statement, formula, flaw, what it rests on."""

from __future__ import annotations

from implicitbias.claims.statement import Claim

from ..data.snapshot import Snapshot
from ..says import statement
from ..says.wording import plain
from .reading_pane import ReadingPane


class ClaimPage(ReadingPane):
    """Its border says which claim it is."""

    def show_claim(self, snapshot: Snapshot, claim: Claim) -> None:
        self.border_title = plain(f"{claim.source.locator} · {claim.title}")
        self.show(statement.page(snapshot, claim), about=claim.id)
