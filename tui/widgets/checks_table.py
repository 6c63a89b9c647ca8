"""The checks of a claim: kind, verdict, controls rejected, margin, seconds, age, and what was tried."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Resize
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from implicitbias.claims.check import Check
from implicitbias.claims.statement import Claim
from implicitbias.errors import DataError
from implicitbias.exact.rational import exact
from implicitbias.judging.judgement import Outcome
from implicitbias.judging.result import Result
from implicitbias.report.prose import prose
from implicitbias.report.words import seconds

from ..data.snapshot import Snapshot
from ..messages import CheckChosen
from ..says.wording import BOLD, DIM, RED, YELLOW, age, badge, plain
from .choices import Choices
from .focusing import focus_now

COLUMNS = (("kind", 11), ("verdict", 11), ("controls", 8), ("margin", 9), ("took", 7), ("age", 6))
SPARE = ("margin", "age", "took")
"""The columns to omit if there is no room, the first one first."""

LEAST_NAME = 18

TALL = 30
"""Lines of the terminal from which on each check has a second line, for what was tried."""


class ChecksTable(Vertical):
    """Posts `CheckChosen`."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "read", "Read it", show=False)]

    def compose(self) -> ComposeResult:
        yield Static("", id="checks-header")
        yield Choices(id="checks-list", compact=True, markup=False)

    def on_mount(self) -> None:
        self.border_title = "checks"
        self._shown: tuple[Snapshot, Claim, Collection[tuple[str, str]], datetime] | None = None
        self._filled = 0

    def show(
        self, snapshot: Snapshot, claim: Claim, chosen: str, running: Collection[tuple[str, str]], now: datetime
    ) -> None:
        self._shown = (snapshot, claim, running, now)
        self._fill(chosen)

    @property
    def chosen(self) -> str | None:
        index = self.query_one(OptionList).highlighted
        if self._shown is None or index is None:
            return None
        return self._shown[1].checks[index].name

    def _fill(self, chosen: str | None) -> None:
        if self._shown is None:
            return
        snapshot, claim, running, now = self._shown
        self._filled = self.size.width
        width = self._filled - 3
        columns = _columns(width)
        room = max(LEAST_NAME, width - 2 - sum(size + 2 for _, size in columns))
        header = ["  " + "check".ljust(room), *(name.ljust(size) for name, size in columns)]
        self.query_one("#checks-header", Static).update(plain("  ".join(header), DIM), layout=False)
        listed = self.query_one(OptionList)
        rows = [self._row(snapshot, claim, check, columns, room, running, now) for check in claim.checks]
        with self.prevent(OptionList.OptionHighlighted):
            if listed.option_count == len(rows):
                for index, row in enumerate(rows):
                    listed.replace_option_prompt_at_index(index, row)
                listed.refresh()
            else:
                listed.set_options([Option(row) for row in rows])
            names = [check.name for check in claim.checks]
            listed.highlighted = names.index(chosen) if chosen in names else 0
        height = min(sum(row.plain.count("\n") + 1 for row in rows), 6 if self.app.size.height >= TALL else 4)
        if listed.styles.height is None or listed.styles.height.value != height:
            listed.styles.height = height

    def _row(
        self,
        snapshot: Snapshot,
        claim: Claim,
        check: Check,
        columns: list[tuple[str, int]],
        room: int,
        running: Collection[tuple[str, str]],
        now: datetime,
    ) -> Content:
        key = (claim.id, check.name)
        result, when = snapshot.result(*key), snapshot.recorded.get(key)
        elsewhere = plain("↓ ", DIM) if snapshot.is_from_elsewhere(*key) else plain("  ")
        mark = plain("▸ ", BOLD) if key in running else plain("↻ ", YELLOW) if key in snapshot.stale else elsewhere
        cells = {
            "kind": plain(str(check.kind)),
            "verdict": badge(result.verdict) if result else plain("· not run", DIM),
            "controls": _controls(result, len(claim.controls)),
            "margin": plain(margin(result), DIM),
            "took": plain(took(result.seconds) if result else "", DIM),
            "age": plain(age(when, now) if when else "", DIM),
        }
        name = plain(check.name).truncate(room, ellipsis=True).pad_right(max(0, room - len(check.name)))
        parts = [mark + name]
        for column, size in columns:
            cell = cells[column].truncate(size, ellipsis=True)
            parts.append(cell.pad_right(size - cell.cell_length))
        row = Content("  ").join(parts)
        if result is None or not result.verdict.accepts or self.app.size.height < TALL:
            return row
        tried = plain(f"    {prose(result.reason)}", DIM).truncate(row.cell_length, ellipsis=True)
        return Content("\n").join([row, tried])

    def on_resize(self, event: Resize) -> None:
        self.fit()

    def fit(self) -> None:
        """Fill the width; beneath another screen the table is laid out anew without being told."""
        if self.size.width != self._filled:
            self._fill(self.chosen)

    def step(self, by: int) -> None:
        """Go to the next check or the previous one."""
        listed = self.query_one(OptionList)
        count = listed.option_count
        if count:
            listed.highlighted = ((listed.highlighted or 0) + by) % count

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if self._shown is not None:
            self.post_message(CheckChosen(self._shown[1].checks[event.option_index].name))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        focus_now(self.screen.query_one("#detail-pane"))

    def action_read(self) -> None:
        focus_now(self.screen.query_one("#detail-pane"))


def _columns(width: int) -> list[tuple[str, int]]:
    columns = list(COLUMNS)
    for name in SPARE:
        if width - 2 - sum(size + 2 for _, size in columns) >= LEAST_NAME:
            break
        columns = [column for column in columns if column[0] != name]
    return columns


def _controls(result: Result | None, total: int) -> Content:
    if result is None:
        return plain(f"–/{total}", DIM)
    rejected = result.controls_rejected
    return plain(f"{rejected}/{total}", "" if rejected else RED)


def took(duration: float) -> str:
    """A duration in one unit, short enough for its column.

    >>> took(0.25), took(75)
    ('0.25 s', '1 min')
    """
    return " ".join(seconds(duration).split()[:2])


def margin(result: Result | None) -> str:
    """The margin of the counterexample: the claim's own if it is refuted, otherwise that of the nearest control."""
    if result is None:
        return ""
    if result.formula is not None and result.formula.outcome is Outcome.REJECTED:
        found = result.formula.counterexample
        return found.margin if found else ""
    margins = []
    for judgement in result.controls.values():
        if judgement.outcome is Outcome.REJECTED and judgement.counterexample and judgement.counterexample.margin:
            try:
                margins.append(float(exact(judgement.counterexample.margin.removeprefix("≈ "))))
            except (DataError, OverflowError):
                continue
    return f"{min(margins):.3g}" if margins else ""
