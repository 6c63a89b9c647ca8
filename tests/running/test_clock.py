"""Time limits count the job's own time: waiting for a core that others use is not it, and sleeping is."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from implicitbias.running.clock import Clock, Times, counted, times_of
from implicitbias.running.descendants import SUPPORTED
from implicitbias.running.executor import WorkerPool
from implicitbias.running.slot import OutOfTimeError

linux = pytest.mark.skipif(not SUPPORTED, reason="only Linux tells how long a thread has waited for a core")
seconds = st.floats(0, 1e4)


@given(seconds, seconds, seconds)
def test_one_thread_counts_what_it_did_not_wait(wall: float, share: float, before: float) -> None:
    used = min(share, wall)
    now = {(1, 1): Times(before + used, before + wall - used)}
    assert counted(wall, {(1, 1): Times(before, before)}, now) == pytest.approx(used, abs=1e-6)


@given(seconds, st.lists(st.tuples(seconds, seconds)))
def test_never_more_than_the_wall_unless_several_cores_were_used(
    wall: float, threads: list[tuple[float, float]]
) -> None:
    now = {(1, i): Times(*times) for i, times in enumerate(threads)}
    found = counted(wall, {}, now)
    assert found <= max(wall, sum(used for used, _ in threads))
    assert found >= sum(used for used, _ in threads)


def test_waiting_for_anything_but_a_core_counts() -> None:
    assert counted(10, {}, {(1, 1): Times(0.1, 0.2)}) == pytest.approx(9.8)
    assert counted(10, {}, {}) == 10


def compute(seconds: float) -> float:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return seconds


def multiply(processes: int) -> None:
    """Load the machine so much that each process mostly waits."""
    for _ in range(processes):
        if os.fork() == 0:
            compute(1e3)
    compute(1e3)


@pytest.fixture
def busy_core() -> Iterator[None]:
    """One core for what the test starts, and four processes that want it all the time."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    yield
    for hog in hogs:
        hog.kill()
        hog.wait()
    os.sched_setaffinity(0, cores)


@linux
@pytest.mark.usefixtures("busy_core")
def test_a_job_on_a_busy_core_has_the_time_that_it_would_have_alone() -> None:
    with WorkerPool(1) as pool:
        pool.submit(abs, 0).result()
        began = time.monotonic()
        assert pool.submit_within(1.0, compute, 0.6).result() == 0.6
        assert time.monotonic() - began > 1.0
        with pytest.raises(OutOfTimeError):
            pool.submit_within(0.3, compute, 60.0).result()


@pytest.mark.timeout(60)
def test_a_job_that_sleeps_or_multiplies_is_ended() -> None:
    with WorkerPool(1) as pool:
        pool.submit(abs, 0).result()
        began = time.monotonic()
        with pytest.raises(OutOfTimeError):
            pool.submit_within(0.5, time.sleep, 60).result()
        with pytest.raises(OutOfTimeError):
            pool.submit_within(0.5, multiply, 16).result()
        assert time.monotonic() - began < 30


@linux
def test_times_of_a_process_that_has_gone_are_none() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert times_of(ended.pid) == {}
    assert times_of(os.getpid())[os.getpid(), os.getpid()].used > 0


def test_a_clock_that_is_stopped_in_time_ends_nothing() -> None:
    calls: list[str] = []
    with Clock(60, lambda: calls.append("expired"), lambda: calls.append("settled"), os.getpid()):
        pass
    with Clock(None, lambda: calls.append("expired"), lambda: calls.append("settled"), os.getpid()):
        pass
    assert calls == ["settled", "settled"]
