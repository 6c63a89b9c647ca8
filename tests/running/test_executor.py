"""The pool ends what it must end, and nothing else."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import gc
import itertools
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from implicitbias.running.executor import OutOfTimeError, StoppedError, WorkerDiedError, WorkerPool
from implicitbias.running.process import COPIES


def never_returns_in_c() -> None:
    """One call that holds the interpreter's lock and looks at no signal: nothing but SIGKILL ends it."""
    collections.deque(itertools.repeat(0), maxlen=0)


def say_so_and_never_return(marker: str) -> None:
    Path(marker).touch()
    never_returns_in_c()


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


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


def start_a_process_and_hang(marker: str) -> None:
    child = subprocess.Popen(["sleep", "600"])
    Path(marker).write_text(str(child.pid))
    time.sleep(600)


def is_alive(pid: int) -> bool:
    """Whether the process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_gone(pids: list[int], seconds: float = 3.0) -> None:
    end = time.monotonic() + seconds
    while any(map(is_alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not [pid for pid in pids if is_alive(pid)]


def wait_until_there(file: Path, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not file.exists():
        assert time.monotonic() < end, f"{file} was never made"
        time.sleep(0.01)


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
    assert time.monotonic() - began < 3
    with pytest.raises(OutOfTimeError, match=r"out of time after 0\.4 s"):
        stuck.result()
    assert time.monotonic() - began < 3


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


def test_stop_ends_stuck_work_at_once_and_leaves_no_process(tmp_path: Path) -> None:
    pool = WorkerPool(2)
    markers = [tmp_path / "first", tmp_path / "second"]
    running = [pool.submit(say_so_and_never_return, str(marker)) for marker in markers]
    waiting = pool.submit(nap, 1)
    while not all(marker.exists() for marker in markers):
        time.sleep(0.01)
    time.sleep(0.1)
    pids = list(pool.worker_ids())
    began = time.monotonic()
    pool.stop()
    assert time.monotonic() - began < 1
    assert waiting.cancelled()
    for job in running:
        assert isinstance(job.exception(timeout=0), StoppedError)
    wait_until_gone(pids)
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit(abs, 1)


def test_processes_that_a_job_has_started_end_with_it(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    with WorkerPool(1) as pool:
        with pytest.raises(OutOfTimeError):
            pool.submit_within(2.0, start_a_process_and_hang, str(marker)).result()
        wait_until_gone([int(marker.read_text())])


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a C call that never lets go outlives its parent")
def test_workers_end_when_the_parent_is_killed_even_inside_c_calls(tmp_path: Path) -> None:
    program = f"""
        import sys, time; sys.path.insert(0, {str(Path(__file__).parent)!r})
        from implicitbias.running.executor import WorkerPool
        from pathlib import Path
        from test_executor import nap, say_so_and_never_return
        pool, marker = WorkerPool(3), {str(tmp_path / "called")!r}
        jobs = [pool.submit(say_so_and_never_return, marker), pool.submit(nap, 600)]
        pool.submit(abs, 1).result()
        while len(pool.worker_ids()) < 3 or not Path(marker).exists(): time.sleep(0.01)
        time.sleep(0.1)
        print(*pool.worker_ids(), flush=True)
        time.sleep(600)
    """
    parent = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    with parent.stdout:
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(pids) == 3
        assert all(map(is_alive, pids))
        parent.kill()
        parent.wait()
    wait_until_gone(pids)


def test_a_pool_that_nobody_shut_down_ends_with_the_program() -> None:
    program = """
        from implicitbias.running.executor import WorkerPool
        pool = WorkerPool(1)
        pool.submit(abs, 1).result()
        print(*pool.worker_ids(), flush=True)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=20)
    assert done.returncode == 0
    assert done.stderr == ""
    wait_until_gone([int(done.stdout)])


def test_a_pool_that_nobody_holds_any_more_ends() -> None:
    pool = WorkerPool(1)
    pool.submit(abs, 1).result()
    pids = list(pool.worker_ids())
    del pool
    gc.collect()
    wait_until_gone(pids)


