"""Series in a plot that fits its place."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from ..says.canvas import Series, draw
from ..says.wording import DIM, plain

Box = tuple[float, float, float, float]


class PlotPane(Widget, can_focus=True):
    """The one place where the interface plots."""

    DEFAULT_CSS = "PlotPane { width: 1fr; height: 1fr; padding: 0 1; }"

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._series: Sequence[Series] = ()
        self._x_label = ""
        self._nothing = "Nothing to plot."
        self._box: Box | None = None

    def show(
        self, series: Sequence[Series], *, x_label: str = "", nothing: str = "Nothing to plot.", box: Box | None = None
    ) -> None:
        """`nothing`: what to say if there is no series; `box`: x from, x to, y from, y to."""
        self._series, self._x_label, self._nothing, self._box = series, x_label, nothing, box
        self.refresh()

    def render(self) -> Content:
        if not self._series:
            return plain(self._nothing, DIM)
        width, height = self.content_size
        return Content("\n").join(draw(self._series, width, height, x_label=self._x_label, box=self._box))
