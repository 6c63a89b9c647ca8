"""A block of text as what a list of choices shows: laid out anew for each width."""

from __future__ import annotations

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

from ..says.blocks import LEAST, Block


class Laid(Visual):
    """The lines of the block at the width that there is."""

    def __init__(self, block: Block) -> None:
        self._block = block

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        return Content("\n").join(self._block.lines(width)).render_strips(width, height, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return container_width

    def get_minimal_width(self, rules: RulesMap) -> int:
        return LEAST

    def get_height(self, rules: RulesMap, width: int) -> int:
        return len(self._block.lines(width))