def leave_a_daemon(marker: str, then: str) -> None:
    """Start a process that is in a session of its own and nobody's child, as daemons are; then end, or not."""
    program = """
        import os, sys, time
        if os.fork(): os._exit(0)
        os.setsid()
        if os.fork(): os._exit(0)
        os.environ.clear()
        os.chdir("/")
        with open(sys.argv[1] + ".part", "w") as file: file.write(str(os.getpid()))
        os.rename(sys.argv[1] + ".part", sys.argv[1])
        time.sleep(600)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program), marker], check=True)
    while not Path(marker).exists():
        time.sleep(0.01)
    match then:
        case "return":
            return
        case "raise":
            raise ValueError("x must increase")
        case "exit":
            os._exit(0)
        case "abort":
            os.abort()
        case "kill its own group":
            os.killpg(0, signal.SIGKILL)
        case _:
            never_returns_in_c()


def start_hopping_processes(word: str) -> None:
    """Start twenty processes each of which goes on as its own child, in a new session, a hundred times a second.

    Each ends by itself after a minute: if they escaped, they would slow this machine until it is switched off.
    """
    program = """
        import os, time
        end = time.monotonic() + 60
        for _ in range(19):
            if os.fork() == 0: break
        while time.monotonic() < end:
            time.sleep(0.01)
            if os.fork(): os._exit(0)
            os.setsid()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program), word])
    time.sleep(600)


def named(word: str) -> list[int]:
    """The processes that have this word in their command line."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if word.encode() in (place / "cmdline").read_bytes() and is_alive(int(place.name)):
                found.append(int(place.name))
    return found


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody inherits orphans")


@on_linux
@pytest.mark.parametrize("then", ["return", "raise", "exit", "abort", "kill its own group", "hang"])
def test_a_daemon_that_a_job_has_started_ends_with_the_job(tmp_path: Path, then: str) -> None:
    marker = tmp_path / "pid"
    with WorkerPool(1) as pool:
        pool.submit(abs, -1).result()
        before = pool.worker_ids()
        job = pool.submit_within(2.0, leave_a_daemon, str(marker), then)
        failure = job.exception()
        wait_until_gone([int(marker.read_text())])
        assert (failure is None) == (then == "return")
        if then in ("return", "raise"):  # the worker has not been ended with what the job had left
            assert pool.worker_ids() == before
        assert pool.submit(abs, -1).result() == 1


@on_linux
def test_daemons_end_when_the_run_is_stopped_and_when_it_is_killed(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    pool = WorkerPool(1)
    pool.submit(leave_a_daemon, str(marker), "hang")
    wait_until_there(marker)
    pool.stop()
    wait_until_gone([int(marker.read_text())])
    marker.unlink()
    program = f"""
        import sys, time; sys.path.insert(0, {str(Path(__file__).parent)!r})
        from implicitbias.running.executor import WorkerPool
        from test_executor import leave_a_daemon
        pool = WorkerPool(1)
        pool.submit(leave_a_daemon, {str(marker)!r}, "hang").result()
    """
    parent = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)])
    wait_until_there(marker)
    assert is_alive(int(marker.read_text()))
    parent.kill()
    parent.wait()
    wait_until_gone([int(marker.read_text())])


@on_linux
def test_processes_that_never_stay_the_same_are_all_ended(tmp_path: Path) -> None:
    word = f"hopping-{os.getpid()}-{tmp_path.name}"
    with WorkerPool(1) as pool:
        pool.submit(abs, 0).result()
        job = pool.submit_within(3.0, start_hopping_processes, word)
        while not named(word):  # each may have gone between two looks
            assert not job.done()
        with pytest.raises(OutOfTimeError):
            job.result()
        wait_until_gone(named(word), seconds=5)
        assert named(word) == []


@on_linux
def test_a_worker_ends_with_its_guardian() -> None:
    with WorkerPool(1) as pool:
        pool.submit(abs, -1).result()
        [worker] = pool.worker_ids()
        guardian = int(Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[1])
        assert guardian != os.getpid()
        os.kill(guardian, signal.SIGKILL)
        wait_until_gone([worker, guardian])
        assert pool.submit(abs, -1).result() == 1


@pytest.mark.skipif(not COPIES, reason="here each job has a new process, not a copy of one")
def test_machine_code_that_one_job_had_to_read_is_at_hand_for_the_next():
    code = ("implicitbias.training.flows.compiled_flow", "code_of")
    with WorkerPool(1) as pool:
        assert code not in pool.submit(machine_code_at_hand).result()
        assert pool.submit(code_of_a_unit).result() == 1
        assert code in pool.submit(machine_code_at_hand).result()
        assert pool.submit(code_of_a_unit).result() == 1
