"""A dialog that picks a related claim: headline, parts, what this one rests on and what rests on it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from implicitbias.claims.statement import Claim
from implicitbias.judging.verdict import GLYPHS
from implicitbias.report.prose import prose
from implicitbias.report.words import titled

from ..data.snapshot import Snapshot
from ..says.blocks import Pairs
from ..says.wording import DIM, OWN, STYLES, plain
from ..widgets.choices import Choices
from ..widgets.laid import Laid
from .dialogue import Dialogue

PLACE = 28
"""Most cells of a place beside which a title stands; below a longer one."""


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
            place = max((cell_len(_place(self._snapshot.standing(name).claim)) for name in names), default=0)
            if names:
                listed.add_option(Option(plain(title), disabled=True))
            for name in names:
                listed.add_option(Option(Laid(self._row(name, place)), id=name))
        listed.action_first()
        listed.focus()

    def _row(self, name: str, place: int) -> Pairs:
        """`✓ Theorem 3.1  Representation cost`: titles begin below each other where the places leave room for them."""
        standing = self._snapshot.standing(name)
        glyph = plain(f"{GLYPHS[str(standing.standing)]} ", STYLES[str(standing.standing)])
        at = plain(_place(standing.claim).ljust(min(place, PLACE)), DIM)
        return Pairs(((glyph + at, plain(titled(standing.claim))),), most=PLACE + 2)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id)


def _place(claim: Claim) -> str:
    return f"{OWN if claim.is_own_result else ' '} {prose(claim.source.locator)}"
