"""Run checks on an Executor and yield their Results as they finish.

Only names and parameters are submitted (`implicitbias.running.worker`), so any `concurrent.futures.Executor` will do;
time limits and survival of a worker's death come with a `LimitedExecutor`: `WorkerPool`, the default, and
`ClusterPool`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from implicitbias.claims.catalogue import load
from implicitbias.claims.check import Budget, Kind
from implicitbias.claims.statement import Claim
from implicitbias.errors import UserError
from implicitbias.judging.result import Result
from implicitbias.record.ledger import Ledger
from implicitbias.running.events import Event
from implicitbias.running.executor import WorkerPool
from implicitbias.running.limited import LimitedExecutor
from implicitbias.running.schedule import Options, Schedule

WINDOW = 64
"""Jobs given to a foreign executor at a time: it may have many workers, and jobs it holds cannot be reordered."""


def run(
    claims: Iterable[Claim],
    *,
    folder: Path | str | None = None,
    budget: Budget | str = Budget.QUICK,
    seed: int = 0,
    workers: int | None = None,
    device: str = "cpu",
    kinds: Iterable[Kind | str] | None = None,
    fresh: bool = False,
    ledger: Ledger | None = None,
    time_limit: float | None = None,
    executor: Executor | None = None,
    progress: Callable[[Event], None] | None = None,
) -> Iterator[Result]:
    """Run the checks of the claims; yield their Results as they finish, recorded ones first.

    Results depend on the seed and the budget, not on the number of workers or the order in which they finish. When the
    iterator is closed or interrupted, all workers are stopped at once and everything finished is in the ledger.

    Parameters
    ----------
    claims : iterable of Claim
        Claims of the catalogue of `folder`.
    folder : path, optional
        The folder of claims; without it the shipped theory.
    budget : Budget or str, default="quick"
        quick, full or paper: sizes and seeds, never the rule of acceptance.
    seed : int, default=0
        The run's seed; each check and job makes its own of it.
    workers : int, optional
        Processes, by default one per core; with your own `executor` the number of jobs it is given at a time.
    device : str, default="cpu"
        "cpu" or "cuda".
    kinds : iterable of Kind or str, optional
        Only checks of these kinds.
    fresh : bool, default=False
        Run everything, whatever the ledger holds.
    ledger : Ledger, optional
        Where results are recorded, by default the user's.
    time_limit : float, optional
        Seconds for each observation and each job, instead of the check's own limit.
    executor : Executor, optional
        What runs the jobs, by default processes of this machine.
    progress : callable, optional
        Called with each event (`implicitbias.running.events`), in this thread.

    Yields
    ------
    Result
        One for each check.

    Raises
    ------
    UserError
        For arguments that are not allowed, before anything runs.
    LedgerError
        When the ledger fails.
    LostError, ClusterError
        With a cluster, when it has gone, and when none of its workers computes with what is here.

    Examples
    --------
    >>> import tempfile
    >>> from implicitbias import load
    >>> with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "ledger.sqlite") as ledger:
    ...     results = list(run([load().claim("savarese2019.lemma_1")], kinds=["certificate"], ledger=ledger))
    >>> [(result.check, str(result.verdict)) for result in results]
    [('bracketed over all scales', 'CERTIFIED')]
    """
    if workers is not None and workers < 1:
        raise UserError(f"--workers must be at least 1: got {workers}")
    if time_limit is not None and not time_limit > 0:
        raise UserError(f"--time-limit must be a positive number of seconds: got {time_limit:g}")
    catalogue = load(folder)
    options = Options(
        None if folder is None else str(Path(folder).expanduser().resolve()),
        _one_of(Budget, budget, "budget"),
        seed,
        str(device),
        fresh,
        time_limit,
    )
    wanted = None if kinds is None else {_one_of(Kind, kind, "kind") for kind in kinds}
    checks = {
        (claim.id, check.name): (claim, check)
        for claim in claims
        for check in claim.checks
        if wanted is None or check.kind in wanted
    }
    pool = executor or _pool(workers)
    window = 2 * pool.workers if isinstance(pool, LimitedExecutor) else workers or WINDOW
    schedule = Schedule(catalogue, options, ledger, pool, window, progress or _silent)
    return schedule.results(checks.values(), owns_pool=executor is None)


def _pool(workers: int | None) -> Executor:
    return WorkerPool(workers)


def _silent(event: Event) -> None:
    """The default for `progress`."""


def _one_of(words: Any, given: Any, what: str) -> Any:
    try:
        return words(given)
    except ValueError:
        raise UserError(f"--{what} must be one of {', '.join(words)}: got {given!r}") from None
