"""A dialog that chooses what to run, and how thoroughly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from implicitbias.claims.check import Budget
from implicitbias.report.words import seconds

from ..data.running import Order
from ..data.snapshot import Snapshot
from ..says.wording import BOLD, DIM, plain
from ..widgets.choices import Choices
from .dialogue import Dialogue

BUDGETS = {Budget.QUICK: "minutes", Budget.FULL: "an hour or two", Budget.PAPER: "the papers' own sizes, hours"}


def _columns(claims: object, checks: object, took: str) -> str:
    return f"  {claims:>6}  {checks:>6}  {took}"


class ChooseRun(Dialogue[Order]):
    """Dismisses with the order."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "budget", "Next budget"),
        Binding("a", "again", "Also what is fresh"),
        Binding("plus", "seed(1)", "Next seed"),
        Binding("minus", "seed(-1)", "Previous seed"),
    ]

    def __init__(self, orders: Sequence[Order], snapshot: Snapshot) -> None:
        super().__init__()
        self._orders = list(orders)
        self._snapshot = snapshot

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialogue") as box:
            box.border_title = "run"
            box.border_subtitle = "enter runs, esc leaves"
            yield Static("", id="run-heads")
            yield Choices(compact=True, markup=False)
            yield Static("", id="run-options")

    def on_mount(self) -> None:
        listed = self.query_one(OptionList)
        width = max((len(order.says) for order in self._orders), default=0)
        self.query_one("#run-heads", Static).update(
            plain(f"{'':{width}}{_columns('claims', 'checks', 'last time')}", DIM)
        )
        for order in self._orders:
            row = plain(order.says.ljust(width), BOLD)
            row += plain(
                _columns(len(order.claims), order.checks, "" if order.took is None else seconds(order.took)), DIM
            )
            listed.add_option(Option(row, disabled=not order.claims))
        listed.action_first()
        listed.focus()
        self._options()

    def _options(self) -> None:
        first = self._orders[0]
        fresh = "yes, whatever is recorded" if first.fresh else "no, only what is stale or new"
        rows = [
            ("b", "budget", f"{first.budget}: {BUDGETS[first.budget]}"),
            ("a", "again", fresh),
            ("+ -", "seed", str(first.seed)),
        ]
        lines = [plain(f"{key:>4}  ", BOLD) + plain(f"{name:<8}", DIM) + plain(value) for key, name, value in rows]
        self.query_one("#run-options", Static).update(Content("\n").join(lines))

    def action_budget(self) -> None:
        budgets = list(Budget)
        after = budgets[(budgets.index(self._orders[0].budget) + 1) % len(budgets)]
        self._orders = [replace(order, budget=after) for order in self._orders]
        self._options()

    def action_again(self) -> None:
        self._orders = [replace(order, fresh=not order.fresh) for order in self._orders]
        self._options()

    def action_seed(self, by: int) -> None:
        self._orders = [replace(order, seed=max(0, order.seed + by)) for order in self._orders]
        self._options()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._orders[event.option_index])
