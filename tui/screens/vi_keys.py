"""The keys of vi in addition to the arrows, for the widget that has the focus."""

from __future__ import annotations

from textual.binding import Binding, BindingType
from textual.widget import Widget

VI_KEYS: list[BindingType] = [
    Binding("j", "vi('down')", "Down", show=False),
    Binding("k", "vi('up')", "Up", show=False),
    Binding("g", "vi('home')", "To the top", show=False),
    Binding("G", "vi('end')", "To the end", show=False),
    Binding("ctrl+d", "vi('page_down')", "A page down", show=False),
    Binding("ctrl+u", "vi('page_up')", "A page up", show=False),
]

ACTIONS = {
    "down": ("cursor_down", "scroll_down"),
    "up": ("cursor_up", "scroll_up"),
    "home": ("first", "scroll_home"),
    "end": ("last", "scroll_end"),
    "page_down": ("page_down",),
    "page_up": ("page_up",),
}
"""The actions to try: those that move a cursor first, then those that scroll."""


def move(focused: Widget | None, where: str) -> None:
    """Move in the focused widget."""
    for name in ACTIONS[where]:
        action = getattr(focused, f"action_{name}", None)
        if action is not None:
            action()
            return
