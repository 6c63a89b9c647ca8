"""A dialogue over what is behind it: closes with Escape, scrolls, understands vi's keys."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from .vi_keys import VI_KEYS, move

Answer = TypeVar("Answer")


class Dialogue(ModalScreen[Answer | None], Generic[Answer]):
    """Dismissed with None by Escape and q."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", "Close"), *VI_KEYS]

    def action_close(self) -> None:
        self.dismiss(None)

    def action_vi(self, where: str) -> None:
        move(self.focused, where)
