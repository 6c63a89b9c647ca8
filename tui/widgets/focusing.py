"""The focus at once: keys that are already typed are for the widget to come, not for the one before."""

from __future__ import annotations

from textual.widget import Widget


def focus_now(widget: Widget) -> None:
    """Give it the focus now, or, where it is only about to be shown, as soon as it is."""
    if widget.focusable and widget.is_on_screen:
        widget.screen.set_focus(widget)
    else:
        widget.focus()
