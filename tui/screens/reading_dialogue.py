"""A dialogue that only says something: help, the legend."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult

from ..says.blocks import Block
from ..widgets.reading_pane import ReadingPane
from .dialogue import Dialogue


class ReadingDialogue(Dialogue[None]):
    def __init__(self, title: str, blocks: Sequence[Block]) -> None:
        super().__init__()
        self._title, self._blocks = title, blocks

    def compose(self) -> ComposeResult:
        pane = ReadingPane(classes="dialogue")
        pane.border_title = self._title
        pane.border_subtitle = "esc closes"
        yield pane

    def on_mount(self) -> None:
        pane = self.query_one(ReadingPane)
        pane.show(self._blocks)
        pane.focus()
