"""A run gives a Result for every check whatever the checks do, keeps what finished, and repeats nothing."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace

import pytest

from implicitbias.claims.catalogue import Catalogue, load
from implicitbias.errors import UserError
from implicitbias.judging.result import Result, stand
from implicitbias.judging.verdict import Standing, Verdict
from implicitbias.record.freshness import freshness
from implicitbias.record.ledger import Ledger
from implicitbias.running import runner
from implicitbias.running.events import Cached, Event, Finished, JobDone, Started
from implicitbias.running.executor import WorkerPool
from implicitbias.running.runner import run
from tests.support.patience import AT_ONCE

CLAIMS = Path(__file__).parent.parent / "example_claims"
QUICK_ONES = ("tested.established", "tested.corrected", "tested.refuted", "tested.undecided", "tested.sweep")


@dataclass
class Everything:
    """One run of all the claims in the folder, by two workers."""

    catalogue: Catalogue
    results: dict[tuple[str, str], Result]
    events: list[Event]
    ledger: Path

    def only(self, place: str) -> Result:
        (result,) = [r for r in self.results.values() if r.claim == f"tested.{place}"]
        return result


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everything]:
    folder = tmp_path_factory.mktemp("run")
    os.environ["TESTED_MARKER"] = str(folder / "marker")
    catalogue, events = load(CLAIMS), []
    with Ledger(folder / "ledger.sqlite") as ledger:
        results = list(run(catalogue.claims, folder=CLAIMS, workers=2, ledger=ledger, progress=events.append))
    yield Everything(catalogue, {(r.claim, r.check): r for r in results}, events, folder / "ledger.sqlite")
    del os.environ["TESTED_MARKER"]


def essentials(results: list[Result]) -> dict[tuple[str, str], object]:
    """Everything of the results but the clock, the machine and the order."""
    return {(r.claim, r.check): replace(r, seconds=0, provenance={}).to_json() for r in results}


def recorded(path: Path) -> Counter[str]:
    """What a ledger holds: claims with a result, and how many outputs of jobs."""
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        claims = Counter(claim for (claim,) in connection.execute("SELECT claim FROM results"))
        claims["jobs"] = connection.execute("SELECT count(*) FROM jobs").fetchone()[0]
    return claims


def test_there_is_one_claim_of_every_standing(everything: Everything) -> None:
    standings = stand(everything.catalogue.claims, everything.results.values())
    found = {place: standings[f"tested.{place}"].standing for place in ("established", "corrected", "refuted")}
    assert found == {"established": "ESTABLISHED", "corrected": "CORRECTED", "refuted": "REFUTED"}
    assert standings["tested.undecided"].standing is Standing.UNDECIDED
    assert standings["tested.broken"].standing is Standing.BROKEN


def test_every_check_gets_exactly_one_result_and_one_event(everything: Everything) -> None:
    checks = [(claim.id, check.name) for claim in everything.catalogue.claims for check in claim.checks]
    finished = [(e.result.claim, e.result.check) for e in everything.events if isinstance(e, Finished)]
    started = [(e.claim, e.check) for e in everything.events if isinstance(e, Started)]
    assert sorted(everything.results) == sorted(finished) == sorted(started) == sorted(checks)


def test_an_observation_that_never_returns_is_ended_at_its_limit(everything: Everything) -> None:
    result = everything.only("never_returns")
    assert (result.verdict, result.reason) == (Verdict.UNDECIDED, "out of time after 0.5 s")
    assert everything.only("slow_5").verdict is Verdict.CERTIFIED


def test_an_error_in_an_observation_is_broken_and_says_where(everything: Everything) -> None:
    result = everything.only("raises")
    assert result.verdict is Verdict.BROKEN
    assert "ValueError: knots must increase: got [0, 0]" in result.reason
    assert "behaviour.py, line" in result.reason
    assert "no_evidence returns a value of type int" in everything.only("no_evidence").reason
    assert "observed nothing" in everything.only("nothing_seen").reason


def test_a_worker_that_dies_is_retried_once_and_then_broken(everything: Everything) -> None:
    assert everything.only("crashes_once").verdict is Verdict.CERTIFIED
    result = everything.only("crashes")
    assert result.verdict is Verdict.BROKEN
    assert "SIGABRT" in result.reason
    assert "behaviour.py" in result.reason


def test_the_jobs_of_a_sweep_run_first_and_their_outputs_reach_the_observation(everything: Everything) -> None:
    assert everything.only("sweep").verdict is Verdict.SUPPORTED
    kinds = [type(e) for e in everything.events if "tested.sweep" in (getattr(e, "claim", ""), _claim(e))]
    assert kinds == [Started, *[JobDone] * 6, Finished]
    indices = {e.index for e in everything.events if isinstance(e, JobDone) and e.claim == "tested.sweep"}
    assert indices == set(range(6))


def test_a_job_that_fails_or_hangs_decides_its_check(everything: Everything) -> None:
    failed, hung = everything.only("sweep_fails"), everything.only("sweep_hangs")
    assert failed.verdict is Verdict.BROKEN
    assert failed.reason.startswith("job 4 of 6 {'x': 3")
    assert "the loss is NaN" in failed.reason
    assert hung.verdict is Verdict.UNDECIDED, hung.reason
    assert hung.reason.endswith("out of time after 0.5 s")


def test_the_ledger_holds_what_was_given(everything: Everything) -> None:
    with Ledger(everything.ledger, read_only=True) as ledger:
        kept = {(r.claim, r.check): r for r in ledger.all_latest()}
    assert {k: r.to_json() for k, r in kept.items()} == {k: r.to_json() for k, r in everything.results.items()}


def test_what_is_fresh_is_given_again_without_starting_a_worker(
    everything: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkerPool, "submit_within", None)
    claims = everything.catalogue.select(QUICK_ONES)
    events: list[Event] = []
    with Ledger(everything.ledger) as ledger:
        again = list(run(claims, folder=CLAIMS, ledger=ledger, progress=events.append))
    assert [type(e) for e in events] == [Cached] * 6
    assert [r.to_json() for r in again] == [everything.results[r.claim, r.check].to_json() for r in again]


def test_one_worker_two_workers_and_other_executors_find_the_same(everything: Everything) -> None:
    claims = everything.catalogue.select(QUICK_ONES)
    two = essentials([everything.results[claim.id, check.name] for claim in claims for check in claim.checks])
    assert essentials(list(run(claims, folder=CLAIMS, workers=1))) == two
    executors: list[Executor] = [ThreadPoolExecutor(3), ProcessPoolExecutor(1, mp_context=get_context("spawn"))]
    for executor in executors:
        with executor:
            assert essentials(list(run(claims, folder=CLAIMS, executor=executor))) == two


def test_another_seed_or_budget_is_another_run() -> None:
    claims = load(CLAIMS).select(["tested.sweep"])
    with ThreadPoolExecutor(1) as executor:
        zero, one, full = (
            next(run(claims, folder=CLAIMS, executor=executor, seed=seed, budget=budget)).evidence
            for seed, budget in ((0, "quick"), (1, "quick"), (0, "full"))
        )
    assert zero.measured["noise"] != one.measured["noise"]
    assert (len(zero.instances), len(full.instances)) == (6, 8)


def test_fresh_runs_everything_again_and_the_history_keeps_both(tmp_path: Path) -> None:
    claims = load(CLAIMS).select(["tested.refuted"])
    with Ledger(tmp_path / "ledger") as ledger:
        for fresh in (False, False, True):
            list(run(claims, folder=CLAIMS, workers=1, ledger=ledger, fresh=fresh))
        assert len(ledger.history("tested.refuted")) == 2


def test_what_ran_out_of_time_runs_again_only_with_a_larger_limit(everything: Everything, tmp_path: Path) -> None:
    shutil.copy(everything.ledger, tmp_path / "ledger")
    claims = everything.catalogue.select(["tested.never_returns"])
    with Ledger(tmp_path / "ledger") as ledger:
        for limit, kind in ((0.3, Cached), (0.5, Cached), (0.6, Finished)):
            events: list[Event] = []
            list(run(claims, folder=CLAIMS, ledger=ledger, time_limit=limit, progress=events.append))
            assert type(events[-1]) is kind


def test_a_file_that_changes_while_its_check_runs_leaves_the_result_of_the_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TESTED_SECONDS", "1")
    folder = Path(shutil.copytree(CLAIMS, tmp_path / "claims"))
    catalogue = load(folder)
    claims = catalogue.select(["tested.slow_0"])
    shared = folder / "_observations.py"
    before = shared.read_text()

    def edit(event: Event) -> None:
        if isinstance(event, Finished):
            shared.write_text(before + "# a remark\n")

    with Ledger(tmp_path / "ledger") as ledger:
        list(run(claims, folder=folder, workers=1, ledger=ledger, progress=edit))
        edited = freshness(ledger, catalogue, claims[0], claims[0].checks[0])
        shared.write_text(before)
        restored = freshness(ledger, catalogue, claims[0], claims[0].checks[0])
    assert (edited.fresh, edited.reasons) == (None, ("_observations.py changed",))
    assert restored.fresh is not None


def test_what_was_not_run_by_a_worker_process_is_never_fresh(tmp_path: Path) -> None:
    catalogue = load(CLAIMS)
    claims = catalogue.select(["tested.refuted"])
    with ThreadPoolExecutor(1) as executor, Ledger(tmp_path / "ledger") as ledger:
        list(run(claims, folder=CLAIMS, executor=executor, ledger=ledger))
        found = freshness(ledger, catalogue, claims[0], claims[0].checks[0])
    assert (found.fresh, len(found.reasons)) == (None, 1)
    assert found.reasons[0].startswith("was not run by a worker process")


def test_without_cuda_experiments_are_skipped_and_proofs_run(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = SimpleNamespace(cuda=SimpleNamespace(is_available=lambda: False))
    monkeypatch.setitem(sys.modules, "torch", torch)
    claims = load(CLAIMS).select(["tested.established", "tested.undecided", "tested.sweep"])
    with ThreadPoolExecutor(1) as executor:
        results = list(run(claims, folder=CLAIMS, executor=executor, device="cuda"))
    assert [r.verdict for r in results] == ["DERIVED", "CERTIFIED", "SKIPPED", "SKIPPED"]
    assert "no CUDA" in results[-1].reason


def test_only_the_kinds_asked_for_run_and_the_longest_come_first(tmp_path: Path) -> None:
    catalogue = load(CLAIMS)
    claims = catalogue.select(["tested.slow_*"])
    with ThreadPoolExecutor(1) as executor, Ledger(tmp_path / "ledger") as ledger:
        results = list(run(claims, folder=CLAIMS, executor=executor, ledger=ledger, kinds=["certificate"]))
        assert len(results) == 6
        for result, seconds in zip(results, (1, 3, 2, 6, 4, 5), strict=True):
            ledger.append(replace(result, seconds=seconds))
        again = list(run(claims, folder=CLAIMS, executor=executor, workers=1, ledger=ledger, fresh=True))
        assert [r.claim for r in again] == [results[i].claim for i in (3, 5, 4, 1, 2, 0)]
        assert list(run(claims, folder=CLAIMS, kinds=["proof"])) == []


def test_what_was_never_timed_here_is_ordered_by_the_times_that_came_with_the_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    claims = load(CLAIMS).select(["tested.slow_*"])
    times = {(claim.id, check.name): seconds for seconds, claim in enumerate(claims, 1) for check in claim.checks}
    monkeypatch.setattr("implicitbias.record.shipped.seconds", lambda: times)
    with ThreadPoolExecutor(1) as executor:
        results = list(run(claims, folder=CLAIMS, executor=executor, workers=1, kinds=["certificate"]))
    assert [result.claim for result in results] == [claim.id for claim in reversed(claims)]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"workers": 0}, "--workers must be at least 1: got 0"),
        ({"time_limit": 0.0}, "--time-limit must be a positive number of seconds: got 0"),
        ({"time_limit": float("nan")}, "positive number of seconds: got nan"),
        ({"budget": "huge"}, "--budget must be one of quick, full, paper: got 'huge'"),
        ({"kinds": ["guess"]}, "--kind must be one of proof, certificate, experiment: got 'guess'"),
    ],
)
def test_arguments_that_are_not_allowed_are_refused_before_anything_runs(given: dict[str, object], says: str) -> None:
    with pytest.raises(UserError) as caught:
        run(load(CLAIMS).claims, folder=CLAIMS, **given)  # type: ignore[arg-type]
    assert says in str(caught.value)


def test_closing_the_iterator_stops_the_workers_and_keeps_what_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = WorkerPool(2)
    monkeypatch.setattr(runner, "_pool", lambda workers: pool)
    claims = load(CLAIMS).select(["tested.slow_*", "tested.never_returns"])
    with Ledger(tmp_path / "ledger") as ledger:
        results = run(claims, folder=CLAIMS, ledger=ledger, time_limit=60)
        first = next(results)
        assert pool.worker_ids()
        began = time.monotonic()
        results.close()  # type: ignore[attr-defined]
        assert time.monotonic() - began < AT_ONCE
        assert pool.worker_ids() == ()
        assert ledger.latest(first.claim, first.check) is not None


def runs_in_a_program(ledger: Path, globs: tuple[str, ...], seconds: str, log: Path) -> subprocess.Popen[bytes]:
    """A program that runs the claims with two workers and prints a line for every job and every result."""
    program = f"""
        import sys
        from implicitbias.claims.catalogue import load
        from implicitbias.running.events import Finished, JobDone
        from implicitbias.record.ledger import Ledger
        from implicitbias.running.runner import run
        folder = {str(CLAIMS)!r}
        tell = lambda e: print(type(e).__name__, flush=True) if isinstance(e, JobDone | Finished) else None
        claims = load(folder).select({globs!r})
        try:
            list(run(claims, folder=folder, workers=2, ledger=Ledger({str(ledger)!r}), time_limit=60, progress=tell))
        except KeyboardInterrupt:
            sys.exit(130)
    """
    environment = {**os.environ, "TESTED_SECONDS": seconds, "TESTED_LOG": str(log)}
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )


def test_a_run_killed_in_the_middle_resumes_and_repeats_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, log, globs = tmp_path / "ledger", tmp_path / "log", ("tested.sweep", "tested.slow_*")
    program = runs_in_a_program(path, globs, "0.05", log)
    with program:
        assert program.stdout is not None
        for _ in range(9):  # more than the six slow claims: jobs have finished as well
            assert program.stdout.readline()
        program.kill()
    before = recorded(path)
    assert before["jobs"] >= 1
    assert before.total() >= 9
    assert before["tested.sweep"] == 0
    ran = Counter(log.read_text().splitlines())
    monkeypatch.setenv("TESTED_LOG", str(log))
    monkeypatch.setenv("TESTED_SECONDS", "0.05")
    events: list[Event] = []
    with Ledger(path) as ledger:
        claims = load(CLAIMS).select(globs)
        results = list(run(claims, folder=CLAIMS, workers=1, ledger=ledger, progress=events.append))
    assert {str(r.verdict) for r in results} == {"CERTIFIED", "SUPPORTED"}
    again = Counter(log.read_text().splitlines()) - ran
    assert again.total() == 12 - before.total()
    assert sum(isinstance(e, Cached) for e in events) == before.total() - before["jobs"]
    assert recorded(path) == Counter({"jobs": 6, "tested.sweep": 1, **{f"tested.slow_{i}": 1 for i in range(6)}})


def test_two_runs_at_once_do_each_thing_once_and_both_have_all(tmp_path: Path) -> None:
    path, log, globs = tmp_path / "ledger", tmp_path / "log", ("tested.sweep", "tested.slow_*")
    programs = [runs_in_a_program(path, globs, "0.3", log) for _ in range(2)]
    for program in programs:
        with program:
            assert program.wait(120) == 0
    assert recorded(path) == Counter({"jobs": 6, "tested.sweep": 1, **{f"tested.slow_{i}": 1 for i in range(6)}})
    assert set(Counter(log.read_text().splitlines()).values()) == {1}


def test_an_interrupt_stops_at_once_and_keeps_what_finished(tmp_path: Path) -> None:
    path, log = tmp_path / "ledger", tmp_path / "log"
    program = runs_in_a_program(path, ("tested.never_returns", "tested.slow_*"), "0.05", log)
    with program:
        assert program.stdout is not None
        assert program.stderr is not None
        for _ in range(2):
            assert program.stdout.readline() == b"Finished\n"
        began = time.monotonic()
        os.killpg(program.pid, signal.SIGINT)
        code, said = program.wait(30), program.stderr.read()
        assert time.monotonic() - began < AT_ONCE
        assert (code, said) == (130, b"")
    kept = recorded(path)
    assert kept.total() >= 2
    assert kept["tested.never_returns"] == 0


def _claim(event: Event) -> str:
    return event.result.claim if isinstance(event, Finished | Cached) else ""
