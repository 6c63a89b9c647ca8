"""The tree beside the reader; on a narrow screen one of them at a time, and zoomed one pane alone."""

from __future__ import annotations

from textual.containers import Horizontal
from textual.reactive import var


class Panes(Horizontal):
    """Carries the class `reading` on a narrow screen while the reader has the room.

    A class changes the style of all that is inside, which takes longer than the rest of a key's answer: a wide screen,
    where nothing would look different, goes without.
    """

    reading = var(False)

    def watch_reading(self) -> None:
        self._arrange()

    def on_resize(self) -> None:
        self._arrange()

    def show_tree(self) -> None:
        """The tree has the room of a narrow screen again."""
        self.reading = False
        self.unzoom()

    def zoom(self, pane: str) -> None:
        """Give all the room to the page or the detail."""
        self.reading = True
        self.add_class(f"zoom-{pane}")

    def unzoom(self) -> bool:
        """Whether there was something to undo."""
        zoomed = self.has_class("zoom-page") or self.has_class("zoom-detail")
        self.remove_class("zoom-page", "zoom-detail")
        return zoomed

    @property
    def hides_reader(self) -> bool:
        """Whether the tree has all the room."""
        return self.screen.has_class("-narrow") and not self.reading

    def _arrange(self) -> None:
        self.set_class(self.reading and self.screen.has_class("-narrow"), "reading")
