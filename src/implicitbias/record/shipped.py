"""The results that come with the package: what `verify` found where this version was made, as a packed ledger.

They show how every claim stands before anything has run here. They are never taken for results of this machine:
`verify` does not see them, and whoever shows them says where they come from. `make snapshot` makes the file.
"""

from __future__ import annotations

import contextlib
import lzma
import os
import sqlite3
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from implicitbias.errors import LedgerError
from implicitbias.judging.result import Result
from implicitbias.record import digests
from implicitbias.record.environment import cache_folder
from implicitbias.record.ledger import Ledger
from implicitbias.record.rows import Entry
from implicitbias.record.used import Used

if TYPE_CHECKING:
    from implicitbias.record.present import Present

PACKED = Path(__file__).with_name("shipped.sqlite.xz")
PREFIX = "shipped-"
BRIEF = "-brief.sqlite"
MARK = "elsewhere"
"""What the provenance of a result holds that was not made on this machine."""
OURS = ("implicitbias/", "theory/")


def is_from_elsewhere(result: Result) -> bool:
    """Whether the result came with the package."""
    return bool(result.provenance.get(MARK))


def made_with(result: Result) -> str:
    """The system and the Python that made a result: `Linux x86_64, Python 3.11.7`."""
    machine = result.provenance.get("machine", {})
    python = result.provenance.get("used", {}).get("versions", {}).get("python", "")
    system = " ".join(str(machine[part]) for part in ("system", "machine") if machine.get(part))
    return ", ".join(part for part in (system, f"Python {python}" if python else "") if part)


def told(entries: Sequence[Entry], total: int) -> str:
    """How many of `total` results came with the package, when and with what they were made; empty for none."""
    if not entries:
        return ""
    many = f"all {total}" if len(entries) == total else f"{len(entries)} of {total}"
    when = max(entry.recorded for entry in entries).astimezone().strftime("%Y-%m-%d")
    return f"{many} results came with implicitbias, recorded {when} ({made_with(entries[-1].result)})"


def changes(result: Result, present: Present) -> tuple[str, ...]:
    """Which of this project's files that a shipped result was made from are others here, in words."""
    used = Used.from_json(result.provenance["used"])
    files = {name: digest for name, digest in used.files.items() if name.startswith(OURS)}
    return present.changes(Used(files=files))


def unpacked() -> Path | None:
    """The ledger that came with the package, unpacked once into the user's cache; None if there is none."""
    if not PACKED.is_file():
        return None
    folder = Path(cache_folder())
    ledger = folder / f"{PREFIX}{digests.of_file(str(PACKED))}.sqlite"
    if ledger.is_file():
        return ledger
    try:
        contents = lzma.decompress(PACKED.read_bytes())
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{PREFIX}*"):
            old.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as unfinished:
            whole = Path(unfinished) / ledger.name
            whole.write_bytes(contents)
            os.replace(whole, ledger)
    except (OSError, lzma.LZMAError):
        return None
    return ledger


def without_evidence() -> Path | None:
    """The same ledger without its evidence, which is most of it: made once, and read in a quarter of the time."""
    whole = unpacked()
    if whole is None:
        return None
    ledger = whole.with_name(whole.stem + BRIEF)
    if ledger.is_file():
        return ledger
    try:
        with Ledger(whole, read_only=True) as shipped, tempfile.TemporaryDirectory(dir=whole.parent) as unfinished:
            _, entries = shipped.since()
            _write(entries, Path(unfinished) / ledger.name)
            os.replace(Path(unfinished) / ledger.name, ledger)
    except (OSError, LedgerError):
        return whole
    return ledger


def seconds() -> Mapping[tuple[str, str], float]:
    """The seconds that each check took where the shipped results were made; none if there are none."""
    ledger = unpacked()
    if ledger is None:
        return {}
    try:
        with Ledger(ledger, read_only=True) as shipped:
            return shipped.seconds()
    except LedgerError:
        return {}


def pack(source: Path, target: Path, checks: Collection[tuple[str, str]]) -> int:
    """Write the last results of these checks to a packed ledger, if they are of the quick budget and seed 0; how many
    there are.

    Raises LedgerError for a `source` that cannot be read.
    """
    with Ledger(source, read_only=True) as ledger:
        _, entries = ledger.since(evidence=True)
    chosen = [
        _marked(entry)
        for entry in entries
        if (entry.result.claim, entry.result.check) in checks and _is_standard(entry.result)
    ]
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "ledger"
        _write(chosen, plain)
        target.write_bytes(lzma.compress(plain.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    return len(chosen)


def _write(entries: Iterable[Entry], path: Path) -> None:
    """Write a ledger of these entries in one file, without a log beside it."""
    with Ledger(path) as ledger:
        for entry in entries:
            ledger.append(entry.result, recorded=entry.recorded)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("VACUUM")


def _is_standard(result: Result) -> bool:
    return (result.provenance.get("budget"), result.provenance.get("seed")) == ("quick", 0)


def _marked(entry: Entry) -> Entry:
    return replace(entry, result=replace(entry.result, provenance={**entry.result.provenance, MARK: True}))
