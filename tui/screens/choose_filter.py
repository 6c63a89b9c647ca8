"""Which standings and kinds the tree shows."""

from __future__ import annotations

from dataclasses import replace

from textual import on
from textual.app import ComposeResult
from textual.widgets import SelectionList
from textual.widgets.selection_list import Selection

from implicitbias.check import Kind
from implicitbias.verdict import Standing

from ..data.filter import Filter
from ..data.snapshot import WORST_FIRST, Snapshot
from ..messages import FilterChanged
from ..says.wording import STANDING_WIDTH, badge, plain
from .dialogue import Dialogue

ATTENTION = "attention"


class ChooseFilter(Dialogue[Filter]):
    """Answers with the filter; nothing chosen lets everything pass."""

    def __init__(self, chosen: Filter, snapshot: Snapshot) -> None:
        super().__init__()
        self._filter, self._snapshot = chosen, snapshot

    def compose(self) -> ComposeResult:
        _, counts = self._snapshot.rolled_up(self._snapshot.claims)
        f = self._filter
        rows = [Selection(plain("only what needs a look", "bold"), ATTENTION, f.attention)]
        for word in reversed(WORST_FIRST):
            label = badge(word, STANDING_WIDTH + 2) + plain(str(counts.get(word, 0)), "dim")
            rows.append(Selection(label, str(word), word in f.standings))
        for kind in Kind:
            label = plain(f"has a check by {kind}")
            rows.append(Selection(label, str(kind), kind in f.kinds))
        listed: SelectionList[str] = SelectionList(*rows, classes="dialogue", compact=True)
        listed.border_title = "show"
        listed.border_subtitle = "space chooses, esc closes"
        yield listed

    @on(SelectionList.SelectedChanged)
    def _changed(self, event: SelectionList.SelectedChanged[str]) -> None:
        chosen = set(event.selection_list.selected)
        self._filter = replace(
            self._filter,
            attention=ATTENTION in chosen,
            standings=frozenset(word for word in Standing if word in chosen),
            kinds=frozenset(kind for kind in Kind if kind in chosen),
        )
        self.app.screen_stack[-2].post_message(FilterChanged(self._filter))

    def action_close(self) -> None:
        self.dismiss(self._filter)
