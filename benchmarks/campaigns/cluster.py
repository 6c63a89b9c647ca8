"""Runs on a Dask cluster whose workers and schedulers are killed, and replaced by wrong ones, at random moments.

Each round starts a scheduler and two workers, runs sweeps on them, and does one of three things at random moments: it
kills workers and starts right ones; kills them and starts ones with other sources or versions before right ones; kills
the scheduler. What is left is then run on this machine. Counted are finished jobs that are not in the ledger (lost),
jobs and results that are in it more than once (doubled), evidence that differs from a run without a cluster (wrong),
runs that go on for longer than they may (hung), and ends that are neither success nor a named loss (unexplained).
"""

from __future__ import annotations

import random
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from implicitbias.claims.catalogue import load
from implicitbias.judging.result import Result
from implicitbias.record.ledger import Ledger
from implicitbias.running.cluster import ClusterPool
from implicitbias.running.events import Event, JobDone
from implicitbias.running.limited import LostError
from implicitbias.running.runner import run as run_checks
from tests.support.dask_cluster import Cluster, claims_in, other_numpy, other_sources

JOBS, SECONDS, NAMES = 12, 0.1, ("first", "second")
LONGEST = 30.0
"""Seconds in which a run must end when its scheduler has gone."""

EVENTS = ("worker killed", "worker replaced by a wrong one", "scheduler killed")


def run(count: int, seed: int) -> dict[str, object]:
    """`count` rounds; the figures."""
    draw = random.Random(seed)
    figures = Counter(lost=0, doubled=0, wrong=0, hung=0, unexplained=0)
    with tempfile.TemporaryDirectory() as folder:
        claims = claims_in(Path(folder) / "claims", jobs=JOBS, seconds=SECONDS, names=NAMES)
        reference = _evidence(run_checks(load(claims).claims, folder=claims, workers=2))
        for number in range(count):
            place = Path(folder) / str(number)
            place.mkdir()
            event = draw.choice(EVENTS)
            figures[event] += 1
            figures.update(_round(place, claims, event, draw.randrange(2**32), reference))
    return {"rounds": count, "jobs": count * JOBS * len(NAMES), **figures}


def _round(place: Path, claims: Path, event: str, seed: int, reference: dict[str, object]) -> Counter[str]:
    draw = random.Random(seed)
    found: Counter[str] = Counter()
    done: set[tuple[str, int]] = set()
    at = sorted(draw.sample(range(1, JOBS * len(NAMES) - 2), 1 if event == "scheduler killed" else draw.randint(1, 2)))
    gone = [0.0]
    victims: list[subprocess.Popen[bytes]] = []

    def watch(happened: Event) -> None:
        if isinstance(happened, JobDone):
            done.add((happened.claim, happened.index))
            if at and len(done) >= at[0]:
                at.pop(0)
                time.sleep(draw.uniform(0, 2 * SECONDS))
                gone[0] = time.monotonic()
                threading.Thread(
                    target=_strike, args=(cluster, victims, place, event, draw.random()), daemon=True
                ).start()

    ledger_file = place / "ledger"
    with Cluster(place) as cluster, Ledger(ledger_file) as ledger:
        victims += [cluster.start_worker(), cluster.start_worker()]
        _wait_for_workers(cluster, 2)
        try:
            with ClusterPool(cluster.address) as pool:
                results = list(
                    run_checks(load(claims).claims, folder=claims, ledger=ledger, executor=pool, progress=watch)
                )
            found["wrong"] += _evidence(results) != reference
        except LostError:
            found["runs that ended with the scheduler"] += 1
            found["unexplained"] += event != "scheduler killed"
        except Exception:
            found["unexplained"] += 1
        if event == "scheduler killed":
            found["hung"] += time.monotonic() - gone[0] > LONGEST
        found["lost"] += max(0, len(done) - _count(ledger_file, "SELECT count(DISTINCT key) FROM jobs"))
        found["wrong"] += (
            _evidence(run_checks(load(claims).claims, folder=claims, ledger=ledger, workers=2)) != reference
        )
    found["doubled"] += _count(ledger_file, "SELECT count(*) - count(DISTINCT key) FROM jobs")
    found["doubled"] += _count(ledger_file, "SELECT count(*) - count(DISTINCT claim) FROM results")
    return found


def _strike(cluster: Cluster, victims: list[subprocess.Popen[bytes]], place: Path, event: str, chance: float) -> None:
    if event == "scheduler killed":
        cluster.scheduler.kill()
        return
    if victims:
        victims.pop().kill()
    if event == "worker replaced by a wrong one" and not (place / "shim").exists() and not (place / "copy").exists():
        cluster.start_worker(variables=(other_numpy if chance < 0.5 else other_sources)(place))
    cluster.start_worker()


def _wait_for_workers(cluster: Cluster, number: int) -> None:
    from distributed import Client

    with Client(cluster.address) as client:
        client.wait_for_workers(number, timeout=120)


def _evidence(results: Iterable[Result]) -> dict[str, object]:
    return {result.claim: result.evidence.to_json() for result in results}


def _count(ledger: Path, query: str) -> int:
    connection = sqlite3.connect(ledger)
    try:
        return int(connection.execute(query).fetchone()[0])
    finally:
        connection.close()
