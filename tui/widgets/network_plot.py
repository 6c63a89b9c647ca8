"""The network over the theory, and below it where its kinks lie."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from ..data.playground import Frame, Scene
from ..says import training
from ..says.canvas import Chart, draw, gutter_of
from ..says.wording import DIM, YELLOW, plain


class NetworkPlot(Widget, can_focus=True):
    """Redrawn with every frame; its axes stay."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: tuple[Scene, Frame, str] | None = None
        self._says = "starting…"

    def show(self, scene: Scene, frame: Frame, theory: str) -> None:
        self._shown = (scene, frame, theory)
        self.refresh()

    def say(self, text: str) -> None:
        """Instead of a plot."""
        self._shown, self._says = None, text
        self.refresh()

    def render(self) -> Content:
        if self._shown is None:
            return plain(self._says, YELLOW)
        scene, frame, theory = self._shown
        width, height = self.content_size
        chart = Chart(training.curves(scene, frame, theory), x_label="x", box=training.box(scene))
        lines = draw(chart, width, height - 1, gutter=6)
        gutter = gutter_of(lines)
        bars = training.kinks(frame, width - gutter)
        lines.append(plain("kinks ".rjust(gutter), DIM) + plain(bars, YELLOW))
        return Content("\n").join(lines)
