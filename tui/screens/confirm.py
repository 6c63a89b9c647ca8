"""Yes or no."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from ..says.wording import plain


class Confirm(ModalScreen[bool]):
    """A yes-or-no dialog; dismisses with the answer."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, title: str, question: str, yes: str, no: str) -> None:
        super().__init__()
        self._title, self._question, self._keys = title, question, f"y {yes}   n {no}"

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialogue") as box:
            box.border_title = self._title
            yield Static(plain(self._question))
            yield Static(plain(f"\n{self._keys}", "bold"))

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)
