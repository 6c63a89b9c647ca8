"""The results that came with the package: what they fill in for, and that they are never taken for results of here."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.cli import main
from implicitbias.judging.result import Result
from implicitbias.record import known, shipped
from implicitbias.record.environment import environment
from implicitbias.record.known import Known
from implicitbias.record.ledger import Ledger
from implicitbias.record.present import Present
from implicitbias.running.runner import run
from tests.support.playing import FOLDER

CLAIMS = ("shown.theorem_1", "shown.theorem_3")
WHEN = datetime(2020, 2, 3, 4, 5, 6, tzinfo=UTC)


@pytest.fixture(scope="module")
def results() -> tuple[Result, ...]:
    claims = [claim for claim in load(FOLDER).claims if claim.id in CLAIMS]
    return tuple(run(claims, folder=FOLDER, workers=1))


@pytest.fixture
def packed(results: tuple[Result, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that brings these results, a cache of its own and a default ledger in which nothing is yet."""
    source = tmp_path / "source"
    with Ledger(source) as ledger:
        for result in results:
            ledger.append(result, recorded=WHEN)
    monkeypatch.delenv("IMPLICITBIAS_LEDGER", raising=False)
    monkeypatch.setattr(shipped, "PACKED", tmp_path / "packed.xz")
    monkeypatch.setattr(shipped, "cache_folder", lambda: str(tmp_path / "cache"))
    monkeypatch.setattr(known, "default_path", lambda: tmp_path / "default.sqlite")
    names = {(result.claim, result.check) for result in results}
    assert shipped.pack(source, shipped.PACKED, names) == len(results)
    return tmp_path / "default.sqlite"


def test_results_of_another_seed_are_not_packed(results: tuple[Result, ...], tmp_path: Path) -> None:
    with Ledger(tmp_path / "seeds") as ledger:
        for result in results:
            ledger.append(Result(**{**vars(result), "provenance": {**result.provenance, "seed": 4}}))
    names = {(result.claim, result.check) for result in results}
    assert shipped.pack(tmp_path / "seeds", tmp_path / "packed.xz", names) == 0


def test_where_nothing_has_run_the_shipped_results_are_shown(packed: Path, results: tuple[Result, ...]) -> None:
    with Known() as reader:
        row, entries = reader.since(evidence=True)
        first = results[0]
        entry = reader.latest(first.claim, first.check)
    assert row == 0
    assert {(e.result.claim, e.result.check) for e in entries} == {(r.claim, r.check) for r in results}
    assert all(e.recorded == WHEN and shipped.is_from_elsewhere(e.result) for e in entries)
    assert entry is not None
    assert (entry.result.evidence, entry.result.verdict) == (first.evidence, first.verdict)
    assert "Python 3" in shipped.made_with(entry.result)


def test_a_result_of_here_takes_the_place_of_the_shipped_one(packed: Path, results: tuple[Result, ...]) -> None:
    mine, *others = results
    with Ledger(packed) as ledger:
        ledger.append(mine)
    with Known() as reader:
        row, entries = reader.since()
        assert [e.recorded == WHEN for e in reader.history(mine.claim, mine.check)] == [True, False]
        assert not shipped.is_from_elsewhere(reader.latest(mine.claim, mine.check).result)  # type: ignore[union-attr]
        assert reader.since(row) == (row, ())
    here = [e.result for e in entries if not shipped.is_from_elsewhere(e.result)]
    assert [(r.claim, r.check) for r in here] == [(mine.claim, mine.check)]
    assert len(entries) == len(others) + 1


def test_a_damaged_result_of_here_is_not_hidden_by_a_shipped_one(packed: Path, results: tuple[Result, ...]) -> None:
    with Ledger(packed) as ledger:
        ledger.append(results[0])
        with ledger.writing() as connection:
            connection.execute("UPDATE results SET verdict = 'PROVED, really'")
    with Known() as reader:
        assert reader.latest(results[0].claim, results[0].check) is None


def test_a_ledger_that_is_named_is_shown_alone(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Known(tmp_path / "mine.sqlite") as reader:
        assert reader.since() == (0, ())
    monkeypatch.setenv("IMPLICITBIAS_LEDGER", str(packed))
    with Known() as reader:
        assert reader.since() == (0, ())


def test_verify_does_not_take_them_for_results_of_here(packed: Path) -> None:
    catalogue = load(FOLDER)
    claim = catalogue.claim(CLAIMS[0])
    with Ledger(packed) as ledger:
        again = list(run([claim], folder=FOLDER, workers=1, ledger=ledger))
        assert len(ledger.all_latest()) == len(claim.checks) == len(again)


def test_sources_that_are_others_here_are_named(results: tuple[Result, ...]) -> None:
    present = Present(FOLDER, environment())
    assert shipped.changes(results[0], present) == ()
    used = {**results[0].provenance["used"], "files": {"implicitbias/errors.py": "something else"}}
    provenance = {**results[0].provenance, "used": used}
    changed = Result(**{**vars(results[0]), "provenance": provenance})
    assert shipped.changes(changed, present) == ("implicitbias/errors.py changed",)


def test_without_a_place_for_the_unpacked_file_nothing_is_shown(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "cache_folder", lambda: "/proc/nowhere")
    with Known() as reader:
        assert reader.since() == (0, ())


def test_an_older_unpacked_file_goes_and_a_damaged_package_shows_nothing(packed: Path, tmp_path: Path) -> None:
    first = shipped.unpacked()
    assert first is not None
    assert first.stat().st_size > 0
    shipped.PACKED.write_bytes(b"no archive")
    assert shipped.unpacked() is None
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [first.name]


def test_commands_that_run_nothing_say_where_results_come_from(
    packed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", "--claims", str(FOLDER), "--json"]) == 0
    shown = capsys.readouterr()
    entries = {entry["id"]: entry["standing"] for entry in json.loads(shown.out)["claims"]}
    assert entries[CLAIMS[0]] == "ESTABLISHED"
    assert "results came with implicitbias, recorded 2020-02-03 (Linux" in shown.err


def test_how_long_the_shipped_checks_took_is_known_unless_none_are_shipped(
    packed: Path, results: tuple[Result, ...]
) -> None:
    assert shipped.seconds() == {(result.claim, result.check): result.seconds for result in results}
    shipped.PACKED.unlink()
    assert shipped.seconds() == {}
