"""The line above the tree: type to filter, and see how much passes."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static

from ..data.filter import Filter
from ..messages import FilterChanged
from ..says.wording import ACCENT, DIM, plain
from .focusing import focus_now

PAUSE = 0.06
"""Seconds without a key before the tree follows, so that fast typing filters once."""


class FilterBar(Horizontal):
    """Posts `FilterChanged`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "clear", "Clear the filter", show=False),
        Binding("down", "done", "To the claims", show=False),
    ]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.filter = Filter()
        self._pending: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Static("/", id="filter-sign")
        yield Input(placeholder="type to filter", id="filter-text", compact=True, select_on_focus=False)
        yield Static("", id="filter-count")

    def show(self, chosen: Filter, found: str) -> None:
        """The filter as it is, and what passes it."""
        self.filter = chosen
        field = self.query_one(Input)
        if field.value != chosen.text and not field.has_focus:
            with field.prevent(Input.Changed):
                field.value = chosen.text
        others = replace(chosen, text="").says()
        says = plain(f"{others}  ", ACCENT) if others else Content("")
        self.query_one("#filter-count", Static).update(says + plain(found, DIM))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._pending is not None:
            self._pending.stop()
        self._pending = self.set_timer(PAUSE, self._post)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_done()

    def _post(self) -> None:
        self.post_message(FilterChanged(replace(self.filter, text=self.query_one(Input).value.strip())))

    def action_clear(self) -> None:
        self.query_one(Input).value = ""
        self.post_message(FilterChanged(Filter()))
        focus_now(self.screen.query_one("#tree"))

    def action_done(self) -> None:
        self._post()
        focus_now(self.screen.query_one("#tree"))
