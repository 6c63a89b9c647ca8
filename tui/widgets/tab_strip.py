"""The names of the tabs in one line, each with its key."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from ..says.wording import plain

TABS = ("Derivation", "Evidence", "Plot", "Controls", "Certificate", "History")
"""The views of a check, by the keys 1, 2, 3, …"""

PLOT = "Plot"


class TabStrip(Widget):
    """Clicking a name shows its tab."""

    active: reactive[str] = reactive(TABS[0])
    tabs: reactive[tuple[str, ...]] = reactive(TABS)
    """Those that the check has."""

    def render(self) -> Content:
        parts = []
        wide = self.size.width >= sum(len(tab) + 4 for tab in TABS) - 2
        for tab in self.tabs:
            number = TABS.index(tab) + 1
            style = "bold reverse" if tab == self.active else ""
            link = f"@click=screen.tab({tab!r})"
            name = tab if wide else tab[:6]
            parts.append(plain(f"{number} {name}", f"{style} {link}".strip()))
        return Content("  ").join(parts)
