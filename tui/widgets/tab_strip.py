"""The names of the tabs in one line, each with its key."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from ..says.wording import plain

TABS = ("Derivation", "Evidence", "Plot", "Controls", "Certificate", "History")
"""The views of a check, by the keys 1, 2, 3, …"""

DERIVATION, EVIDENCE, PLOT, _, CERTIFICATE, _ = TABS

SHORT = {"Derivation": "Deriv.", "Evidence": "Evid.", "Certificate": "Cert.", "History": "Hist."}
"""Where there is no room for all names."""


class TabStrip(Widget):
    """Clicking a name shows its tab."""

    active: reactive[str] = reactive(TABS[0])
    tabs: reactive[tuple[str, ...]] = reactive(TABS)
    """Those that the check has."""

    def render(self) -> Content:
        spacious = self.size.width >= sum(len(tab) + 4 for tab in TABS) - 2
        parts = []
        for tab in self.tabs:
            style = "bold reverse" if tab == self.active else ""
            name = tab if spacious else SHORT.get(tab, tab)
            parts.append(plain(f"{TABS.index(tab) + 1} {name}", f"{style} @click=screen.tab({tab!r})".strip()))
        return Content("  " if spacious else " ").join(parts)
