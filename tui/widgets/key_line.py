"""The keys that do something now, in one line at the bottom.

Textual's own Footer is made anew, and the whole screen laid out, each time the focus moves: half of the time of a key.
"""

from __future__ import annotations

from textual.content import Content
from textual.events import Click
from textual.reactive import reactive
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from ..says.wording import plain


class KeyLine(Widget):
    """Clicking a key presses it."""

    keys: reactive[tuple[tuple[str, str, str], ...]] = reactive(())
    """Of each binding that is shown: the key, how it is written, and what it does."""

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        if screen is not self.screen or not screen.app.app_focus:
            return
        by_action = {
            active.binding.action: active.binding
            for active in reversed(screen.active_bindings.values())
            if active.binding.show and active.enabled
        }
        self.keys = tuple(
            (binding.key, self.app.get_key_display(binding), binding.description)
            for binding in reversed(by_action.values())
        )

    def render(self) -> Content:
        parts = [
            Content(" ")
            .join([plain(shown, "bold $footer-key-foreground"), Content(does)])
            .stylize(Style.from_meta({"key": key}))
            for key, shown, does in self.keys
        ]
        spacious = Content("  ").join(parts)
        return spacious if spacious.cell_length <= self.size.width else Content(" ").join(parts)

    def on_click(self, event: Click) -> None:
        key = event.style.meta.get("key")
        if key is not None:
            self.app.simulate_key(key)
