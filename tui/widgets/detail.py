"""The chosen check in tabs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import ContentSwitcher

from implicitbias.claims.check import Check
from implicitbias.claims.statement import Claim
from implicitbias.record.ledger import Entry

from ..data.snapshot import Snapshot
from ..says import certificate, controls, derivation, evidence, history, plotted
from ..says.blocks import Block
from ..says.canvas import Chart
from .focusing import focus_now
from .plot_pane import PlotPane
from .reading_pane import ReadingPane
from .tab_strip import CERTIFICATE, DERIVATION, EVIDENCE, PLOT, TABS, TabStrip

NOTHING = {
    DERIVATION: "This check derives nothing: 2 shows what it observed.",
    EVIDENCE: "This check derives what it finds, and observes nothing: 1 shows how.",
    PLOT: "This check leaves nothing to plot.",
    CERTIFICATE: "This check leaves no certificate file: its evidence is all here.",
}
"""What is said where a check has nothing for a tab."""


class Detail(Vertical):
    """Derivation, evidence, plot, controls, certificate, history."""

    def on_mount(self) -> None:
        self.snapshot: Snapshot | None = None
        self.claim: Claim | None = None
        self.check: Check | None = None
        self.entry: Entry | None = None
        self.history: Sequence[Entry] | None = None
        self.rechecked: Sequence[tuple[bool, str]] | None = None
        self.written = ""
        self.now: datetime | None = None
        self.wanted = ""
        """The tab that the user has chosen: it stays when the check changes, where the check has it."""
        self.charts: Sequence[Chart] = ()
        self.beside: int | None = None
        """The number of the control that evidence shows beside the claim."""

    def compose(self) -> ComposeResult:
        yield TabStrip(id="tab-strip")
        with ContentSwitcher(initial="detail-pane", id="detail-switch"):
            yield ReadingPane(id="detail-pane")
            yield PlotPane(id="plot-pane")

    @property
    def tab(self) -> str:
        return self.query_one(TabStrip).active

    def show_check(self, snapshot: Snapshot, claim: Claim, check: Check, now: datetime) -> None:
        """Show another check, or the same one with what is new; its evidence follows by `show_evidence`."""
        if self.claim is None or self.check is None or (self.claim.id, self.check.name) != (claim.id, check.name):
            self.entry = self.history = self.rechecked = self.beside = None
            self.written = ""
            self.charts = ()
        self.snapshot, self.claim, self.check, self.now = snapshot, claim, check, now
        self.border_title = check.name

    def show_evidence(self, entry: Entry | None) -> None:
        self.entry = entry
        if self.claim is not None and entry is not None:
            self.charts = plotted.charts(self.claim, entry.result)
            tab = self.wanted if self.wanted in self._tabs else ""
            self.show_tab(tab or self._tabs[0], pin=False)
        self.query_one(TabStrip).tabs = self._tabs
        self.draw()

    @property
    def _tabs(self) -> tuple[str, ...]:
        """Where there is nothing to show there is no tab."""
        if self.entry is None:
            return TABS
        found = self.entry.result.evidence
        derived = bool(found.theorems or found.steps or found.identities)
        empty = {
            DERIVATION: not derived,
            EVIDENCE: derived and not (found.instances or found.premises or found.measured),
            PLOT: not self.charts,
            CERTIFICATE: not found.certificates,
        }
        return tuple(tab for tab in TABS if not empty.get(tab))

    def show_history(self, entries: Sequence[Entry]) -> None:
        self.history = entries
        self.draw()

    def show_rechecked(self, outcomes: Sequence[tuple[bool, str]]) -> None:
        self.rechecked = outcomes
        self.draw()

    def show_written(self, where: str) -> None:
        self.written = where
        self.draw()

    def show_tab(self, tab: str, *, pin: bool = True) -> None:
        """`pin`: the user has chosen the tab."""
        if tab not in self._tabs:
            self.notify(NOTHING[tab])
            return
        if pin:
            if tab == PLOT == self.tab:
                self.query_one(PlotPane).turn()
            self.wanted = tab
        self.query_one(TabStrip).active = tab
        switch = self.query_one(ContentSwitcher)
        had_focus = self.has_focus_within
        switch.current = "plot-pane" if tab == PLOT else "detail-pane"
        self.draw()
        if had_focus:
            focus_now(self.query_one(f"#{switch.current}"))

    def next_control(self) -> None:
        """Show the next control beside the claim, after the last one none."""
        if self.entry is not None and not self.entry.result.evidence.instances:
            self.notify("This check has no instances: ] goes to the next one.")
        elif self.claim is not None:
            after = 0 if self.beside is None else self.beside + 1
            self.beside = after if after < len(self.claim.controls) else None
            self.show_tab("Evidence")

    def step(self, by: int) -> None:
        tabs = self._tabs
        self.show_tab(tabs[(tabs.index(self.tab) + by) % len(tabs)])

    def draw(self) -> None:
        """Draw the current tab."""
        if self.claim is None or self.check is None:
            return
        if self.tab == PLOT:
            nothing = "Not run yet: r runs it." if self.entry is None else NOTHING[PLOT]
            self.query_one(PlotPane).show(self.charts, nothing=nothing)
        else:
            about = (self.claim.id, self.check.name, self.tab)
            self.query_one(ReadingPane).show(self._blocks(self.claim, self.check), about)

    def _blocks(self, claim: Claim, check: Check) -> list[Block]:
        result = self.entry.result if self.entry else None
        match self.tab:
            case "Derivation":
                return derivation.blocks(check, result)
            case "Evidence":
                control = None if self.beside is None else claim.controls[self.beside]
                return evidence.blocks(claim, check, result, control)
            case "Controls":
                assert self.snapshot is not None
                return controls.blocks(claim, check.name, result, self.snapshot.standing(claim.id))
            case "Certificate":
                return certificate.blocks(result, self.rechecked, self.written)
            case _:
                assert self.snapshot is not None
                assert self.now is not None
                stale = self.snapshot.stale.get((claim.id, check.name))
                return history.blocks(self.history or (), stale, self.now)
