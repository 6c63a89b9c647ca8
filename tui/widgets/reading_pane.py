"""Blocks of text, laid out for the width there is, that scroll."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.events import Resize
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual

from ..says.blocks import Block


class ReadingPane(ScrollView, can_focus=True):
    """Draws only the visible lines, so that a new text needs no layout of the screen."""

    DEFAULT_CSS = """
    ReadingPane {
        overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; scrollbar-gutter: stable; padding: 0 1;
    }
    """

    def __init__(self, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._blocks: list[Block] = []
        self._about: object = None
        self._laid_out: tuple[int, list[Content]] = (-1, [])

    def show(self, blocks: Sequence[Block], about: object = None) -> None:
        """`about`: the subject; the text starts at the top again only when this changes."""
        self._blocks = list(blocks)
        self._laid_out = (-1, [])
        if about != self._about:
            self._about = about
            self.scroll_to(0, 0, animate=False, force=True, immediate=True)
        self._fit()

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n".join(line.plain for line in self._lines(self._width or 80))

    @property
    def _width(self) -> int:
        return self.scrollable_content_region.width

    def _fit(self) -> None:
        width = self._width
        tall = Size(width, len(self._lines(width)))
        # Setting it openly would lay out the whole screen, which is needed only if a scrollbar comes or goes.
        self.set_reactive(ReadingPane.virtual_size, tall)
        self._scroll_update(tall)
        self.refresh()

    def _lines(self, width: int) -> list[Content]:
        if self._laid_out[0] != width:
            self._laid_out = (width, [line for block in self._blocks for line in block.lines(width)])
        return self._laid_out[1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def on_resize(self, event: Resize) -> None:
        self._fit()

    def render_line(self, y: int) -> Strip:
        at = self.scroll_offset.y + y
        width = self._width
        lines = self._lines(width)
        style = self.visual_style
        if at >= len(lines):
            return Strip.blank(width, style.rich_style)
        line = lines[at]
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(at)) is not None:
            start, end = span
            line = line.stylize(
                Style.from_styles(self.screen.get_component_styles("screen--selection")),
                start,
                len(line) if end == -1 else end,
            )
        strips = Visual.to_strips(self, line, width, 1, style, apply_selection=False, pad=True)
        strip = strips[0] if strips else Strip.blank(width, style.rich_style)
        return strip.apply_offsets(0, at)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return selection.extract(self.text), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()
