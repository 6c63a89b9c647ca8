"""Blocks of text, laid out for whatever width there is."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from ..says.blocks import Block


class Sheet(Widget):
    """A widget as high as its blocks are at its width."""

    DEFAULT_CSS = "Sheet { height: auto; width: 1fr; }"

    def __init__(self, blocks: Sequence[Block] = (), id: str | None = None) -> None:
        super().__init__(id=id)
        self._blocks = list(blocks)
        self._laid_out: tuple[int, list[Content]] = (-1, [])

    def show(self, blocks: Sequence[Block]) -> None:
        width, before = self._laid_out
        self._blocks = list(blocks)
        self._laid_out = (-1, [])
        # A layout costs ten times as much as a redraw and is needed only if the height changes.
        same = width == self.size.width and len(self._lines(width)) == len(before)
        self.refresh(layout=not same)

    @property
    def text(self) -> str:
        """The text, for tests and for the clipboard."""
        return "\n".join(line.plain for line in self._lines(self.size.width or 80))

    def _lines(self, width: int) -> list[Content]:
        if self._laid_out[0] != width:
            self._laid_out = (width, [line for block in self._blocks for line in block.lines(width)])
        return self._laid_out[1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return max(1, len(self._lines(width)))

    def render(self) -> Content:
        return Content("\n").join(self._lines(self.size.width))
