"""The right side of the walk: a claim, its checks and the evidence of the chosen one; or a paper."""

from __future__ import annotations

from shlex import quote
from typing import cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import ContentSwitcher

from implicitbias.claims.check import Check
from implicitbias.claims.statement import Claim, Paper
from implicitbias.judging.result import Result

from ..host import Host
from ..messages import CheckChosen, EvidenceRead, HistoryRead, Rechecked, TryLeft
from .checks_table import ChecksTable
from .claim_page import ClaimPage
from .detail import Detail
from .focusing import focus_now
from .try_panel import TryPanel

PAUSE = 0.02
"""Seconds on a check before its evidence is read, so that moving fast over many reads none of them."""


class Reader(Vertical):
    """Shows one claim or paper; asks the application for evidence, history and the trusted checker's answer."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.claim: Claim | None = None
        self._check = ""
        self._reading: Timer | None = None

    def compose(self) -> ComposeResult:
        yield ClaimPage(id="page")
        yield ChecksTable(id="checks")
        with ContentSwitcher(initial="detail", id="below"):
            yield Detail(id="detail")
            yield TryPanel(id="try")

    @property
    def host(self) -> Host:
        return cast(Host, self.app)

    @property
    def detail(self) -> Detail:
        return self.query_one(Detail)

    @property
    def check(self) -> Check | None:
        if self.claim is None:
            return None
        return next((c for c in self.claim.checks if c.name == self._check), self.claim.checks[0])

    @property
    def is_trying(self) -> bool:
        return self.query_one("#below", ContentSwitcher).current == "try"

    def show(self, claim: Claim) -> None:
        """Show another claim, or the same one with what is new."""
        self.remove_class("paper")
        if self.claim is None or claim.id != self.claim.id:
            self._check = ""
            self.close_try()
        self.claim = claim
        self.query_one(ClaimPage).show_claim(self.host.snapshot, claim)
        self.show_checks()
        self._show_check()

    def show_paper(self, paper: Paper) -> None:
        """Show the page of a paper, which has no checks."""
        self._leave_claim()
        self.query_one(ClaimPage).show_paper(self.host.snapshot, paper)

    def show_nothing(self, typed: str) -> None:
        """Say that no claim passes the filter, in the place of one that does not."""
        self._leave_claim()
        self.query_one(ClaimPage).show_nothing(typed)

    def _leave_claim(self) -> None:
        self.close_try()
        self.claim, self._check = None, ""
        self.add_class("paper")

    def show_checks(self) -> None:
        if self.claim is not None and self.check is not None:
            progress = self.host.progress
            running = set(progress.active) if progress else set()
            now = self.host.settings.clock()
            self.query_one(ChecksTable).show(self.host.snapshot, self.claim, self.check.name, running, now)

    def _show_check(self) -> None:
        """The chosen check; its evidence is read when the reader stays on it."""
        if self.claim is None or self.check is None:
            return
        self.detail.show_check(self.host.snapshot, self.claim, self.check, self.host.settings.clock())
        if self.detail.entry is None and self.host.snapshot.result(self.claim.id, self.check.name) is None:
            self.detail.draw()
        if self._reading is not None:
            self._reading.stop()
        self._reading = self.set_timer(PAUSE, self._read)

    def _read(self) -> None:
        if self.claim is not None and self.check is not None:
            self.host.read_evidence(self, self.claim.id, self.check.name)
            if self.detail.tab == "History":
                self.host.read_history(self, self.claim.id, self.check.name)

    @on(CheckChosen)
    def _check_chosen(self, event: CheckChosen) -> None:
        self._check = event.check
        self._show_check()

    def _is_shown(self, claim: str, check: str) -> bool:
        return self.claim is not None and self.check is not None and (self.claim.id, self.check.name) == (claim, check)

    @on(EvidenceRead)
    def _evidence_read(self, event: EvidenceRead) -> None:
        if self._is_shown(event.claim, event.check):
            self.detail.show_evidence(event.entry)

    @on(HistoryRead)
    def _history_read(self, event: HistoryRead) -> None:
        if self._is_shown(event.claim, event.check):
            self.detail.show_history(event.entries)

    @on(Rechecked)
    def _rechecked(self, event: Rechecked) -> None:
        if self._is_shown(event.claim, event.check):
            self.detail.show_rechecked(event.outcomes)

    # What the keys do

    def next_check(self, by: int) -> None:
        self.query_one(ChecksTable).step(by)

    def next_control(self) -> None:
        if self.claim is not None:
            self.close_try()
            self.detail.next_control()

    def show_tab(self, tab: str) -> None:
        self.close_try()
        self.detail.show_tab(tab)
        if tab == "History":
            self._read()

    def step_in(self) -> None:
        """From the claim to its checks, then to what they found."""
        focused = self.screen.focused.id if self.screen.focused else ""
        if self.claim is None:
            focus_now(self.query_one("#page"))
        elif focused in ("checks-list", "detail-pane", "plot-pane"):
            focus_now(self.query_one(f"#{self.query_one('#detail-switch', ContentSwitcher).current}"))
        else:
            focus_now(self.query_one("#checks-list" if focused == "page" else "#page"))

    def step_out(self) -> bool:
        """Go one pane back; False if there was none."""
        focused = self.screen.focused.id if self.screen.focused else ""
        if focused in ("detail-pane", "plot-pane"):
            focus_now(self.query_one("#checks-list"))
        elif focused == "checks-list":
            focus_now(self.query_one("#page"))
        else:
            return False
        return True

    def open_try(self) -> None:
        if self.claim is None:
            return
        if not isinstance(self.claim.formula, str):
            self.notify("This claim states a rule, which no formula can take the place of.", severity="warning")
            return
        self.query_one("#below", ContentSwitcher).current = "try"
        self.query_one(TryPanel).open(self.claim, self.host.settings)

    @on(TryLeft)
    def close_try(self) -> None:
        if self.is_trying:
            inside = self.query_one(TryPanel).has_focus_within
            self.query_one(TryPanel).close()
            self.query_one("#below", ContentSwitcher).current = "detail"
            if inside:
                focus_now(self.query_one("#page"))

    def recheck(self) -> None:
        if (found := self._with_certificates()) is not None:
            self.show_tab("Certificate")
            self.host.recheck(self, found.claim, found.check, found.evidence.certificates)

    def write(self) -> None:
        if (found := self._with_certificates()) is not None:
            where = self.host.write_certificates(found.claim, found.check, found.evidence.certificates)
            if where:
                self.show_tab("Certificate")
                self.detail.show_written(where)

    def _with_certificates(self) -> Result | None:
        entry = self.detail.entry if self.claim is not None else None
        if entry is None or not entry.result.evidence.certificates:
            self.notify("This check has left no certificates.")
            return None
        return entry.result

    def command_line(self) -> str:
        """The command that reproduces what is shown."""
        options, claim = self.host.settings.arguments(), self.claim
        if claim is None:
            return f"implicitbias list{options}"
        formula = self.query_one(TryPanel).formula
        if self.is_trying and formula:
            return f"implicitbias try {claim.id} --formula {quote(formula)}{options}"
        if self.detail.tab == "Certificate" and self.detail.written:
            return f"implicitbias check-certificate {quote(self.detail.written)}"
        if self.detail.tab == "History":
            return f"implicitbias history {claim.id}{options}"
        return f"implicitbias verify {claim.id}{self.host.settings.arguments(run=True)}"
