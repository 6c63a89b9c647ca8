"""What is known of every check: its last result here or, where nothing has run, the one that came with the package.

Only the user's default ledger has the shipped results beneath it: a ledger that somebody names is shown alone.
"""

from __future__ import annotations

import os
from pathlib import Path

from implicitbias.record import shipped
from implicitbias.record.ledger import PATIENCE, VARIABLE, Entry, Ledger, default_path

NOTHING_READ = -1
"""The row before the first one of `Known.since`."""


class Known:
    """A reader of the ledger `path`, by default the default one. A context manager. Raises LedgerError."""

    def __init__(self, path: Path | None = None, *, patience: float = PATIENCE) -> None:
        path = path or default_path()
        is_default = not os.environ.get(VARIABLE) and path == default_path()
        self._patience = patience
        self.here = Ledger(path, read_only=True, patience=patience) if path.exists() else None
        self._beneath = self._opened(shipped.unpacked()) if is_default else None
        self._brief = self._opened(shipped.without_evidence()) if is_default else None

    def latest(self, claim: str, check: str) -> Entry | None:
        """The last result of a check with its evidence. A damaged one here is not replaced by a shipped one."""
        if self.here is not None and (claim, check) in self.here.checks():
            return self.here.latest(claim, check)
        return self._beneath.latest(claim, check) if self._beneath is not None else None

    def since(self, row: int = NOTHING_READ, *, evidence: bool = False) -> tuple[int, tuple[Entry, ...]]:
        """As `Ledger.since`; if nothing has been read, with the shipped results of the checks that have none here."""
        first = max(row, 0)
        last, entries = self.here.since(first, evidence=evidence) if self.here is not None else (first, ())
        return last, (*(self.elsewhere(evidence=evidence) if row < 0 else ()), *entries)

    def elsewhere(self, *, evidence: bool = False) -> tuple[Entry, ...]:
        """The shipped results of the checks that have none here."""
        beneath = self._beneath if evidence else self._brief
        if beneath is None:
            return ()
        ran = self.here.checks() if self.here is not None else frozenset()
        _, entries = beneath.since(evidence=evidence)
        return tuple(entry for entry in entries if (entry.result.claim, entry.result.check) not in ran)

    def history(self, claim: str, check: str) -> tuple[Entry, ...]:
        """All results of a check, the shipped one first, then the oldest."""
        ledgers = (ledger for ledger in (self._beneath, self.here) if ledger is not None)
        return tuple(entry for ledger in ledgers for entry in ledger.history(claim, check))

    def _opened(self, ledger: Path | None) -> Ledger | None:
        return Ledger(ledger, read_only=True, patience=self._patience) if ledger else None

    def close(self) -> None:
        for ledger in (self.here, self._beneath, self._brief):
            if ledger is not None:
                ledger.close()

    def __enter__(self) -> Known:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
