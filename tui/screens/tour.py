"""The tour: one claim after another as a lesson in six stages. Space goes on, backspace back; the place is kept."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from implicitbias.claims.statement import Claim
from implicitbias.judging.result import Result

from ..data import memory
from ..data.snapshot import Snapshot
from ..messages import EvidenceRead
from ..says import lesson, plotted
from ..says.wording import ACCENT, BOLD, DIM, plain
from ..widgets.plot_pane import PlotPane
from ..widgets.reading_pane import ReadingPane
from .main_screen import MainScreen

PLOTTED = (2, 3)
"""The stages beside which there is a plot: the observation and the judgement."""

LEAST_CURVE = 8
"""Points from which a plot says more than the numbers."""


class TourScreen(MainScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,l,right,enter", "step(1)", "On"),
        Binding("backspace,h,left", "step(-1)", "Back", key_display="backspace"),
        Binding("n", "claim(1)", "Next"),
        Binding("p", "claim(-1)", "Claim before", show=False),
        Binding("R", "app.run_this", "Run this claim", show=False),
        Binding("escape", "leave", "Walk"),
    ]

    def __init__(self, start: str = "") -> None:
        """`start`: the claim to begin with; empty for where the tour was left."""
        super().__init__()
        self._start = start
        self.at, self.stage = 0, 0
        self._results: dict[str, Result] = {}

    def compose_body(self) -> ComposeResult:
        yield Static("", id="tour-head")
        with Horizontal(id="lesson"):
            yield ReadingPane(id="lesson-says")
            yield PlotPane(id="lesson-plot")

    def on_mount(self) -> None:
        ids = [claim.id for claim in self.host.snapshot.claims]
        start, stage = (self._start, 0) if self._start else memory.recall(self.host.settings.memory)
        if start in ids:
            self.at, self.stage = ids.index(start), min(max(stage, 0), len(lesson.STAGES) - 1)
        self.query_one(ReadingPane).focus()
        self.call_after_refresh(self._claim)

    @property
    def shown_claim(self) -> Claim | None:
        claims = self.host.snapshot.claims
        return claims[min(self.at, len(claims) - 1)] if claims else None

    def command_line(self) -> str:
        claim = self.shown_claim
        return f"implicitbias show {claim.id}{self.host.settings.arguments()}" if claim else super().command_line()

    def snapshot_changed(self, snapshot: Snapshot) -> None:
        self._read()
        self._draw()

    def _claim(self) -> None:
        self._results = {}
        self._read()
        self._draw()

    def _read(self) -> None:
        claim = self.shown_claim
        if claim is not None:
            for check in claim.checks:
                if self.host.snapshot.result(claim.id, check.name) is not None:
                    self.host.read_evidence(self, claim.id, check.name, group=check.name)

    @on(EvidenceRead)
    def _evidence_read(self, event: EvidenceRead) -> None:
        claim = self.shown_claim
        if claim is not None and event.claim == claim.id and event.entry is not None:
            self._results[event.check] = event.entry.result
            self._draw()

    def _draw(self) -> None:
        claim = self.shown_claim
        if claim is None:
            return
        snapshot = self.host.snapshot
        ordered = {c.name: self._results[c.name] for c in claim.checks if c.name in self._results}
        self.query_one("#tour-head", Static).update(self._head(claim))
        blocks = lesson.stage(self.stage, snapshot, claim, ordered)
        self.query_one(ReadingPane).show(blocks, about=(claim.id, self.stage))
        self._plot(claim, ordered)

    def _head(self, claim: Claim) -> Content:
        total = len(self.host.snapshot.claims)
        dots = "●" * (self.stage + 1) + "○" * (len(lesson.STAGES) - self.stage - 1)
        left = plain(dots, ACCENT) + plain(f"  {claim.source.locator} · ", BOLD) + plain(claim.title, BOLD)
        place = plain(f"{self.at + 1} of {total}", DIM)
        width = self.size.width - 4
        room = max(0, width - left.cell_length - place.cell_length)
        if room < 2:
            left, room = left.truncate(width - place.cell_length - 2, ellipsis=True), 2
        return left + Content(" " * room) + place

    def _plot(self, claim: Claim, results: dict[str, Result]) -> None:
        pane = self.query_one(PlotPane)
        pane.display = False
        if self.stage not in PLOTTED or self.size.width < 100:
            return
        for result in results.values():
            series, label = plotted.evidence(result.evidence, tuple(claim.symbols))
            if result.evidence.curves or sum(len(s.x) for s in series) >= LEAST_CURVE:
                pane.display = True
                pane.show(series, x_label=label)
                return

    def action_step(self, by: int) -> None:
        stage = self.stage + by
        if 0 <= stage < len(lesson.STAGES):
            self.stage = stage
            self._draw()
        elif self.action_claim(by) and by < 0:
            self.stage = len(lesson.STAGES) - 1
            self._draw()
        self._remember()

    def action_claim(self, by: int) -> bool:
        """To another claim; whether there was one."""
        at = self.at + by
        if not 0 <= at < len(self.host.snapshot.claims):
            self.notify("That was the last claim." if by > 0 else "This is the first claim.")
            return False
        self.at, self.stage = at, 0
        self._claim()
        self._remember()
        return True

    def _remember(self) -> None:
        claim = self.shown_claim
        if claim is not None:
            memory.remember(self.host.settings.memory, claim.id, self.stage)

    def action_leave(self) -> None:
        claim = self.shown_claim
        self.app.pop_screen()
        if claim is not None:
            self.host.go(claim.id)
