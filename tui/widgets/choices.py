"""A list of choices that can be paged through at any moment: also before it is laid out, or where it has no room."""

from __future__ import annotations

from contextlib import suppress

from textual.widgets import OptionList


class Choices(OptionList):
    """Textual's list looks up the line of the highlighted option, and has none before its first layout."""

    def action_page_down(self) -> None:
        with suppress(KeyError):
            super().action_page_down()  # type: ignore[no-untyped-call]

    def action_page_up(self) -> None:
        with suppress(KeyError):
            super().action_page_up()  # type: ignore[no-untyped-call]
