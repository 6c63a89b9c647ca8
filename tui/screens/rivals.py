"""Rivals of a claim's formula: searched for in its recorded evidence while the reader waits, or goes on."""

from __future__ import annotations

from pathlib import Path

from textual import on
from textual.app import ComposeResult

from implicitbias.claims.statement import Claim
from implicitbias.judging.rivals.confirmed import Rivals

from ..data.rivals import Search
from ..messages import RivalsFound
from ..says import rivals
from ..says.blocks import Paragraph
from ..says.wording import YELLOW, plain
from ..widgets.reading_pane import ReadingPane
from .dialogue import Dialogue


class RivalsDialogue(Dialogue[None]):
    """Closing it ends the search."""

    def __init__(self, claim: Claim, ledger: Path) -> None:
        super().__init__()
        self.claim = claim
        self.found: Rivals | None = None
        self._search = Search(ledger, claim, self._tell)

    def compose(self) -> ComposeResult:
        pane = ReadingPane(classes="dialogue")
        pane.border_title = f"rivals of {self.claim.id}"
        pane.border_subtitle = "esc closes"
        yield pane

    def on_mount(self) -> None:
        pane = self.query_one(ReadingPane)
        pane.show(rivals.searching(self.claim))
        pane.focus()
        self._search.start()

    def on_unmount(self) -> None:
        self._search.stop()

    def _tell(self, found: Rivals | None, trouble: str) -> None:
        self.post_message(RivalsFound(found, trouble))

    @on(RivalsFound)
    def _found(self, event: RivalsFound) -> None:
        self.found = event.found
        shown = rivals.blocks(self.claim, event.found) if event.found else [Paragraph(plain(event.trouble, YELLOW))]
        self.query_one(ReadingPane).show(shown)
