"""The ledger keeps what it is given, through crashes and in company, and says what is wrong with a file."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from implicitbias.claims.check import Kind
from implicitbias.claims.evidence import Evidence, Instance
from implicitbias.errors import LedgerError
from implicitbias.judging.result import Result
from implicitbias.judging.verdict import Verdict
from implicitbias.record import schema
from implicitbias.record.ledger import Ledger, default_path
from implicitbias.record.outputs import Packed
from implicitbias.record.used import Used


def result(claim: str = "a.b", check: str = "c", verdict: Verdict = Verdict.CERTIFIED, key: str = "k") -> Result:
    evidence = Evidence(instances=(Instance("x = 1", {"x": 1}, 1),))
    return Result(claim, check, Kind.CERTIFICATE, verdict, "seen", evidence, provenance={"key": key}, seconds=0.25)


def intact(path: Path) -> bool:
    with sqlite3.connect(path) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_results_come_back_the_last_one_first_in_line(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        assert ledger.latest("a.b", "c") is None
        for verdict in (Verdict.BROKEN, Verdict.CERTIFIED):
            ledger.append(result(verdict=verdict))
        ledger.append(result("a.other", key="other"))
        ledger.append(result(check="second", verdict=Verdict.REFUTED))
    with Ledger(tmp_path / "ledger", read_only=True) as ledger:
        latest = ledger.latest("a.b", "c")
        assert latest is not None
        assert latest.result == result()
        assert [e.result.verdict for e in ledger.history("a.b")] == ["BROKEN", "CERTIFIED", "REFUTED"]
        assert [e.result.verdict for e in ledger.history("a.b", "c")] == ["BROKEN", "CERTIFIED"]
        assert [(r.claim, r.check) for r in ledger.all_latest()] == [("a.b", "c"), ("a.other", "c"), ("a.b", "second")]
        assert [e.result.check for e in ledger.with_key("k")] == ["second", "c", "c"]
        assert ledger.seconds() == {("a.b", "c"): 0.25, ("a.other", "c"): 0.25, ("a.b", "second"): 0.25}
        times = [e.recorded for e in ledger.history("a.b")]
        assert times == sorted(times)


def test_a_reader_can_ask_for_what_was_recorded_since_it_last_looked(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        assert ledger.since() == (0, ())
        ledger.append(result())
        ledger.append(result(check="second"))
        row, entries = ledger.since()
        assert [e.result.check for e in entries] == ["c", "second"]
        assert [e.result.evidence for e in entries] == [Evidence(), Evidence()]
        assert ledger.since(row) == (row, ())
        for verdict in (Verdict.BROKEN, Verdict.REFUTED):
            ledger.append(result(verdict=verdict))
        later, entries = ledger.since(row, evidence=True)
        assert [e.result for e in entries] == [result(verdict=Verdict.REFUTED)]
        assert ledger.since(later) == (later, ())


def test_outputs_of_jobs_come_back_with_their_arrays(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        assert ledger.job("k", lambda used: True) is None
        made = Used(files={"./a.py": "digest"}), Used(files={"./a.py": "another"})
        ledger.append_job("a.b", "c", "k", Packed('{"x": 1}', {"losses": b"\x93NUMPY"}), 0.1, made[0])
        ledger.append_job("a.b", "c", "other", Packed("{}"), 0.1, made[0])
        ledger.append_job("a.b", "c", "k", Packed('{"x": 2}'), 0.1, made[1])
        assert ledger.job("k", lambda used: True) == (Packed('{"x": 2}'), made[1])
        assert ledger.job("k", made[0].__eq__) == (Packed('{"x": 1}', {"losses": b"\x93NUMPY"}), made[0])
        assert ledger.job("k", lambda used: False) is None
        assert ledger.job("other", lambda used: True) == (Packed("{}"), made[0])


def test_the_environment_names_the_file_and_an_argument_overrides_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMPLICITBIAS_LEDGER", str(tmp_path / "named"))
    with Ledger() as ledger:
        assert ledger.path == tmp_path / "named"
    with Ledger(tmp_path / "given") as ledger:
        assert ledger.path == tmp_path / "given"
    monkeypatch.delenv("IMPLICITBIAS_LEDGER")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with Ledger() as ledger:
        assert ledger.path == default_path()
        assert ledger.path.is_relative_to(tmp_path)
        assert ledger.path.exists()


def says(path: Path, read_only: bool = False) -> str:
    """What the ledger says of a file that it cannot use."""
    with pytest.raises(LedgerError) as caught:
        Ledger(path, read_only=read_only, patience=0.1)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_file_that_is_no_ledger_is_refused_and_left_alone(tmp_path: Path) -> None:
    text, other = tmp_path / "notes.txt", tmp_path / "other.sqlite"
    text.write_text("these are my notes, and they are rather long\n" * 50)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    before = text.read_bytes(), other.read_bytes()
    for read_only in (False, True):
        assert "not an SQLite file" in says(text, read_only).replace("is no SQLite", "not an SQLite")
        assert "another application" in says(other, read_only)
    assert (text.read_bytes(), other.read_bytes()) == before
    assert not list(tmp_path.glob("*-wal"))


def test_folders_missing_files_and_missing_folders_are_explained(tmp_path: Path) -> None:
    assert "is a folder" in says(tmp_path)
    assert "does not exist" in says(tmp_path / "missing" / "ledger")
    assert "there is no ledger" in says(tmp_path / "none", read_only=True)
    assert not (tmp_path / "none").exists()


def test_a_ledger_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Ledger(tmp_path / "ledger").close()
    with sqlite3.connect(tmp_path / "ledger") as connection:
        connection.execute("PRAGMA user_version = 99")
    for read_only in (False, True):
        assert "has schema 99" in says(tmp_path / "ledger", read_only)


def test_an_older_ledger_is_brought_up_to_date_and_keeps_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        ledger.append(result())
    step = "ALTER TABLE results ADD COLUMN budget TEXT; CREATE INDEX by_budget ON results (budget)"
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, step))
    with Ledger(tmp_path / "ledger", read_only=True) as ledger:  # a reader brings it up to date where it may
        assert len(ledger.history("a.b")) == 1
    with Ledger(tmp_path / "ledger") as ledger:
        ledger.append(result())
        assert len(ledger.history("a.b")) == 2
    with sqlite3.connect(tmp_path / "ledger") as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS),)


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Ledger(tmp_path / "ledger").close()
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, "CREATE TABLE half (x); CREATE TABLE results (y)"))
    with pytest.raises(LedgerError, match="already exists"):
        Ledger(tmp_path / "ledger")
    with sqlite3.connect(tmp_path / "ledger") as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
        assert connection.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS) - 1,)


def test_a_ledger_that_another_process_keeps_locked_is_explained(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger", patience=0.1) as ledger:
        other = sqlite3.connect(tmp_path / "ledger", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        assert ledger.all_latest() == ()  # reading goes on
        with pytest.raises(LedgerError, match="locked by another process"):
            ledger.append(result())
        other.execute("ROLLBACK")
        other.close()
        ledger.append(result())
    new = sqlite3.connect(tmp_path / "new", isolation_level=None)
    new.execute("BEGIN EXCLUSIVE")
    assert "locked by another process" in says(tmp_path / "new")
    new.close()


def test_a_ledger_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    Ledger(tmp_path / "ledger").close()
    with Ledger(tmp_path / "ledger", read_only=True) as ledger, pytest.raises(LedgerError, match="cannot be written"):
        ledger.append(result())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_file_is_explained(tmp_path: Path) -> None:
    Ledger(tmp_path / "ledger").close()
    (tmp_path / "ledger").chmod(0o400)
    assert "is read-only" in says(tmp_path / "ledger")


def _count_as_nobody(path: Path) -> int:
    if os.geteuid() == 0:  # nothing is read-only for root
        os.setresuid(65534, 65534, 65534)
    with Ledger(path, read_only=True) as ledger:
        return len(ledger.all_latest())


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="needs users")
def test_a_ledger_in_a_read_only_folder_is_read_as_it_lies_there() -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        with Ledger(folder / "ledger") as ledger:
            ledger.append(result())
        (folder / "ledger").chmod(0o444)
        folder.chmod(0o555)
        with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
            assert pool.submit(_count_as_nobody, folder / "ledger").result() == 1
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_damaged_ledger_is_explained(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        for _ in range(50):
            ledger.append(result())
    whole = (tmp_path / "ledger").read_bytes()
    (tmp_path / "ledger").write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(LedgerError, match="damaged"), Ledger(tmp_path / "ledger") as ledger:
        ledger.all_latest()


def test_threads_may_share_a_ledger(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        threads = [threading.Thread(target=lambda: [ledger.append(result()) for _ in range(20)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(ledger.history("a.b")) == 80


def test_many_may_open_a_new_ledger_at_once(tmp_path: Path) -> None:
    for number in range(5):
        path, start, failed = tmp_path / str(number), threading.Barrier(6), []

        def open_and_append(path: Path = path, start: threading.Barrier = start, failed: list[str] = failed) -> None:
            start.wait()
            try:
                with Ledger(path) as ledger:
                    ledger.append(result())
            except LedgerError as error:
                failed.append(str(error))

        threads = [threading.Thread(target=open_and_append) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        with Ledger(path, read_only=True) as ledger:
            assert len(ledger.history("a.b")) == 6


WRITER = """
    import sys; sys.path.insert(0, {here!r})
    from test_ledger import result
    from implicitbias.record.ledger import Ledger
    from implicitbias.record.outputs import Packed
    from implicitbias.record.used import Used
    with Ledger({path!r}) as ledger:
        for i in range({count}):
            ledger.append(result({name!r}))
            ledger.append_job({name!r}, "c", str(i), Packed("{{}}", {{"a": bytes(20_000)}}), 0.1, Used())
            print(i, flush=True)
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    program = WRITER.format(here=str(Path(__file__).parent), path=str(path), name=name, count=count)
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE)


def test_two_writers_and_a_reader_get_along_from_the_first_moment(tmp_path: Path) -> None:
    path, seen = tmp_path / "ledger", []
    writers = [writer(path, name, 60) for name in ("first.a", "second.a")]
    with Ledger(path) as ledger:
        while any(w.poll() is None for w in writers):
            seen.append(len(ledger.history("first.a")) + len(ledger.history("second.a")))
        for w in writers:
            w.communicate()
            assert w.returncode == 0
        assert len(ledger.history("first.a")) == len(ledger.history("second.a")) == 60
    assert seen == sorted(seen)
    assert intact(path)


def test_a_writer_killed_in_the_middle_leaves_everything_it_had_appended(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    said = 0
    for round_number in range(3):
        killed = writer(path, "a.b", 100_000)
        with killed:
            assert killed.stdout is not None
            for _ in range(15 + round_number):
                said += bool(killed.stdout.readline())
            killed.kill()
        assert intact(path)
        with Ledger(path) as ledger:
            assert len(ledger.history("a.b")) >= said
            last = ledger.job(str(14 + round_number), lambda used: True)
            assert last is not None
            assert len(last[0].arrays["a"]) == 20_000
