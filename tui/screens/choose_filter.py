"""A dialog that chooses the standings and kinds of check that the tree shows."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from implicitbias.claims.check import Kind
from implicitbias.judging.verdict import WEAKEST_FIRST, Standing
from implicitbias.report.words import claims_apart

from ..data.filter import Filter
from ..data.snapshot import Snapshot
from ..messages import FilterChanged
from ..says.wording import BOLD, DIM, STANDING_WIDTH, badge, plain
from ..widgets.choices import Choices
from .dialogue import Dialogue

Choice = str | Standing | Kind
ATTENTION = "attention"


class ChooseFilter(Dialogue[Filter]):
    """Dismisses with the filter; if nothing is chosen everything passes. The tree follows at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "choose", "Choose"),
        Binding("c", "clear", "Let everything pass"),
    ]

    def __init__(self, chosen: Filter, snapshot: Snapshot) -> None:
        super().__init__()
        self._filter, self._snapshot = chosen, snapshot
        self._choices: list[Choice] = [ATTENTION, *reversed(WEAKEST_FIRST), *Kind]

    def compose(self) -> ComposeResult:
        listed = Choices(classes="dialogue", compact=True, markup=False)
        listed.border_title = "show"
        listed.border_subtitle = "space chooses, c clears, esc closes"
        yield listed

    def on_mount(self) -> None:
        listed = self.query_one(OptionList)
        listed.add_options([Option(self._row(choice)) for choice in self._choices])
        listed.highlighted = 0
        listed.focus()

    def _row(self, choice: Choice) -> Content:
        box = plain("[x] " if self._has(choice) else "[ ] ", BOLD if self._has(choice) else DIM)
        if isinstance(choice, Standing):
            having = [c for c in self._snapshot.claims if self._snapshot.standing(c.id).standing is choice]
            return box + badge(choice, STANDING_WIDTH + 2) + plain(claims_apart(having), DIM)
        if isinstance(choice, Kind):
            return box + plain(f"has a check by {choice}")
        return box + plain("only what needs a look")

    def _has(self, choice: Choice) -> bool:
        f = self._filter
        return f.attention if choice == ATTENTION else choice in f.standings or choice in f.kinds

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_choose()

    def action_choose(self) -> None:
        listed = self.query_one(OptionList)
        if listed.highlighted is None:
            return
        choice, f = self._choices[listed.highlighted], self._filter
        if isinstance(choice, Standing):
            f = replace(f, standings=f.standings ^ {choice})
        elif isinstance(choice, Kind):
            f = replace(f, kinds=f.kinds ^ {choice})
        else:
            f = replace(f, attention=not f.attention)
        self._set(f)

    def action_clear(self) -> None:
        self._set(Filter())

    def _set(self, chosen: Filter) -> None:
        self._filter = chosen
        listed = self.query_one(OptionList)
        for index, choice in enumerate(self._choices):
            listed.replace_option_prompt_at_index(index, self._row(choice))
        self.app.screen_stack[-2].post_message(FilterChanged(chosen))

    def action_close(self) -> None:
        self.dismiss(self._filter)
