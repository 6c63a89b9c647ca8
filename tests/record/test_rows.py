"""Whatever becomes of a row of the ledger: it is what was written, or it is named and skipped, and nothing else is."""

from __future__ import annotations

import json
import logging
import sqlite3
import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from implicitbias.claims.check import Kind
from implicitbias.claims.evidence import Evidence, Instance
from implicitbias.cli import main
from implicitbias.judging.result import Result
from implicitbias.judging.verdict import Verdict
from implicitbias.record.ledger import Ledger
from implicitbias.record.outputs import Packed
from implicitbias.record.used import Used


def result(claim: str, key: str = "k") -> Result:
    evidence = Evidence(instances=(Instance("x = 1", {"x": 1}, 1),))
    given = {"key": key}
    return Result(claim, "c", Kind.CERTIFICATE, Verdict.CERTIFIED, "seen", evidence, provenance=given, seconds=0.25)


COLUMNS = ("claim", "check_name", "recorded", "verdict", "seconds", "document", "seal")
CLAIM = """
    from fractions import Fraction
    from implicitbias.claims import certificate, claim, seen

    @certificate("first pairs")
    def first(context):
        for a, b in [(0, 1), (0, 2), (-1, 3)]:
            yield seen(Fraction(a**2 + b**2, 2) - Fraction(a + b, 2) ** 2, a=a, b=b)

    jensen = claim(
        "mine.jensen", "Remark 1", "Jensen", "The gap is (a-b)²/4.", formula="(a-b)**2/4",
        symbols={"a": "a", "b": "b"}, controls={"(a-b)**2/2": "forgets one halving"}, checks=(first,),
    )
"""

texts = st.text() | st.sampled_from(["", "{}", "null", "[]", "MAYBE", "\x1b[31m", "9" * 50])
values = texts | st.binary() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False)


@st.composite
def damages(draw: st.DrawFn) -> tuple[str, Any]:
    """A column of a result, and what becomes of it: another value, or an edit of the text that stands there."""
    column = draw(st.sampled_from(COLUMNS))
    if draw(st.booleans()):
        return column, draw(values)
    start, length, put = draw(st.integers(0, 400)), draw(st.integers(0, 400)), draw(texts)
    return column, lambda text: text[:start] + put + text[start + length :]


def changed(path: Path, damage: tuple[str, Any], table: str = "results", row: int = 2) -> bool:
    """Damage a row by hand; whether that has changed anything."""
    column, value = damage
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        query = f"SELECT {column} FROM {table} WHERE id = {row}"
        (before,) = connection.execute(query).fetchone()
        after = value(str(before)) if callable(value) else value
        try:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE id = {row}", (after,))
        except UnicodeEncodeError:  # a lone surrogate: SQLite cannot be given it
            return False
        (stored,) = connection.execute(query).fetchone()
    connection.close()
    return (stored, type(stored)) != (before, type(before))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger"


OUTPUT = Packed('{"x": 1}', {"losses": b"\x93NUMPY\x01\x00"})


