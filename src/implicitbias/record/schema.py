"""The ledger's file: its tables, their numbered migrations, and messages for what can be wrong with it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from implicitbias.errors import LedgerError

APPLICATION = 0x696D6269  # "imbi", in the file's header

MIGRATIONS = (
    """
    CREATE TABLE results (
        id INTEGER PRIMARY KEY,
        claim TEXT NOT NULL,
        check_name TEXT NOT NULL,
        key TEXT NOT NULL,
        recorded TEXT NOT NULL,
        verdict TEXT NOT NULL,
        seconds REAL NOT NULL,
        document TEXT NOT NULL
    );
    CREATE INDEX results_of_check ON results (claim, check_name, id);
    CREATE INDEX results_by_key ON results (key, id);
    CREATE TABLE jobs (
        id INTEGER PRIMARY KEY,
        claim TEXT NOT NULL,
        check_name TEXT NOT NULL,
        key TEXT NOT NULL,
        recorded TEXT NOT NULL,
        seconds REAL NOT NULL,
        output TEXT NOT NULL
    );
    CREATE INDEX jobs_by_key ON jobs (key, id);
    CREATE TABLE arrays (
        job INTEGER NOT NULL REFERENCES jobs (id),
        name TEXT NOT NULL,
        npy BLOB NOT NULL,
        PRIMARY KEY (job, name)
    );
    """,
    """
    ALTER TABLE jobs ADD COLUMN used TEXT NOT NULL DEFAULT '';
    CREATE TABLE leases (
        key TEXT PRIMARY KEY,
        run TEXT NOT NULL,
        host TEXT NOT NULL,
        process INTEGER NOT NULL,
        renewed REAL NOT NULL
    );
    """,
    """
    ALTER TABLE results ADD COLUMN seal TEXT NOT NULL DEFAULT '';
    ALTER TABLE jobs ADD COLUMN seal TEXT NOT NULL DEFAULT ''
    """,
)
"""Step n takes a file of schema n to schema n + 1. A released step is never edited; add another."""

ADVICE = "Give another file with --ledger FILE or IMPLICITBIAS_LEDGER."


def connect(path: Path, *, read_only: bool, patience: float) -> sqlite3.Connection:
    """A connection to the ledger, brought to the newest schema; it waits `patience` seconds for other writers.

    Unless `read_only`, a file that does not exist is created. An older one is brought up to date even for a reader, if
    it can be written. Raises LedgerError.
    """
    _look(path, read_only=read_only)
    uri = path.absolute().as_uri() + (_read_only(path) if read_only else "")
    with errors_of(path):
        connection = sqlite3.connect(uri, uri=True, timeout=patience, isolation_level=None, check_same_thread=False)
    connection.text_factory = _text
    try:
        with errors_of(path):
            _prepare(connection, path, read_only, patience)
    except BaseException:
        connection.close()
        raise
    return connection


def _text(stored: bytes) -> str:
    """Text that may be damaged: SQLite does not ask whether it is UTF-8, and one row must not keep the others away."""
    return stored.decode(errors="surrogateescape")


def _read_only(path: Path) -> str:
    """How to open a file for reading. Even then a write-ahead log needs its index in the same folder. If none can be
    made there and none is left over, no process can be writing either, and the file is read as it is."""
    log = path.with_name(path.name + "-wal")
    return "?mode=ro" if os.access(path.parent, os.W_OK) or log.exists() else "?mode=ro&immutable=1"


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """All or nothing. IMMEDIATE takes the write lock at once: to upgrade a read lock can fail without having waited."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def errors_of(path: Path) -> Iterator[None]:
    """SQLite's errors as LedgerErrors that say what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise LedgerError(_explained(path, error)) from error


def make_folder(folder: Path) -> None:
    """Make the folder of the default ledger. Raises LedgerError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(f"the ledger's folder {folder} cannot be made ({error.strerror}). {ADVICE}") from error


def _prepare(connection: sqlite3.Connection, path: Path, read_only: bool, patience: float) -> None:
    with transaction(connection, "DEFERRED"):  # the header and the tables of one moment
        version = _version(connection, path)
    if version > len(MIGRATIONS):
        raise LedgerError(
            f"the ledger {path} has schema {version}, but this version of implicitbias knows schemas up to"
            f" {len(MIGRATIONS)}: it was written by a newer version. Upgrade implicitbias. {ADVICE}"
        )
    if version < len(MIGRATIONS):
        if not read_only:
            _migrate(connection, path)
        elif os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            connect(path, read_only=False, patience=patience).close()
        else:
            raise LedgerError(f"the ledger {path} has schema {version}, {len(MIGRATIONS)} is needed: run a check first")
    if not read_only:
        _write_ahead(connection, patience)
        # With a write-ahead log, NORMAL loses nothing when a process is killed, and integrity never.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")


def _write_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Switch to write-ahead logging. SQLite does not wait here for other processes that open the new file."""
    end = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """The file's schema number, 0 for a new file. An SQLite file of some other application is refused."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION and (tables or version or application):
        raise LedgerError(f"{path} is an SQLite file of another application, not a ledger. {ADVICE}")
    return int(version)


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    with transaction(connection):
        for number in range(_version(connection, path), len(MIGRATIONS)):  # another process may have been faster
            for statement in MIGRATIONS[number].split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")


def _look(path: Path, *, read_only: bool) -> None:
    """Refuse, with a reason, what SQLite would refuse without one."""
    if path.is_dir():
        raise LedgerError(f"the ledger {path} is a folder. Give a file in it, e.g. {path / 'ledger.sqlite'}")
    if not path.parent.is_dir():
        raise LedgerError(f"the ledger {path} cannot be made: the folder {path.parent} does not exist. Make it first.")
    if read_only and not path.exists():
        raise LedgerError(f"there is no ledger {path} yet: `implicitbias verify` makes one")
    if not read_only and path.exists() and not os.access(path, os.W_OK):
        raise LedgerError(f"the ledger {path} is read-only. Make it writable. {ADVICE}")


def _explained(path: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the primary code of an extended one
    match code:
        case sqlite3.SQLITE_NOTADB:
            return f"{path} is not a ledger: it is not an SQLite file. {ADVICE}"
        case sqlite3.SQLITE_CORRUPT:
            return f"the ledger {path} is damaged ({error}). Move it away; the next run makes a new one."
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"the ledger {path} is locked by another process. Wait until that has ended. {ADVICE}"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return f"the ledger {path} cannot be written ({error}). Make it and its folder writable. {ADVICE}"
        case sqlite3.SQLITE_FULL:
            return f"the disk of the ledger {path} is full; the ledger itself is intact"
        case _:
            return f"the ledger {path}: {error}"
