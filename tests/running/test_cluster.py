"""The same run on a Dask cluster of processes of this machine: the same numbers, with workers killed on the way.

Twice at fixed moments of twelve jobs here; `make nightly` has forty rounds at random moments.
"""

from __future__ import annotations

import os
import signal
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from implicitbias.claims.catalogue import load
from implicitbias.cli import main
from implicitbias.errors import UserError
from implicitbias.judging.verdict import Verdict
from implicitbias.record.ledger import Ledger
from implicitbias.running.cluster import ClusterPool, started
from implicitbias.running.events import JobDone
from implicitbias.running.executor import OutOfTimeError
from implicitbias.running.runner import run

SEEDS = 12
CLAIM = """
    import time
    from implicitbias.claims.check import Check, Kind, Sweep
    from implicitbias.claims.statement import Claim, Control, Source
    from implicitbias.claims.evidence import Evidence, Instance

    def points(context):
        return [{{"seed": context.seed + i}} for i in range({seeds})]

    def walk(parameters, device):
        import numpy as np
        time.sleep(0.1)
        return {{"steps": np.random.default_rng(parameters["seed"]).choice([-1, 1], size=64)}}

    def together(context):
        walks = [[int(step) for step in output["steps"]] for output in context.outputs]
        return Evidence(
            instances=tuple(Instance(f"walk {{i}}", {{"n": 64}}, sum(s * s for s in w)) for i, w in enumerate(walks)),
            measured={{"ends": [sum(w) for w in walks]}},
        )

    CLAIMS = (
        Claim(
            "walks.length", Source("walks", "1"), "Steps of one", "Squared steps of one add up to their number.", "n",
            (Control("n + 1", "one too many"), Control("n/2", "half")),
            (Check("walks", Kind.EXPERIMENT, together, "walks", acceptance="exact", sweep=Sweep(points, walk)),),
            symbols={{"n": "how many"}},
        ),
    )
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "claims"
    made.mkdir()
    (made / "walks.py").write_text(textwrap.dedent(CLAIM.format(seeds=SEEDS)))
    return made


@pytest.fixture
def cluster() -> Iterator[ClusterPool]:
    with ClusterPool(workers=2) as pool:
        yield pool


def results(folder: Path, **options: Any) -> list[Any]:
    return list(run(load(folder).claims, folder=folder, **options))


def test_seeds_give_the_same_numbers_with_two_workers_killed_on_the_way(
    folder: Path, cluster: ClusterPool, tmp_path: Path
) -> None:
    [alone] = results(folder, workers=1)
    done: list[int] = []
    killed: list[int] = []

    def watch(event: object) -> None:
        if isinstance(event, JobDone):
            done.append(event.index)
            if len(done) in (3, 7):
                victim = min(cluster._client.run(os.getpid).values())
                killed.append(victim)
                os.kill(victim, signal.SIGKILL)

    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        [found] = results(folder, ledger=ledger, executor=cluster, progress=watch)
    assert len(set(killed)) == 2
    assert found.verdict is Verdict.SUPPORTED
    assert found.evidence == alone.evidence
    assert sorted(done) == list(range(SEEDS))  # a job that a lost worker had is taken in once


def test_time_limits_hold_on_the_cluster_and_errors_are_those_of_the_job(cluster: ClusterPool) -> None:
    with pytest.raises(OutOfTimeError, match=r"after 0\.5 s"):
        cluster.submit_within(0.5, signal.pause).result()
    with pytest.raises(ZeroDivisionError):
        cluster.submit(divmod, 1, 0).result()
    assert cluster.submit(divmod, 7, 2).result() == (3, 1)


def test_a_scheduler_that_does_not_answer_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("implicitbias.running.cluster.PATIENCE", 0.5)
    with pytest.raises(UserError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        ClusterPool("tcp://127.0.0.1:9")
    with pytest.raises(UserError, match="no Dask scheduler answers at nonsense"):
        ClusterPool("nonsense://x")


def test_a_cluster_without_workers_is_refused() -> None:
    from distributed import LocalCluster

    with (
        started(lambda: LocalCluster(n_workers=0, dashboard_address=None, silence_logs=50)) as empty,
        pytest.raises(UserError, match="has no workers"),
    ):
        ClusterPool(empty.scheduler_address)


def test_an_event_loop_that_was_late_is_asked_once_more() -> None:
    asked = []

    def late(times: int) -> str:
        asked.append(times)
        assert len(asked) > times
        return "here"

    assert started(lambda: late(1)) == "here"
    asked.clear()
    with pytest.raises(AssertionError):
        started(lambda: late(2))


def test_a_scheduler_is_for_dask_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["verify", "--scheduler", "tcp://x:1", "--ledger", str(tmp_path / "l.sqlite")]) == 2
    assert "--executor dask" in capsys.readouterr().err