@pytest.fixture(scope="module")
def three_results(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A ledger with two results of a check and one of another."""
    path = tmp_path_factory.mktemp("results") / "ledger"
    with Ledger(path) as ledger:
        ledger.append(result("a.b"))
        ledger.append(result("a.b"))
        ledger.append(result("a.other", key="other"))
    return path.read_bytes()


@pytest.fixture(scope="module")
def one_job(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A ledger with the output of a job."""
    path = tmp_path_factory.mktemp("job") / "ledger"
    with Ledger(path) as ledger:
        ledger.append_job("a.b", "c", "k", OUTPUT, 0.1, Used(files={"a": "b"}))
    return path.read_bytes()


@given(damage=damages())
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_row_is_named_and_hides_what_was_before_it_and_nothing_else(
    path: Path, three_results: bytes, caplog: pytest.LogCaptureFixture, damage: tuple[str, Any]
) -> None:
    path.write_bytes(three_results)
    caplog.clear()
    if not changed(path, damage):
        return
    with sqlite3.connect(path) as connection:
        unsealed = connection.execute("SELECT seal FROM results WHERE id = 2").fetchone() == ("",)
    connection.close()
    with Ledger(path, read_only=True) as ledger, caplog.at_level(logging.WARNING, "implicitbias"):
        looks = [
            ledger.latest("a.b", "c"),
            *ledger.with_key("k"),
            *ledger.since()[1],
            *ledger.history("a.b"),
        ]
        ledger.seconds()
        assert [entry.result.claim for entry in ledger.with_key("other")] == ["a.other"]
    shown = [entry.result for entry in looks if entry]
    assert {r.claim for r in shown} <= {"a.b", "a.other"}
    assert all(r.verdict == "CERTIFIED" and r.reason == "seen" for r in shown)
    if unsealed:  # a row without a seal is one of an older ledger, and this one is as it should be
        assert not caplog.messages
    else:
        assert [m for m in caplog.messages if m.startswith(f"row 2 of results in {path} is damaged")]
        assert len(set(caplog.messages)) == len(caplog.messages)
        if damage[0] not in ("claim", "check_name"):
            assert looks[0] is None
            assert len(shown) == 2  # the first row of a.b in its history, and the other claim


@pytest.mark.parametrize(
    "document",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        '{"claim": 1}',
        {"verdict": "MAYBE"},
        {"kind": "guess"},
        {"verdict": "REFUTED"},
        {"claim": "a.other"},
        {"evidence": {}},
        {"evidence": []},
        {"reason": 5},
        {"seconds": "long"},
        {"seconds": float("nan")},
        {"provenance": []},
        {"controls": {"x": {}}},
        {"formula": "1"},
        {"formal": {"accepted": True, "unknown": 1}},
    ],
    ids=str,
)
def test_a_row_of_an_older_ledger_without_seals_must_have_the_form_of_a_result(
    path: Path, caplog: pytest.LogCaptureFixture, document: Any
) -> None:
    with Ledger(path) as ledger:
        ledger.append(result("a.b"))
    if isinstance(document, dict):
        document = json.dumps({**result("a.b").to_json(), **document})
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE results SET seal = ''")
    with Ledger(path) as ledger:
        assert ledger.latest("a.b", "c").result == result("a.b")  # type: ignore[union-attr]
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE results SET document = ?", (document,))
    with Ledger(path) as ledger, caplog.at_level(logging.WARNING, "implicitbias"):
        for evidence in (False, True):
            assert ledger.all_latest(evidence=evidence) == ()
    [message] = caplog.messages
    assert message.startswith(f"row 1 of results in {path} is damaged")
    assert message.endswith("a.b · c counts as not run")


@given(data=st.data())
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_output_of_a_job_is_no_output(
    path: Path, one_job: bytes, caplog: pytest.LogCaptureFixture, data: st.DataObject
) -> None:
    path.write_bytes(one_job)
    caplog.clear()
    if data.draw(st.booleans()):
        damage = (
            data.draw(st.sampled_from(["output", "claim", "used", "seal"])),
            data.draw(values.filter(lambda v: v != "")),
        )
        if not changed(path, damage, "jobs", 1):
            return
    else:
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(
                "UPDATE arrays SET npy = ?", (data.draw(st.binary().filter(lambda b: b != OUTPUT.arrays["losses"])),)
            )
        connection.close()
    with Ledger(path) as ledger, caplog.at_level(logging.WARNING, "implicitbias"):
        assert ledger.job("k", lambda used: True) is None
    assert caplog.messages
    assert caplog.messages[0].startswith(f"row 1 of jobs in {path} is damaged")


def test_a_run_names_a_damaged_row_and_does_what_it_held_again(
    tmp_path: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "mine.py").write_text(textwrap.dedent(CLAIM))
    options = ["--claims", str(tmp_path / "claims"), "--ledger", str(path)]
    assert main(["verify", "--workers", "1", *options]) == 0
    capsys.readouterr()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE results SET document = substr(document, 1, 70)")
    said = f"row 1 of results in {path} is damaged (it is not what was written) and skipped: mine.jensen · first pairs"
    for command, code in (("report", 3), ("explain", 0), ("history", 0), ("show", 0), ("list", 0)):
        named = ["mine.jensen"] if command in ("show", "history", "explain") else []
        assert main([command, *named, *options]) == code
        shown = capsys.readouterr()
        assert "CERTIFIED" not in shown.out
        assert "fault" not in shown.err
        assert said in shown.err
    assert main(["verify", "--workers", "1", *options]) == 0
    shown = capsys.readouterr()
    assert said in shown.err
    assert "recorded" not in shown.err
    assert main(["verify", "--workers", "1", *options]) == 0
    shown = capsys.readouterr()
    assert "recorded" in shown.err
    assert "damaged" not in shown.err
