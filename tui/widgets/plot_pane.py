"""Charts below each other in a plot that fits its place."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from ..says.canvas import Chart, draw
from ..says.wording import DIM, plain

LEAST, LEAST_LOW = 13, 8
"""Lines that a chart needs to be worth its place, and a low one."""


class PlotPane(Widget, can_focus=True):
    """The one place where the interface plots."""

    DEFAULT_CSS = "PlotPane { width: 1fr; height: 1fr; padding: 0 1; }"

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._charts: Sequence[Chart] = ()
        self._nothing = "Nothing to plot."
        self._first = 0

    def show(self, charts: Sequence[Chart], *, nothing: str = "Nothing to plot.") -> None:
        """`nothing`: what to say if there is no chart."""
        if len(charts) != len(self._charts):
            self._first = 0
        self._charts, self._nothing = charts, nothing
        self.refresh()

    def turn(self) -> None:
        """Begin with the next chart, after the last one again with the first."""
        if self._charts:
            self._first = (self._first + self._shown) % len(self._charts)
            self.refresh()

    @property
    def _shown(self) -> int:
        """How many charts there is room for."""
        room, number = self.content_size.height, 0
        for chart in self._charts[self._first :]:
            room -= LEAST_LOW if chart.low else LEAST
            number += room >= 0
        return max(1, number)

    def render(self) -> Content:
        if not self._charts:
            return plain(self._nothing, DIM)
        width, height = self.content_size
        shown = self._charts[self._first : self._first + self._shown]
        lines: list[Content] = []
        if len(shown) < len(self._charts):
            last = self._first + len(shown)
            which = f"{self._first + 1}" if last == self._first + 1 else f"{self._first + 1} to {last}"
            lines.append(plain(f"plot {which} of {len(self._charts)}; 3 turns to the next", DIM))
        share = (height - len(lines)) // sum(2 - chart.low for chart in shown)
        left = height - len(lines)
        for number, chart in enumerate(shown, 1):
            lines_of = left if number == len(shown) else share * (2 - chart.low)
            lines += draw(chart, width, lines_of)
            left -= lines_of
        return Content("\n").join(lines)
