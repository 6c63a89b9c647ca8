"""The form for what the playground trains: data, laws, width, seed, weight decay, one per line."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static

from ..data.playground import PRESETS, Setup
from ..messages import SetupChanged
from .focusing import focus_now

LAWS = ("normal(0,1)", "uniform(-2,2)", "uniform(-1,1)", "laplace(0,1)", "binary(1)", "pytorch()", "circle(1)")
HINTS = {
    "data": " ".join(PRESETS),
    "weight": "law of W",
    "bias": "law of B",
    "width": "units",
    "seed": "0, 1, 2, …",
    "decay": "λ, 0 for none",
}


class SetupForm(Vertical):
    """Posts `SetupChanged` when a field is entered."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next", "Next field", show=False),
        Binding("up", "app.focus_previous", "Field before", show=False),
        Binding("enter", "train", "Train this"),
        Binding("escape", "leave", "Leave the form"),
    ]

    def __init__(self, setup: Setup, id: str | None = None) -> None:
        super().__init__(id=id)
        self._setup = setup

    def compose(self) -> ComposeResult:
        for name, hint in HINTS.items():
            known = {"data": tuple(PRESETS), "weight": LAWS, "bias": LAWS}.get(name)
            with Horizontal(classes="setup-line"):
                yield Static(f"{name:<8}", classes="setup-name")
                yield Input(
                    f"{getattr(self._setup, name)}",
                    placeholder=hint,
                    id=f"setup-{name}",
                    compact=True,
                    suggester=SuggestFromList(known) if known else None,
                )

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_train()

    def action_train(self) -> None:
        values = {name: self.query_one(f"#setup-{name}", Input).value.strip() for name in HINTS}
        wrong = [name for name in ("width", "seed") if not values[name].isdecimal()]
        try:
            decay = float(values["decay"] or 0)
        except ValueError:
            decay = -1.0
        if wrong or not 0 <= decay < float("inf"):
            name = wrong[0] if wrong else "decay"
            self.notify(f"{name} must be a {'whole ' if wrong else ''}number of at least 0", severity="error")
            return
        laws = (values["weight"], values["bias"])
        self.post_message(SetupChanged(Setup(values["data"], *laws, int(values["width"]), int(values["seed"]), decay)))

    def action_leave(self) -> None:
        focus_now(self.screen.query_one("#play-plot"))
