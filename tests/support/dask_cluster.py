"""A Dask scheduler and workers as processes of their own, started as one does by hand; and claims to run there."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]

CLAIM = """
    import time
    from implicitbias.claims.check import Check, Kind, Sweep
    from implicitbias.claims.statement import Claim, Control, Source
    from implicitbias.claims.evidence import Evidence, Instance

    STEP = 1

    def points(context):
        return [{{"seed": context.seed + i}} for i in range({jobs})]

    def walk(parameters, device):
        import numpy as np
        time.sleep({seconds})
        return {{"steps": STEP * np.random.default_rng(parameters["seed"]).choice([-1, 1], size=64)}}

    def together(context):
        walks = [[int(step) for step in output["steps"]] for output in context.outputs]
        return Evidence(
            instances=tuple(Instance(f"walk {{i}}", {{"n": 64}}, sum(s * s for s in w)) for i, w in enumerate(walks)),
            measured={{"ends": [sum(w) for w in walks]}},
        )

    CLAIMS = tuple(
        Claim(
            f"walks.{{name}}", Source("walks", name), "Steps of one", "Squared steps of one add up to their number.",
            "n", (Control("n + 1", "one too many"), Control("n/2", "half")),
            (Check("walks", Kind.EXPERIMENT, together, "walks", acceptance="exact", sweep=Sweep(points, walk)),),
            symbols={{"n": "how many"}},
        )
        for name in {names}
    )
"""


def claims_in(folder: Path, *, jobs: int, seconds: float = 0.1, names: tuple[str, ...] = ("length",)) -> Path:
    """A folder of claims, each with one check of a sweep of jobs that take so long."""
    folder.mkdir(parents=True)
    text = CLAIM.format(jobs=jobs, seconds=seconds, names=names)
    (folder / "walks.py").write_text(textwrap.dedent(text))
    return folder


class Cluster(contextlib.AbstractContextManager["Cluster"]):
    """A scheduler at `address`, and workers that are started one by one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.start_scheduler()

    def start_scheduler(self, port: int = 0) -> subprocess.Popen[bytes]:
        where = self.folder / "scheduler.json"
        where.unlink(missing_ok=True)
        started = self._start(
            "distributed.cli.dask_scheduler", "--port", str(port), "--scheduler-file", str(where), "--no-dashboard"
        )
        wait_for(lambda: where.exists() and bool(where.read_text().strip().endswith("}")), 60)
        self.address: str = json.loads(where.read_text())["address"]
        return started

    def start_worker(
        self, *, before: tuple[str, ...] = (), variables: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """A worker of one thread; `before`: the command that starts the command that starts it."""
        self.workers = getattr(self, "workers", 0) + 1
        name = f"worker-{self.workers}"
        options = (self.address, "--nthreads", "1", "--name", name, "--no-dashboard", "--no-nanny")
        place = ("--local-directory", str(self.folder))
        return self._start("distributed.cli.dask_worker", *options, *place, before=before, variables=variables)

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.kill()
            process.wait()

    def _start(
        self, module: str, *options: str, before: tuple[str, ...] = (), variables: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        with open(self.folder / "log.txt", "ab") as log:
            process = subprocess.Popen(
                [*before, sys.executable, "-m", module, *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, **(variables or {})},
            )
        self.processes.append(process)
        return process


def wait_for(holds: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def other_numpy(folder: Path) -> dict[str, str]:
    """Variables with which another version of numpy seems to be installed."""
    metadata = folder / "shim" / "numpy-99.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 99.0\n")
    return {"PYTHONPATH": str(folder / "shim")}


def other_sources(folder: Path) -> dict[str, str]:
    """Variables with which another implicitbias is imported: a copy with one line more."""
    copy = folder / "copy" / "implicitbias"
    shutil.copytree(ROOT / "src" / "implicitbias", copy, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("theory", "tui"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    with (copy / "judging" / "judgement.py").open("a") as file:
        file.write("\nOTHER = True\n")
    return {"PYTHONPATH": str(folder / "copy")}


def other_contents(folder: Path, other: Path) -> tuple[str, ...]:
    """A command that starts another one for which `folder` holds what `other` does."""
    return ("unshare", "-rm", "sh", "-c", f'mount --bind "{other}" "{folder}" && exec "$@"', "sh")


def folders_can_be_swapped() -> bool:
    try:
        return subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False
