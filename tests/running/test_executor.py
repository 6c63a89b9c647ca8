"""What becomes of a job: its result or its error, a limit that it exceeds, a worker that dies under it."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from implicitbias.running import process
from implicitbias.running.executor import OutOfTimeError, WorkerDiedError, WorkerPool
from implicitbias.running.process import COPIES
from tests.support.jobs import nap, never_returns_in_c
from tests.support.patience import AT_ONCE


def die_the_first_time(marker: str) -> str:
    if Path(marker).exists():
        return "the second attempt"
    Path(marker).touch()
    os.kill(os.getpid(), signal.SIGKILL)
    return "unreachable"


def crash() -> None:
    os.abort()


def raise_value_error() -> None:
    raise ValueError("x must increase")


def code_of_a_unit() -> int:
    import numpy as np

    from implicitbias.training.flows.compiled_flow import code_of

    return code_of(1.0, 0.5, np.array([-1.0, 0.0, 1.0]))


def machine_code_at_hand() -> set[tuple[str, str]]:
    """The functions that were compiled, or read from the disk, before this job has called any."""
    from implicitbias.exact import machine_code

    return {(module, name) for module, name, _ in machine_code.present()}


def exit_python() -> None:
    raise SystemExit(3)


def print_and_return() -> str:
    print("this goes nowhere near the answers")
    os.write(1, b"nor does this")
    return sys.stdin.read()


def surroundings() -> list[object]:
    threads = [os.environ.get(name) for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "PYTHONHASHSEED")]
    return [*threads, signal.getsignal(signal.SIGINT) is signal.SIG_IGN]


@pytest.fixture(scope="module")
def shared() -> Iterator[WorkerPool]:
    """One pool for all tests that leave it usable, so that few processes are started."""
    with WorkerPool(2) as pool:
        yield pool


def test_results_come_back_and_errors_are_raised_with_their_remote_traceback(shared: WorkerPool) -> None:
    assert list(shared.map(abs, range(-20, 0))) == list(range(20, 0, -1))
    with pytest.raises(ValueError, match="x must increase") as caught:
        shared.submit(raise_value_error).result()
    assert "raise_value_error" in str(caught.value.__cause__)


def test_a_job_that_exits_python_is_an_error_of_the_job_alone(shared: WorkerPool) -> None:
    with pytest.raises(RuntimeError, match="SystemExit: 3"):
        shared.submit(exit_python).result()
    assert shared.submit(abs, -1).result() == 1


def test_workers_have_one_thread_a_fixed_hash_seed_and_ignore_interrupts(shared: WorkerPool) -> None:
    assert shared.submit(surroundings).result() == ["1", "1", "0", True]


def test_what_a_job_prints_or_reads_does_not_disturb_the_answers(shared: WorkerPool) -> None:
    assert shared.submit(print_and_return).result() == ""


def test_a_call_that_never_returns_is_killed_at_its_limit_while_others_go_on(shared: WorkerPool) -> None:
    for future in [shared.submit(nap, 0.1) for _ in range(2)]:
        future.result()
    began = time.monotonic()
    stuck = shared.submit_within(0.4, never_returns_in_c)
    others = [shared.submit_within(5, nap, 0.02) for _ in range(15)]
    for other in others:
        other.result()
    assert time.monotonic() - began < AT_ONCE
    with pytest.raises(OutOfTimeError, match=r"out of time after 0\.4 s"):
        stuck.result()
    assert time.monotonic() - began < AT_ONCE


def test_the_limit_counts_from_the_start_of_a_job_not_from_its_submission() -> None:
    with WorkerPool(1) as pool:
        pool.submit(nap, 0).result()  # the first job's time is spent on imports
        jobs = [pool.submit_within(0.6, nap, 0.2) for _ in range(4)]
        assert [job.result() for job in jobs] == [0.2] * 4


def test_a_worker_killed_once_costs_nothing(shared: WorkerPool, tmp_path: Path) -> None:
    others = [shared.submit(nap, 0.05) for _ in range(4)]
    assert shared.submit(die_the_first_time, str(tmp_path / "died")).result() == "the second attempt"
    assert [other.result() for other in others] == [0.05] * 4


def test_a_job_that_kills_its_worker_every_time_is_reported_with_how_it_died(shared: WorkerPool) -> None:
    other = shared.submit(nap, 0.1)
    with pytest.raises(WorkerDiedError, match=r"SIGABRT.*crash.*\(2 times\)"):
        shared.submit(crash).result()
    assert other.result() == 0.1


def test_an_idle_worker_that_is_killed_is_replaced(shared: WorkerPool) -> None:
    shared.submit(os.getpid).result()
    (pid, *_) = shared.worker_ids()
    os.kill(pid, signal.SIGKILL)
    assert shared.submit(nap, 0.01).result() == 0.01
    assert shared.submit(nap, 0.01).result() == 0.01


def set_precision(bits: int) -> int:
    """The precision that was set before, which flint keeps for the process."""
    import flint

    before, flint.ctx.prec = flint.ctx.prec, bits
    return int(before)


def test_no_job_finds_what_another_has_left_behind() -> None:
    with WorkerPool(1) as pool:
        assert [pool.submit(set_precision, 1000).result() for _ in range(3)] == [53] * 3


def test_a_waiting_job_can_be_cancelled() -> None:
    with WorkerPool(1) as pool:
        running, waiting = pool.submit(nap, 0.2), pool.submit(nap, 9)
        assert waiting.cancel()
        done, _ = concurrent.futures.wait([running, waiting], timeout=5)
        assert done == {running, waiting}


@pytest.mark.skipif(not COPIES, reason="here each job has a new process, not a copy of one")
def test_what_few_jobs_load_is_loaded_ahead_once_two_have_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "SELDOM", "colorsys")
    monkeypatch.setattr(process, "_loaded", ["colorsys"])
    monkeypatch.setattr(process, "_once", set())
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    process._warm_up()
    assert "colorsys" not in sys.modules
    process._loaded.append("colorsys")
    process._warm_up()
    assert "colorsys" in sys.modules
    assert not process._loaded


def test_machine_code_that_one_job_had_to_read_is_at_hand_for_the_next():
    code = ("implicitbias.training.flows.compiled_flow", "code_of")
    with WorkerPool(1) as pool:
        assert code not in pool.submit(machine_code_at_hand).result()
        assert pool.submit(code_of_a_unit).result() == 1
        assert code in pool.submit(machine_code_at_hand).result()
        assert pool.submit(code_of_a_unit).result() == 1
