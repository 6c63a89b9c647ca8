"""The focus at once: keys that are already typed are for the widget to come, not for the one before."""

from __future__ import annotations

from textual.widget import Widget


def focus_now(widget: Widget) -> None:
    """Focus the widget now, or as soon as it is shown if it is about to be."""
    if widget.focusable and widget.is_on_screen:
        widget.screen.set_focus(widget)
    else:
        widget.focus()
