"""The pool ends all processes that it must end, however its program ends and whatever jobs have started."""

from __future__ import annotations

import gc
import os
import select
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from implicitbias.running.executor import OutOfTimeError, StoppedError, WorkerPool
from tests.support.jobs import nap, never_returns_in_c
from tests.support.patience import AT_ONCE

ROOT = Path(__file__).parents[2]


def say_so_and_never_return(marker: str) -> None:
    Path(marker).touch()
    never_returns_in_c()


def start_a_process_and_hang(marker: str) -> None:
    child = subprocess.Popen(["sleep", "600"])
    Path(marker).write_text(str(child.pid))
    time.sleep(600)


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


def hopping_processes(pipe: str) -> None:
    """Start twenty processes each of which goes on as its own child, in a new session, a hundred times a second.

    All hold the pipe open, and each has said a word into it. Each ends by itself after a minute: if they escaped, they
    would slow this machine until it is switched off.
    """
    program = """
        import os, sys, time
        end = time.monotonic() + 60
        pipe = os.open(sys.argv[1], os.O_WRONLY)
        for _ in range(19):
            if os.fork() == 0: break
        os.write(pipe, b".")
        while time.monotonic() < end:
            time.sleep(0.01)
            if os.fork(): os._exit(0)
            os.setsid()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program), pipe])


def start_hopping_processes_and_hang(pipe: str) -> None:
    hopping_processes(pipe)
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


def said(pipe: int, seconds: float) -> bytes | None:
    """The next bytes in a pipe: none at its end, when no process holds it any more, and None after some seconds."""
    return os.read(pipe, 1) if select.select([pipe], [], [], seconds)[0] else None


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody inherits orphans")


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
    assert time.monotonic() - began < AT_ONCE
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
        import sys, time; sys.path.insert(0, {str(ROOT)!r})
        from implicitbias.running.executor import WorkerPool
        from pathlib import Path
        from tests.running.test_processes import nap, say_so_and_never_return
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
        import sys, time; sys.path.insert(0, {str(ROOT)!r})
        from implicitbias.running.executor import WorkerPool
        from tests.running.test_processes import leave_a_daemon
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
@pytest.mark.parametrize("end", ["out of time", "stopped"])
def test_processes_that_never_stay_the_same_are_all_ended(tmp_path: Path, end: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    pipe = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with WorkerPool(1) as pool:
        limit = 3.0 if end == "out of time" else None
        job = pool.submit_within(limit, start_hopping_processes_and_hang, str(tmp_path / "pipe"))
        assert [said(pipe, AT_ONCE) for _ in range(20)] == [b"."] * 20
        if end == "stopped":
            pool.stop()
        assert isinstance(job.exception(), OutOfTimeError if end == "out of time" else StoppedError)
        assert said(pipe, AT_ONCE) == b""
    os.close(pipe)


@on_linux
def test_processes_that_never_stay_the_same_end_with_their_job(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    pipe = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with WorkerPool(1) as pool:
        pool.submit(hopping_processes, str(tmp_path / "pipe")).result()
        while (word := said(pipe, AT_ONCE)) == b".":  # some were ended before theirs
            pass
        assert word == b""
        assert pool.submit(abs, -1).result() == 1
    os.close(pipe)


@on_linux
@pytest.mark.skipif(not hasattr(os, "setpriority"), reason="the system has no priorities")
def test_workers_give_way_if_asked_to_and_so_do_their_jobs() -> None:
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    with WorkerPool(1, niceness=5) as gentle, WorkerPool(1) as plain:
        assert gentle.submit(os.getpriority, os.PRIO_PROCESS, 0).result() == mine + 5
        assert plain.submit(os.getpriority, os.PRIO_PROCESS, 0).result() == mine


def test_a_worker_ends_with_its_guardian() -> None:
    with WorkerPool(1) as pool:
        pool.submit(abs, -1).result()
        [worker] = pool.worker_ids()
        guardian = int(Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[1])
        assert guardian != os.getpid()
        os.kill(guardian, signal.SIGKILL)
        wait_until_gone([worker, guardian])
        assert pool.submit(abs, -1).result() == 1
