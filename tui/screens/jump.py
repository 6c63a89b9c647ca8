"""Shows a letter on every pane; pressing it goes there."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.events import Key
from textual.geometry import Region
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

LETTERS = "asdfghjkl"

PANES = ("filter-text", "tree", "page", "checks-list", "detail-pane", "plot-pane", "try-formula")
"""The panes of the walk, in the order of the letters."""


class Jump(ModalScreen[str]):
    """Dismisses with the id of the widget; any other key leaves."""

    def __init__(self, places: Mapping[str, Region]) -> None:
        super().__init__()
        self._places = dict(zip(LETTERS, places.items(), strict=False))

    def compose(self) -> ComposeResult:
        for letter, (_, region) in self._places.items():
            label = Static(f" {letter} ", classes="jump-letter")
            label.styles.offset = (region.x + 1, region.y)
            yield label
        yield Static(" press a letter to go there ", id="jump-hint")

    def on_key(self, event: Key) -> None:
        event.stop()
        found = self._places.get(event.character or "")
        self.dismiss(found[0] if found else None)


def places(widgets: Mapping[str, Widget]) -> dict[str, Region]:
    """The regions of the widgets that are visible, by id."""
    return {name: w.region for name, w in widgets.items() if w.display and w.region.area and w.is_on_screen}
