"""A dialog that picks a related claim: headline, parts, what this one rests on and what rests on it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from implicitbias.report.words import located, titled

from ..data.snapshot import Snapshot
from ..says.wording import DIM, STANDING_WIDTH, badge, plain
from ..widgets.choices import Choices
from .dialogue import Dialogue


class ChooseClaim(Dialogue[str]):
    """Dismisses with the claim's id."""

    def __init__(self, snapshot: Snapshot, groups: Sequence[tuple[str, Sequence[str]]]) -> None:
        super().__init__()
        self._snapshot, self._groups = snapshot, groups

    def compose(self) -> ComposeResult:
        listed = Choices(classes="dialogue", compact=True, markup=False)
        listed.border_title = "go to"
        listed.border_subtitle = "enter goes, esc stays"
        yield listed

    def on_mount(self) -> None:
        listed = self.query_one(OptionList)
        listed_already: set[str] = set()
        for title, group in self._groups:
            names = [name for name in group if name not in listed_already]
            listed_already.update(names)
            if names:
                listed.add_option(Option(plain(title), disabled=True))
            for name in names:
                standing = self._snapshot.standing(name)
                row = (
                    badge(standing.standing, STANDING_WIDTH)
                    + plain(f"  {located(standing.claim)}", DIM)
                    + plain(f"  {titled(standing.claim)}")
                )
                listed.add_option(Option(row, id=name))
        listed.action_first()
        listed.focus()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id)
