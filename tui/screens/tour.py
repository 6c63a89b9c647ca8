"""The tour: the claims of the story, or one headline after another, as lessons in six stages.

Space goes forward, backspace back, `m` into the parts of a headline and back to it; the position is remembered.
"""

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
from implicitbias.report.words import located, titled

from ..data import memory
from ..data.snapshot import Snapshot
from ..messages import EvidenceRead
from ..says import lesson, plotted, story
from ..says.wording import ACCENT, BOLD, DIM, plain
from ..widgets.plot_pane import PlotPane
from ..widgets.reading_pane import ReadingPane
from .main_screen import MainScreen

OBSERVED, JUDGED = 2, 3
PLOTTED = (OBSERVED, JUDGED)
"""The stages that show a plot: the observation, and the judgement with the formula."""

LEAST_CURVE = 8
"""Number of points at which a plot begins to say more than the numbers."""


class TourScreen(MainScreen):
    place = "tour"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,l,right,enter", "step(1)", "On"),
        Binding("backspace,h,left", "step(-1)", "Back", key_display="bksp"),
        Binding("n", "claim(1)", "Next"),
        Binding("p", "claim(-1)", "Previous claim", show=False),
        Binding("m", "parts", "Parts"),
        Binding("3", "turn", "Next plot", show=False),
        Binding("R", "app.run_this", "Run this claim", show=False),
        Binding("escape", "leave", "Walk"),
    ]

    def __init__(self, start: str = "") -> None:
        """`start`: the claim to begin with, on the way through the headlines; by default the story goes on where it was
        left."""
        super().__init__()
        self._start = start
        self._through_headlines = bool(start)
        self.at, self.stage = 0, 0
        self._headline = ""
        """The headline whose parts are shown; empty on the way through the headlines."""
        self._results: dict[str, Result] = {}

    def compose_body(self) -> ComposeResult:
        yield Static("", id="tour-head")
        with Horizontal(id="lesson"):
            yield ReadingPane(id="lesson-says")
            yield PlotPane(id="lesson-plot")

    def on_mount(self) -> None:
        standings = self.host.snapshot.standings
        start, stage = (self._start, 0) if self._start else memory.recall(self.host.settings.memory)
        if start in standings:
            self._headline = standings[start].claim.part_of
            told = {claim.id for claim in story.told(self.host.snapshot.catalogue)}
            self._through_headlines = (self._headline or start) not in told or self._through_headlines
            ids = [claim.id for claim in self.route]
            self.at, self.stage = ids.index(start), min(max(stage, 0), len(lesson.STAGES) - 1)
        self.query_one(ReadingPane).focus()
        self.call_after_refresh(self._claim)

    @property
    def route(self) -> tuple[Claim, ...]:
        """The claims of the story or the headlines, or the parts of one."""
        catalogue = self.host.snapshot.catalogue
        if self._headline:
            return catalogue.parts_of(self._headline)
        told = () if self._through_headlines else story.told(catalogue)
        return tuple(told) or catalogue.headlines

    @property
    def chapter(self) -> int | None:
        """The chapter of the story that the claim is told in, from 0."""
        if self._through_headlines or self._headline or not story.told(self.host.snapshot.catalogue):
            return None
        return self.at

    @property
    def shown_claim(self) -> Claim | None:
        route = self.route
        return route[min(self.at, len(route) - 1)] if route else None

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
        if self.stage == 0 and self.chapter is not None:
            blocks = [*story.opening(self.chapter), *blocks]
        if self._plot(claim, ordered) and self.stage == JUDGED and self.chapter is not None:
            blocks = [*blocks[:2], *story.look(self.chapter), *blocks[2:]]
        self.query_one(ReadingPane).show(blocks, about=(claim.id, self.stage))

    def _head(self, claim: Claim) -> Content:
        dots = "●" * (self.stage + 1) + "○" * (len(lesson.STAGES) - self.stage - 1)
        left = plain(dots, ACCENT) + plain(f"  {located(claim)}", BOLD)
        title = plain(titled(claim), BOLD)
        what = "part " if self._headline else "" if self.chapter is None else "chapter "
        place = plain(f"{what}{self.at + 1} of {len(self.route)}", DIM)
        width = self.size.width - 4
        if left.cell_length + title.cell_length + place.cell_length + 5 <= width:
            left, title = left + plain(" · ", BOLD) + title, Content("")
        left = left.truncate(width - place.cell_length - 2, ellipsis=True)
        first = left + Content(" " * (width - left.cell_length - place.cell_length)) + place
        return first + Content("\n" + " " * (len(dots) + 2)) + title if title.plain else first

    def _plot(self, claim: Claim, results: dict[str, Result]) -> bool:
        """Plot the first check with a curve, on the stages that show one; whether there was one and room for it."""
        pane = self.query_one(PlotPane)
        pane.display = False
        if self.stage not in PLOTTED or self.size.width < 100:
            return False
        for result in results.values():
            charts = plotted.charts(claim, result, judged=self.stage != OBSERVED)
            if any(len(series.x) >= LEAST_CURVE for chart in charts for series in chart.series):
                pane.display = True
                pane.show(charts)
                return True
        return False

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
        """Go to another claim of the route, after the last part to the next headline; False if there is none."""
        at = self.at + by
        if self._headline and not 0 <= at < len(self.route):
            self.action_parts()
            if by < 0:
                return True
            at = self.at + by
        if not 0 <= at < len(self.route):
            what = "headline" if self.chapter is None else "chapter"
            self.notify(f"That was the last {what}." if by > 0 else f"This is the first {what}.")
            return False
        self._to(at)
        return True

    def action_turn(self) -> None:
        self.query_one(PlotPane).turn()

    def action_parts(self) -> None:
        """From a headline to its first part, from a part back to its headline."""
        claim = self.shown_claim
        if claim is None:
            return
        if self._headline:
            self._headline, headline = "", self._headline
            self._to([claim.id for claim in self.route].index(headline))
        elif self.host.snapshot.catalogue.parts_of(claim.id):
            self._headline = claim.id
            self._to(0)
        else:
            self.notify("This headline has no parts.")

    def _to(self, at: int) -> None:
        self.at, self.stage = at, 0
        self._claim()
        self._remember()

    def _remember(self) -> None:
        claim = self.shown_claim
        if claim is not None:
            memory.remember(self.host.settings.memory, claim.id, self.stage)

    def action_leave(self) -> None:
        claim = self.shown_claim
        self.app.pop_screen()
        if claim is not None:
            self.host.go(claim.id)
