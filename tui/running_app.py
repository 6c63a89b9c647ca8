"""The part of the application that runs checks: what to run, its progress, and how it is stopped."""

from __future__ import annotations

from dataclasses import replace

from textual import on

from implicitbias.report.words import count, seconds
from implicitbias.running.events import Event, Finished

from .data.progress import Progress
from .data.running import Order, Run
from .messages import RunEnded, RunEvent
from .reading_app import ReadingApp
from .screens.main_screen import MainScreen

FRAME = 0.1
"""Seconds between two pictures of a run, however many events come."""

FAREWELL = 5.0
"""Seconds to wait for killed workers."""


class RunningApp(ReadingApp):
    """One run at a time."""

    run_now: Run | None = None
    _latest: Progress | None = None
    _drawn: Progress | None = None

    @property
    def stopping(self) -> bool:
        return self.run_now is not None and self.run_now.cancelled

    def orders(self) -> list[Order]:
        """What can be run from here, the narrowest choice first."""
        s, snapshot = self.settings, self.snapshot
        screen = self._main_screen()
        claim = screen.shown_claim if screen else None
        plain = Order("", (), s.budget, s.seed, s.device, workers=s.workers)
        found = []
        if claim is not None:
            found.append(replace(plain, says="this claim", claims=(claim,)))
            if len(below := snapshot.with_support(claim)) > 1:
                found.append(replace(plain, says="this claim and all it rests on", claims=below))
            headline = snapshot.standing(claim.part_of or claim.id).claim
            if len(family := snapshot.family(headline)) > 1:
                says = "its headline with all parts" if claim.part_of else "this headline with its parts"
                found.append(replace(plain, says=says, claims=family))
        if screen is not None and (paper := screen.shown_paper):
            found.append(replace(plain, says="this paper", claims=snapshot.catalogue.of_paper(paper.key)))
        if screen is not None and (shown := screen.filtered_claims):
            found.append(replace(plain, says="what the filter shows", claims=shown))
        stale = tuple(c for c in snapshot.claims if snapshot.is_stale(c) or not snapshot.has_run(c))
        found.append(replace(plain, says="everything", claims=snapshot.claims))
        found.append(replace(plain, says="only failed", claims=snapshot.failed(), fresh=True))
        found.append(replace(plain, says="only stale or not run here", claims=stale))
        return [replace(order, took=snapshot.took(order.claims)) for order in found]

    def action_choose_run(self) -> None:
        if self._is_busy():
            return
        from .screens.choose_run import ChooseRun

        self.push_screen(
            ChooseRun(self.orders(), self.snapshot), lambda order: self.start_run(order) if order else None
        )

    def action_run_this(self) -> None:
        """Run the claim that is shown, even if its recorded results are fresh, and before it all that it rests on."""
        screen = self._main_screen()
        claim = screen.shown_claim if screen else None
        if claim is None:
            self.notify("No claim is shown: r chooses what to run.")
            return
        if self._is_busy():
            return
        s, below = self.settings, tuple(c for c in self.snapshot.with_support(claim) if c.id != claim.id)
        says, took = f"this claim{' and all it rests on' if below else ''}", self.snapshot.took((*below, claim))
        order = Order(says, (claim,), s.budget, s.seed, s.device, True, s.workers, rests_on=below, took=took)
        self.start_run(order)
        last = f"; last time that took {seconds(took)}" if took is not None else ""
        self.notify(f"Running {says}, {count(order.checks, 'check')}{last}. x stops it.")

    def _is_busy(self) -> bool:
        if self.run_now is not None:
            self.notify("A run is in progress: x stops it.", severity="warning")
        return self.run_now is not None

    def start_run(self, order: Order) -> None:
        self._latest = Progress(order)
        self.run_now = Run(order, self.settings.claims, self.settings.ledger, self._tell, self._ended)
        self.run_now.start()
        self.progress = self._drawn = self._latest
        self.set_timer(FRAME, self._draw)

    def _tell(self, event: Event) -> None:
        self.post_message(RunEvent(event))

    def _ended(self, trouble: str) -> None:
        self.post_message(RunEnded(trouble))

    @on(RunEvent)
    def _run_event(self, event: RunEvent) -> None:
        if self._latest is not None:
            self._latest = self._latest.after(event.event)
            if isinstance(event.event, Finished):
                self.read_news()

    def _draw(self) -> None:
        if self.run_now is None:
            return
        if self._latest is not self._drawn:
            self.progress = self._drawn = self._latest
        self.set_timer(FRAME, self._draw)

    @on(RunEnded)
    def _run_ended(self, event: RunEnded) -> None:
        done, run = self._latest, self.run_now
        self.run_now = self._latest = None
        self.read_news()
        self.read_stale()
        if event.trouble:
            self.notify(event.trouble, title="The run ended", severity="error", timeout=10)
        elif run is not None and done is not None:
            self._say_what_came_out(run, done)
        # Last, so that what arrives with this reading is not taken for the results of another process.
        self.set_timer(FRAME, self._clear)

    def _clear(self) -> None:
        if self.run_now is None:
            self.progress = None

    def _say_what_came_out(self, run: Run, done: Progress) -> None:
        if run.cancelled:
            self.notify(f"Stopped after {done.done} of {done.order.checks} checks; what had finished is kept.")
        elif done.finished == 0 and done.reused:
            self.notify(f"Nothing had to run: {count(done.reused, 'result')} still fresh. R runs this claim again.")
        else:
            bad = f", {done.unaccepted} not accepting" if done.unaccepted else ", all accepting"
            severity = "warning" if done.unaccepted else "information"
            self.notify(f"{count(done.finished, 'check')} run{bad}.", severity=severity)  # type: ignore[arg-type]

    def action_stop_run(self) -> None:
        if self.run_now is None:
            self.notify("Nothing is running.")
            return
        self.run_now.cancel()
        self.progress = self._latest

    def end_run(self) -> None:
        """Stop the workers and wait until finished results are stored."""
        if self.run_now is not None:
            self.run_now.cancel()
            self.run_now.wait(FAREWELL)

    def _main_screen(self) -> MainScreen | None:
        return next((screen for screen in reversed(self.screen_stack) if isinstance(screen, MainScreen)), None)
