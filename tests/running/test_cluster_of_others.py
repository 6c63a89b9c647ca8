"""Workers that compute with other things than this machine, and schedulers that die: nothing of it is ever recorded.

One of each here, on few jobs; `make nightly` has forty rounds of them at random moments.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.errors import ClusterError
from implicitbias.judging.verdict import Verdict
from implicitbias.record.ledger import Ledger
from implicitbias.running.cluster import ClusterPool
from implicitbias.running.events import Event, JobDone
from implicitbias.running.limited import LostError
from implicitbias.running.runner import run
from tests.support.dask_cluster import (
    Cluster,
    claims_in,
    folders_can_be_swapped,
    other_contents,
    other_numpy,
    other_sources,
)

pytestmark = pytest.mark.timeout(240)
swappable = pytest.mark.skipif(not folders_can_be_swapped(), reason="needs mount namespaces")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    place = tmp_path / "cluster"
    place.mkdir()
    with Cluster(place) as made:
        yield made


def connected(cluster: Cluster, workers: int = 1) -> ClusterPool:
    """A pool on the cluster once it has that many workers."""
    from distributed import Client

    with Client(cluster.address) as client:
        client.wait_for_workers(workers, timeout=90)
    return ClusterPool(cluster.address)


def start_a_right_one_when_one_is_refused(pool: ClusterPool, cluster: Cluster) -> None:
    while not pool._refused:
        time.sleep(0.1)
    cluster.start_worker()


def recorded_jobs(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        return int(connection.execute("SELECT count(*) FROM jobs").fetchone()[0])


@pytest.mark.parametrize(
    ("make", "says"),
    [(other_numpy, r"numpy 99\.0 there, [\d.]+ here"), (other_sources, "other sources of implicitbias")],
)
def test_a_worker_with_another_version_or_other_sources_is_refused_at_once(
    cluster: Cluster, tmp_path: Path, make: object, says: str
) -> None:
    cluster.start_worker()
    cluster.start_worker(variables=make(tmp_path))  # type: ignore[operator]
    with pytest.raises(ClusterError, match=says):
        connected(cluster, 2)


def test_a_right_worker_that_is_replaced_by_a_wrong_one_costs_nothing_but_time(
    cluster: Cluster, tmp_path: Path
) -> None:
    folder = claims_in(tmp_path / "claims", jobs=8)
    right = cluster.start_worker()
    done: list[int] = []

    def watch(event: Event) -> None:
        if isinstance(event, JobDone):
            done.append(event.index)
            if len(done) == 3:
                right.kill()
                cluster.start_worker(variables=other_sources(tmp_path))

    with connected(cluster) as pool, Ledger(tmp_path / "ledger") as ledger:
        threading.Thread(target=start_a_right_one_when_one_is_refused, args=(pool, cluster), daemon=True).start()
        [found] = run(load(folder).claims, folder=folder, ledger=ledger, executor=pool, progress=watch)
        why = " ".join(pool._refused.values())
    [alone] = run(load(folder).claims, folder=folder, workers=1)
    assert found.verdict is Verdict.SUPPORTED
    assert found.evidence == alone.evidence
    assert sorted(done) == list(range(8))
    assert recorded_jobs(tmp_path / "ledger") == 8
    assert "other sources" in why


@swappable
def test_other_contents_of_the_claims_folder_are_never_recorded(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("implicitbias.running.cluster.EMPTY", 3.0)
    folder = claims_in(tmp_path / "claims", jobs=4)
    other = claims_in(tmp_path / "other", jobs=4)
    text = (other / "walks.py").read_text()
    (other / "walks.py").write_text(text.replace("STEP = 1", "STEP = 2"))
    cluster.start_worker(before=other_contents(folder, other))
    with connected(cluster) as pool, Ledger(tmp_path / "ledger") as ledger:
        with pytest.raises(ClusterError, match="other contents of the claims folder"):
            list(run(load(folder).claims, folder=folder, ledger=ledger, executor=pool))
        assert ledger.all_latest() == ()
    assert recorded_jobs(tmp_path / "ledger") == 0
    cluster.start_worker()
    with connected(cluster, 2) as pool, Ledger(tmp_path / "ledger") as ledger:
        [found] = run(load(folder).claims, folder=folder, ledger=ledger, executor=pool)
    assert found.verdict is Verdict.SUPPORTED
    assert recorded_jobs(tmp_path / "ledger") == 4


def test_two_clients_of_one_cluster_do_not_end_each_others_work(cluster: Cluster, tmp_path: Path) -> None:
    cluster.start_worker()
    with connected(cluster) as pool:
        future = pool.submit(time.sleep, 4)
        with ClusterPool(cluster.address) as other:
            assert other.submit(abs, -1) is not None
        assert future.result() is None


def test_a_scheduler_that_is_silent_ends_the_run_within_half_a_minute(cluster: Cluster, tmp_path: Path) -> None:
    folder = claims_in(tmp_path / "claims", jobs=60, seconds=0.4)
    cluster.start_worker()
    done: list[float] = []

    def watch(event: Event) -> None:
        if isinstance(event, JobDone):
            done.append(time.monotonic())
            if len(done) == 3:
                cluster.scheduler.send_signal(signal.SIGSTOP)

    pool = connected(cluster)
    with Ledger(tmp_path / "ledger") as ledger, pytest.raises(LostError, match="scheduler"), pool:
        list(run(load(folder).claims, folder=folder, ledger=ledger, executor=pool, progress=watch))
    assert time.monotonic() - done[2] < 30
    assert 3 <= recorded_jobs(tmp_path / "ledger") == len(done) < 60


def test_a_run_that_has_lost_its_scheduler_keeps_what_had_finished_and_ends_with_code_3(
    cluster: Cluster, tmp_path: Path
) -> None:
    folder = claims_in(tmp_path / "claims", jobs=5, seconds=0.3, names=("first", "second", "third"))
    cluster.start_worker()
    connected(cluster).stop()
    path = tmp_path / "ledger"
    options = ["--claims", str(folder), "--ledger", str(path)]
    command = [sys.executable, "-m", "implicitbias", "verify", *options]
    verify = subprocess.Popen(
        [*command, "--executor", "dask", "--scheduler", cluster.address], stderr=subprocess.PIPE, text=True
    )
    end = time.monotonic() + 90
    while not path.exists() or not _results(path):
        assert time.monotonic() < end
        time.sleep(0.1)
    os.kill(cluster.scheduler.pid, signal.SIGKILL)
    killed = time.monotonic()
    _, said = verify.communicate(timeout=60)
    assert time.monotonic() - killed < 30
    assert verify.returncode == 3
    assert "the Dask scheduler has" in said
    assert "What had finished is kept" in said
    assert "Traceback" not in said
    before = _results(path)
    assert 1 <= before < 3
    jobs = recorded_jobs(path)
    assert subprocess.run(command, capture_output=True).returncode == 0
    assert _results(path) == 3
    assert recorded_jobs(path) == 15 >= jobs


def _results(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
        except sqlite3.OperationalError:
            return 0
