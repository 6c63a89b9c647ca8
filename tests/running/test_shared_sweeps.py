"""Checks that share a sweep draw the same points and run each of them once; what fails in one is tried by the other."""

from __future__ import annotations

import os
import textwrap
from collections import Counter
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.judging.result import Result
from implicitbias.judging.verdict import Verdict
from implicitbias.record.ledger import Ledger
from implicitbias.running.runner import run

CLAIMS = """
    import os
    from implicitbias.claims.check import Check, Kind, Sweep
    from implicitbias.claims.statement import Claim, Control, Source
    from implicitbias.claims.evidence import Evidence, Instance

    def points(count):
        return lambda context: [{"x": x, "seed": context.seed} for x in range(count)]

    def square(parameters, device):
        with open(os.environ["TESTED_LOG"], "a") as log:
            log.write(f"{parameters['x']}\\n")
        if parameters["x"] == 4 and not os.path.exists(os.environ["TESTED_LOG"] + ".again"):
            open(os.environ["TESTED_LOG"] + ".again", "w").close()
            raise ArithmeticError("only the first time")
        return {"square": parameters["x"] ** 2, "seed": parameters["seed"]}

    def together(context):
        instances = tuple(Instance(f"{x}", {"x": x}, o["square"]) for x, o in enumerate(context.outputs))
        return Evidence(instances=instances, measured={"seed": context.outputs[0]["seed"]})

    def claim(name, count, shared):
        sweep = Sweep(points(count), square, shared=shared)
        return Claim(
            f"shares.{name}", Source("shares", name), name, "Squares.", "x**2",
            (Control("x", "not squared"), Control("2*x", "doubled")),
            (Check("squares", Kind.EXPERIMENT, together, "squares", acceptance="exact", sweep=sweep),),
            symbols={"x": "a number"},
        )

    CLAIMS = (claim("one", 3, "squares"), claim("two", 4, "squares"), claim("alone", 3, ""), claim("five", 5, "s5"),
              claim("more", 5, "s5"))
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TESTED_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def results(tmp_path: Path, *names: str, **options: object) -> dict[str, Result]:
    folder = tmp_path / "claims"
    folder.mkdir(exist_ok=True)
    (folder / "shares.py").write_text(textwrap.dedent(CLAIMS))
    chosen = load(folder).select([f"shares.{name}" for name in names])
    return {r.claim.partition(".")[2]: r for r in run(chosen, folder=folder, workers=2, **options)}  # type: ignore[arg-type]


def test_equal_jobs_of_one_run_are_run_once_and_draw_from_one_seed(tmp_path: Path, log: Path) -> None:
    found = results(tmp_path, "one", "two", "alone")
    assert {r.verdict for r in found.values()} == {Verdict.SUPPORTED}
    assert Counter(log.read_text().split()) == {"0": 2, "1": 2, "2": 2, "3": 1}  # once shared, once alone
    seeds = {name: r.evidence.measured["seed"] for name, r in found.items()}
    assert seeds["one"] == seeds["two"] != seeds["alone"]


def test_the_jobs_of_an_earlier_run_serve_another_check(tmp_path: Path, log: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        results(tmp_path, "one", ledger=ledger)
        os.truncate(log, 0)
        found = results(tmp_path, "two", ledger=ledger)
    assert found["two"].verdict is Verdict.SUPPORTED
    assert log.read_text().split() == ["3"]


def test_a_job_that_fails_for_one_check_is_tried_again_by_the_next_that_waits(tmp_path: Path, log: Path) -> None:
    found = results(tmp_path, "five", "more")
    assert sorted(str(r.verdict) for r in found.values()) == ["BROKEN", "SUPPORTED"]
    assert "only the first time" in next(r.reason for r in found.values() if r.verdict is Verdict.BROKEN)
