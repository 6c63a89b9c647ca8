"""Which run computes what, when several share a ledger: one of them does, and the others wait for what it records.

A lease belongs to a run. It ends with the run, also if that is killed (-9): on this machine because the process is
gone, from another machine because it is no longer renewed.
"""

from __future__ import annotations

import os
import platform
import time
import uuid

from implicitbias.record.ledger import Ledger

BEAT = 5.0
"""Seconds between renewals."""

LAPSE = 60.0
"""Seconds after which a lease that is not renewed has lapsed: a machine under load may miss some beats."""


class Leases:
    """The leases of one run."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._run = uuid.uuid4().hex
        self._host = platform.node()
        self._held: set[str] = set()
        self._renewed = time.time()

    def take(self, key: str) -> bool:
        """Take the lease of this key, unless another run that lives holds it."""
        now = time.time()
        with self._ledger.writing() as connection:
            row = connection.execute("SELECT run, host, process, renewed FROM leases WHERE key = ?", (key,)).fetchone()
            if row is not None and row[0] != self._run and self._lives(row[1], row[2], now - row[3]):
                return False
            connection.execute(
                "INSERT OR REPLACE INTO leases (key, run, host, process, renewed) VALUES (?, ?, ?, ?, ?)",
                (key, self._run, self._host, os.getpid(), now),
            )
        self._held.add(key)
        return True

    def release(self, key: str) -> None:
        """Give the lease of this key back, if this run holds it."""
        if key in self._held:
            self._held.discard(key)
            with self._ledger.writing() as connection:
                connection.execute("DELETE FROM leases WHERE key = ? AND run = ?", (key, self._run))

    def release_all(self) -> None:
        if self._held:
            self._held.clear()
            with self._ledger.writing() as connection:
                connection.execute("DELETE FROM leases WHERE run = ?", (self._run,))

    def renew(self) -> None:
        """Renew the leases when it is time to."""
        now = time.time()
        if self._held and now - self._renewed > BEAT:
            self._renewed = now
            with self._ledger.writing() as connection:
                connection.execute("UPDATE leases SET renewed = ? WHERE run = ?", (now, self._run))

    def _lives(self, host: str, process: int, age: float) -> bool:
        if abs(age) > LAPSE:
            return False
        return host != self._host or _is_there(process)


def _is_there(process: int) -> bool:
    """Whether the process exists; True where there is no harmless way to ask."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
