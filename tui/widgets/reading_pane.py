"""A sheet that scrolls."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from ..says.blocks import Block
from .sheet import Sheet


class ReadingPane(VerticalScroll):
    """Shows blocks; going on to something else begins at its top."""

    DEFAULT_CSS = "ReadingPane { scrollbar-size-vertical: 1; padding: 0 1; }"

    _about: object = None

    def compose(self) -> ComposeResult:
        yield Sheet()

    @property
    def sheet(self) -> Sheet:
        return self.query_one(Sheet)

    def show(self, blocks: Sequence[Block], about: object = None) -> None:
        """`about`: what it is about; only when that changes does the text begin at its top again."""
        self.sheet.show(blocks)
        if about != self._about:
            self._about = about
            self.scroll_home(animate=False)
