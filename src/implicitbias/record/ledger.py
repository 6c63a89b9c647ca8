"""The ledger, one SQLite file: every Result and every output of a job, appended, never changed.

Write-ahead logging lets several processes read while one writes, and a process killed in the middle (-9 included)
leaves a file that opens and holds everything that was appended. Writers wait for each other. Documents are JSON,
arrays `.npy` bytes; nothing in the file is ever executed or unpickled. A row that is damaged is logged as a warning and
skipped; it hides what was recorded before it, which it may have contradicted: its check counts as not run.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from implicitbias.judging.result import Result
from implicitbias.record.outputs import Packed
from implicitbias.record.rows import (
    RESULT,
    DamagedRowError,
    Entry,
    entry_of,
    is_duration,
    output_of,
    seal_of,
    seal_of_job,
    used_by,
)
from implicitbias.record.schema import connect, errors_of, make_folder, transaction
from implicitbias.record.used import Used

__all__ = ["Entry", "Ledger", "default_path"]

_log = logging.getLogger(__name__)

VARIABLE = "IMPLICITBIAS_LEDGER"
"""The environment variable that names a file to use instead of the one in the user's data folder."""

PATIENCE = 10.0
"""Seconds to wait for another process that is writing; an append takes milliseconds."""


def default_path() -> Path:
    """The file named by the environment variable, else the one in the user's data folder."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    import platformdirs

    return platformdirs.user_data_path("implicitbias") / "ledger.sqlite"


class Ledger:
    """The ledger in a file: `path`, by default `default_path()`. A context manager; may be used by threads.

    A file that does not exist is created (its folder only for the default one). With `read_only` nothing is created
    or changed. Raises LedgerError for a file that is not a ledger, of a newer version, locked, or out of reach.
    """

    def __init__(self, path: Path | str | None = None, *, read_only: bool = False, patience: float = PATIENCE) -> None:
        self.path = Path(path).expanduser() if path is not None else default_path()
        self._lock = threading.RLock()
        self._named: set[tuple[str, object]] = set()
        if path is None and not os.environ.get(VARIABLE) and not read_only:
            make_folder(self.path.parent)
        self._connection = connect(self.path, read_only=read_only, patience=patience)

    def append(self, result: Result, recorded: datetime | None = None) -> None:
        """Add a Result, recorded now. Its provenance gives the key under which it is found again."""
        document = json.dumps(result.to_json())
        row = (
            result.claim,
            result.check,
            str(result.provenance.get("key", "")),
            _time(recorded or datetime.now(UTC)),
            str(result.verdict),
            float(result.seconds),
            document,
        )
        with self.writing() as connection:
            connection.execute(
                "INSERT INTO results (claim, check_name, key, recorded, verdict, seconds, document, seal)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, seal_of(*row)),
            )

    def append_job(self, claim: str, check: str, key: str, output: Packed, seconds: float, used: Used) -> None:
        """Add the output of a job, and what it was made from."""
        made_from = json.dumps(used.to_json())
        seal = seal_of_job(claim, check, key, output, made_from)
        with self.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO jobs (claim, check_name, key, recorded, seconds, output, used, seal)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (claim, check, key, _time(datetime.now(UTC)), seconds, output.values, made_from, seal),
            )
            connection.executemany(
                "INSERT INTO arrays (job, name, npy) VALUES (?, ?, ?)",
                [(cursor.lastrowid, name, contents) for name, contents in output.arrays.items()],
            )

    def latest(self, claim: str, check: str) -> Entry | None:
        """The last result of a check."""
        rows = self._rows(
            f"SELECT {RESULT} FROM results WHERE claim = ? AND check_name = ? ORDER BY id DESC LIMIT 1", (claim, check)
        )
        return self._entry(rows[0]) if rows else None

    def all_latest(self, *, evidence: bool = True) -> tuple[Result, ...]:
        """The last result of every check. Without its `evidence`, which takes most of the time, it is empty."""
        _, entries = self.since(evidence=evidence)
        return tuple(entry.result for entry in entries)

    def since(self, row: int = 0, *, evidence: bool = False) -> tuple[int, tuple[Entry, ...]]:
        """The last row, to pass next time, and the last result of every check that was recorded after `row`.

        Checks that were not run again since then are left out; with row 0 none is.
        """
        rows = self._rows(
            f"SELECT {RESULT} FROM results"
            " WHERE id IN (SELECT max(id) FROM results WHERE id > ? GROUP BY claim, check_name) ORDER BY id",
            (row,),
        )
        entries = [self._entry(found, evidence=evidence) for found in rows]
        return (rows[-1][0] if rows else row), tuple(entry for entry in entries if entry)

    def history(self, claim: str, check: str | None = None) -> tuple[Entry, ...]:
        """All results of a claim, or of one of its checks, the oldest first."""
        rows = self._rows(
            f"SELECT {RESULT} FROM results WHERE claim = ? AND check_name = coalesce(?, check_name) ORDER BY id",
            (claim, check),
        )
        return tuple(entry for row in rows if (entry := self._entry(row)))

    def with_key(self, key: str) -> Iterator[Entry]:
        """The last results of the same computation, the newest first; none from before a damaged one."""
        for row in self._rows(f"SELECT {RESULT} FROM results WHERE key = ? ORDER BY id DESC LIMIT 8", (key,)):
            if (entry := self._entry(row)) is None:
                return
            yield entry

    def job(self, key: str, is_fresh: Callable[[Used], bool]) -> tuple[Packed, Used] | None:
        """The last output of the job of this key that was made from what `is_fresh` accepts, and what that is."""
        with self._lock:
            rows = self._rows(
                "SELECT id, claim, check_name, output, used, seal FROM jobs WHERE key = ? ORDER BY id DESC LIMIT 8",
                (key,),
            )
            for number, claim, check, values, text, seal in rows:
                try:
                    used = used_by(text)
                    if used is None or not is_fresh(used):
                        continue
                    arrays = self._rows("SELECT name, npy FROM arrays WHERE job = ?", (number,))
                    return output_of(claim, check, key, Packed(values, dict(arrays)), text, seal), used
                except DamagedRowError as error:
                    self._name("jobs", number, error, "that job of a sweep is run again")
                    return None
        return None

    def last_rows(self, key: str) -> tuple[int, int]:
        """The last rows, in the results and in the jobs, of this key; 0 for none."""
        ((result, job),) = self._rows(
            "SELECT (SELECT coalesce(max(id), 0) FROM results WHERE key = ?1),"
            " (SELECT coalesce(max(id), 0) FROM jobs WHERE key = ?1)",
            (key,),
        )
        return result, job

    def checks(self) -> frozenset[tuple[str, str]]:
        """The claims and checks that anything is recorded of, damaged or not."""
        return frozenset((claim, check) for claim, check in self._rows("SELECT claim, check_name FROM results"))

    def seconds(self) -> Mapping[tuple[str, str], float]:
        """The seconds that each check took when it was last run, those of its jobs among them."""
        rows = self._rows(
            "SELECT claim, check_name, seconds FROM results"
            " WHERE id IN (SELECT max(id) FROM results GROUP BY claim, check_name)"
        )
        return {(claim, check): seconds for claim, check, seconds in rows if is_duration(seconds)}

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes: all or nothing."""
        with self._lock, errors_of(self.path), transaction(self._connection):
            yield self._connection

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _rows(self, query: str, parameters: tuple[Any, ...] = ()) -> list[Any]:
        with self._lock, errors_of(self.path):
            return self._connection.execute(query, parameters).fetchall()

    def _entry(self, row: Any, *, evidence: bool = True) -> Entry | None:
        try:
            return entry_of(row, evidence=evidence)
        except DamagedRowError as error:
            number, claim, check, *_ = row
            self._name("results", number, error, f"{claim} · {check} counts as not run")
            return None

    def _name(self, table: str, number: object, error: DamagedRowError, effect: str) -> None:
        """Say once which row is damaged, and what becomes of it."""
        if (table, number) not in self._named:
            self._named.add((table, number))
            _log.warning(f"row {number} of {table} in {self.path} is damaged ({error}) and skipped: {effect}")


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")
