"""The part of the application that reads: what the ledger holds, what is new in it, what has become stale."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from textual import on
from textual.app import App
from textual.reactive import reactive
from textual.widget import Widget

from implicitbias.claims.catalogue import Catalogue, load
from implicitbias.errors import UserError
from implicitbias.report.words import count

from .data import records, snapshot
from .data.progress import Progress
from .data.snapshot import Snapshot
from .messages import Aged, EvidenceRead, HistoryRead, Rechecked, Recorded
from .settings import Settings

POLL = 1.0
"""Seconds between two looks at the ledger, so that results of other processes show up."""

LEISURE = 0.5
"""Seconds after the first screen before stale results are looked for."""

QUIET = 60.0
"""After this many quiet seconds, notify again when another process records results."""

CHECKING_LIMIT = 60.0
"""Seconds for the trusted checker on one certificate."""


class ReadingApp(App[int]):
    """Reads in threads, which report by messages."""

    snapshot: reactive[Snapshot] = reactive(lambda: snapshot.of(Catalogue((), ())), always_update=True)
    progress: reactive[Progress | None] = reactive(None, always_update=True)

    def __init__(self, catalogue: Catalogue, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.set_reactive(ReadingApp.snapshot, snapshot.of(catalogue))
        self._has_read = False
        self._last_heard = -QUIET

    def start_reading(self) -> None:
        """Read what is recorded before the first screen is drawn, so that it shows results at once; then follow."""
        self._recorded(self._news())
        self.set_interval(POLL, self.read_news)

    def read_news(self) -> None:
        def read() -> None:
            self.post_message(self._news())

        self._in_thread(read, "news")

    def _news(self) -> Recorded:
        row = self.snapshot.row
        try:
            return Recorded(*records.since(self.settings.ledger_path, row))
        except (UserError, OSError) as error:
            return Recorded(row, (), str(error))

    @on(Recorded)
    def _recorded(self, event: Recorded) -> None:
        first, self._has_read = not self._has_read, True
        before = self.snapshot
        if event.trouble:
            if event.trouble != before.trouble:
                self.snapshot = replace(before, trouble=event.trouble)
                self.notify(event.trouble, title="The ledger cannot be read", severity="error", timeout=10)
        elif event.row > before.row:
            self.snapshot = snapshot.with_entries(before, event.entries, event.row)
            if event.entries and not first and self.progress is None:
                self._notify_of_others(len(event.entries))
        elif before.trouble:
            self.snapshot = replace(before, trouble="")
        if first:
            # After the first screen, since this takes as long as everything before it.
            self.set_timer(LEISURE, self.read_stale)

    def _notify_of_others(self, results: int) -> None:
        """Notify once that results of another process arrive; the tree shows the others."""
        now = time.monotonic()
        if now - self._last_heard > QUIET:
            self.notify(f"{count(results, 'result')} of another run arrived; its others will show up here too.")
        self._last_heard = now

    def read_stale(self) -> None:
        """Find out, in the background, which results would not be reused."""
        s, catalogue = self.settings, self.snapshot.catalogue

        def read() -> None:
            try:
                found = records.stale(s.ledger_path, catalogue, s.budget, s.seed, s.device)
            except (UserError, OSError):
                return
            self.post_message(Aged(found))

        self._in_thread(read, "stale")

    @on(Aged)
    def _aged(self, event: Aged) -> None:
        if event.stale != self.snapshot.stale:
            self.snapshot = replace(self.snapshot, stale=event.stale)

    def read_evidence(self, asker: Widget, claim: str, check: str, group: str = "") -> None:
        """Read the evidence of a check; a later request of the same group replaces an earlier one."""

        def read() -> None:
            try:
                entry = records.entry(self.settings.ledger_path, claim, check)
            except (UserError, OSError):
                entry = None
            asker.post_message(EvidenceRead(claim, check, entry))

        self._in_thread(read, f"evidence {group}")

    def read_history(self, asker: Widget, claim: str, check: str) -> None:
        def read() -> None:
            try:
                entries = records.history(self.settings.ledger_path, claim, check)
            except (UserError, OSError):
                entries = ()
            asker.post_message(HistoryRead(claim, check, entries))

        self._in_thread(read, "history")

    def recheck(self, asker: Widget, claim: str, check: str, documents: Sequence[Mapping[str, Any]]) -> None:
        """Have the trusted checker check the certificates again."""

        def read() -> None:
            asker.post_message(Rechecked(claim, check, [_checked(document) for document in documents]))

        self._in_thread(read, "recheck")

    def write_certificates(self, claim: str, check: str, documents: Sequence[Mapping[str, Any]]) -> str:
        """Write them to files in the working folder; the path of the first, empty if they cannot be written."""
        from .data import files

        try:
            written = files.write_certificates(claim, check, documents)
        except UserError as error:
            self.notify(str(error), severity="error")
            return ""
        self.notify(f"{count(len(written), 'certificate')} written to {written[0].parent}")
        return str(written[0])

    def reload(self) -> None:
        """Read claims and ledger again from the beginning; if the folder is broken now, nothing changes."""
        try:
            catalogue = load(self.settings.claims)
        except UserError as error:
            self.notify(str(error), title="The claims cannot be read", severity="error", timeout=15)
            return
        self._has_read = False
        self.snapshot = snapshot.of(catalogue)
        self.read_news()

    def _in_thread(self, work: Callable[[], None], group: str) -> None:
        self.run_worker(work, thread=True, exclusive=True, group=group, exit_on_error=False)


def _checked(document: Mapping[str, Any]) -> tuple[bool, str]:
    from implicitbias.certificate.kernel import check_certificate
    from implicitbias.running.executor import WorkerPool

    pool = WorkerPool(1)
    try:
        outcome = pool.submit_within(CHECKING_LIMIT, check_certificate, dict(document)).result()
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"
    finally:
        pool.stop()
    return outcome.valid, outcome.statement if outcome.valid else outcome.reason
