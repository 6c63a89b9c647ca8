"""The order of work: plan, jobs and observation of each check, submitted in time and taken in when done.

Whatever a worker has finished is appended to the ledger as soon as it arrives, before it is reported.
"""

from __future__ import annotations

import heapq
import queue
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.check import Budget, Check
from implicitbias.claims.statement import Claim
from implicitbias.errors import ClusterError
from implicitbias.judging.result import Result
from implicitbias.judging.verdict import Verdict
from implicitbias.record import shipped
from implicitbias.record.environment import environment
from implicitbias.record.freshness import limit_of, look_up
from implicitbias.record.leases import Leases
from implicitbias.record.ledger import Ledger
from implicitbias.record.outputs import Packed
from implicitbias.record.present import Present
from implicitbias.record.provenance import (
    Computation,
    computation_of_check,
    computation_of_job,
    device_of,
    key_of,
    machine,
)
from implicitbias.record.used import Used, together
from implicitbias.running import worker
from implicitbias.running.events import Cached, Event, Finished, JobDone, Started, ToRun
from implicitbias.running.executor import OutOfTimeError, StoppedError
from implicitbias.running.limited import LimitedExecutor, LostError

PROMPT = 0.05
"""Seconds between looks at which jobs have started; only the progress display depends on it."""

PATIENCE = 0.5
"""Seconds between looks at what other runs on the same ledger have finished."""


@dataclass(frozen=True)
class Options:
    """The options of a run."""

    folder: str | None
    budget: Budget
    seed: int
    device: str
    fresh: bool
    time_limit: float | None


@dataclass
class _Work:
    """A check that has to run, and its progress."""

    claim: Claim
    module: str
    check: Check
    computation: Computation
    key: str
    limit: float
    device: str
    priority: float
    started: bool = False
    over: bool = False
    seconds: float = 0.0
    points: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    outputs: dict[int, Packed] = field(default_factory=dict)
    used: list[Used] = field(default_factory=list)


@dataclass(frozen=True, order=True)
class _Step:
    """A step to submit: `plan`, `job` number `index`, or `observe`. The longest checks come first."""

    priority: float
    number: int
    function: Callable[..., Any] = field(compare=False)
    arguments: tuple[Any, ...] = field(compare=False)
    work: _Work = field(compare=False)
    index: int = field(default=-1, compare=False)

    @property
    def key(self) -> str:
        """The computation that this step begins, if runs that share a ledger are to do it once: a check, or the job of
        a shared sweep. Other jobs belong to their check."""
        if self.index >= 0:
            sweep = self.work.check.sweep
            return self.work.keys[self.index] if sweep and sweep.shared else ""
        return "" if self.work.points else self.work.key


class Schedule:
    """The checks of one run, from their first step to their Results."""

    def __init__(
        self,
        catalogue: Catalogue,
        options: Options,
        ledger: Ledger | None,
        pool: Executor,
        window: int,
        progress: Callable[[Event], None],
    ) -> None:
        self.catalogue = catalogue
        self.options = options
        self.ledger = ledger
        self.pool = pool
        self.window = window
        self.progress = progress
        self.ready: list[_Step] = []
        self.running: dict[Future[Any], _Step] = {}
        self.arrived: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        self.numbers = count()
        self.ending = False
        self.awaited: dict[str, list[tuple[_Work, int]]] = {}
        """For each key of a job that is under way: the other checks that wait for its output."""
        self.shared: dict[str, tuple[Packed, Used]] = {}
        """The outputs of the jobs of shared sweeps in this run."""
        self.leases = Leases(ledger) if ledger and not options.fresh else None
        self.present = Present(catalogue.folder, environment())
        self.rows: dict[str, tuple[int, int]] = {}
        """For each key: the last rows of the ledger that this run has looked at."""
        self.elsewhere: list[_Step] = []
        """The steps that another run is doing."""
        self.looked = 0.0
        self.done_elsewhere: list[Result] = []

    def results(self, checks: Iterable[tuple[Claim, Check]], owns_pool: bool) -> Iterator[Result]:
        try:
            reused = self._sorted_out(checks)
            self._fill()
            for known in reused:
                self.progress(Cached(known))
                yield known
            while self.running or self.elsewhere or self.done_elsewhere:
                future = self._next()
                result = None if future is None else self._taken(future)
                self._look_elsewhere()
                # Before the consumer takes its time with the result, give the workers something to do.
                self._fill()
                while self.done_elsewhere:
                    known = self.done_elsewhere.pop(0)
                    self.progress(Cached(known))
                    yield known
                if result is not None:
                    yield result
        finally:
            self._end(owns_pool)

    def _sorted_out(self, checks: Iterable[tuple[Claim, Check]]) -> list[Result]:
        """Begin the checks that have to run; return the results of the others."""
        o, ledger, reused = self.options, self.ledger, []
        last: list[float | None] = []
        seconds = {**shipped.seconds(), **(ledger.seconds() if ledger else {})}
        for claim, check in checks:
            limit = limit_of(check, o.budget, o.time_limit)
            computation = computation_of_check(claim, check, budget=o.budget, seed=o.seed, device=o.device)
            key = key_of(computation)
            if ledger and not o.fresh:
                self.rows[key] = ledger.last_rows(key)
                entry = look_up(ledger, computation, limit, self.present).fresh
            else:
                entry = None
            if entry is None:
                # The longest last time, here or where the shipped results were made; those never timed come first.
                last.append(seconds.get((claim.id, check.name)))
                priority = -float("inf") if last[-1] is None else -last[-1]
                module, device = self.catalogue.module_of(claim.id), device_of(check, o.device)
                self._begin(_Work(claim, module, check, computation, key, limit, device, priority))
            else:
                reused.append(entry.result)
        if last:
            self.progress(self._to_run(last))
        return reused

    def _to_run(self, last: Sequence[float | None]) -> ToRun:
        """What the checks that have to run took last time: no shorter than the longest, whatever the workers."""
        known = [seconds for seconds in last if seconds is not None]
        workers = self.pool.workers if isinstance(self.pool, LimitedExecutor) else self.window
        return ToRun(len(last), len(last) - len(known), max(sum(known) / workers, max(known, default=0.0)))

    def _begin(self, work: _Work) -> None:
        if work.check.sweep is None:
            self._observe(work)
        else:
            self._put(work, worker.plan, (str(self.options.budget), self.options.seed, work.device))

    def _observe(self, work: _Work) -> None:
        outputs = tuple(work.outputs[index] for index in range(len(work.points)))
        self._put(work, worker.observe, (str(self.options.budget), self.options.seed, work.device, outputs))

    def _put(self, work: _Work, function: Callable[..., Any], arguments: tuple[Any, ...], index: int = -1) -> None:
        named = (self.options.folder, work.module, work.claim.id, work.check.name, *arguments)
        heapq.heappush(self.ready, _Step(work.priority, next(self.numbers), function, named, work, index))

    def _fill(self) -> None:
        """Submit steps that are ready, as many as the window holds."""
        while self.ready and len(self.running) < self.window:
            step = heapq.heappop(self.ready)
            if step.work.over:
                self._pass_on(step)
                continue
            if not self._is_ours(step):
                continue
            if isinstance(self.pool, LimitedExecutor):
                future = self.pool.submit_within(step.work.limit, step.function, *step.arguments)
            else:
                future = self.pool.submit(step.function, *step.arguments)
            self.running[future] = step
            future.add_done_callback(self.arrived.put)

    def _is_ours(self, step: _Step) -> bool:
        """Whether this run is to do the step now: no other run is doing it, or has done it meanwhile."""
        if self.leases is None or self.ledger is None or not step.key:
            return True
        if not self.leases.take(step.key):
            self.elsewhere.append(step)
            return False
        rows = self.ledger.last_rows(step.key)
        if rows == self.rows.get(step.key):
            return True
        self.rows[step.key] = rows
        if not self._was_done(step, Present(self.catalogue.folder, environment())):
            return True
        self.leases.release(step.key)
        return False

    def _was_done(self, step: _Step, present: Present) -> bool:
        """Take what another run has recorded, if it may be reused."""
        work, ledger = step.work, self.ledger
        assert ledger is not None
        if step.index >= 0:
            known = ledger.job(step.key, lambda used: not present.changes(used))
            if known is not None:
                self._share(step.key, (work, step.index), *known)
            return known is not None
        entry = look_up(ledger, work.computation, work.limit, present).fresh
        if entry is not None:
            work.over = True
            self.done_elsewhere.append(entry.result)
        return entry is not None

    def _look_elsewhere(self) -> None:
        """Now and then: keep the leases, and see which steps of other runs are done or left undone."""
        if self.leases is None:
            return
        self.leases.renew()
        if self.elsewhere and time.monotonic() - self.looked > PATIENCE:
            self.looked = time.monotonic()
            for step in self.elsewhere:
                heapq.heappush(self.ready, step)
            self.elsewhere = []

    def _next(self) -> Future[Any] | None:
        """A future that is done, or None when it is time to look which jobs have started."""
        try:
            future = self.arrived.get(timeout=PROMPT)
        except queue.Empty:
            future = None
        for other, step in self.running.items():
            if not step.work.started and (other is future or other.running()):
                step.work.started = True
                self.progress(Started(step.work.claim.id, step.work.check.name))
        return future

    def _taken(self, future: Future[Any]) -> Result | None:
        """Keep what a future brought and queue the next steps; return the Result if that ends the check."""
        step = self.running[future]
        result = self._kept(step, future)
        # Only now: after an interrupt in between, `_end` takes it in again.
        self.running.pop(future, None)
        return result

    def _kept(self, step: _Step, future: Future[Any]) -> Result | None:
        result = self._answered(step, future)
        self._pass_on(step)
        if self.leases and step.index >= 0:
            self.leases.release(step.key)
        return result

    def _answered(self, step: _Step, future: Future[Any]) -> Result | None:
        try:
            answer = future.result()
        except (CancelledError, StoppedError):
            return None
        except (LostError, ClusterError):
            if self.ending:
                return None
            raise
        except OutOfTimeError as error:
            step.work.used.append(
                error.used or Used(unseen=("ran out of time before it could be recorded what it used",))
            )
            return self._over(step, Verdict.UNDECIDED, str(error), out_of_time=error.limit)
        except Exception as error:
            return self._over(step, Verdict.BROKEN, f"{error}" or type(error).__name__)
        if isinstance(answer, worker.Failure):
            return self._over(step, answer.verdict, answer.reason)
        if isinstance(answer, worker.Done):
            self._job_done(step, answer)
        elif isinstance(answer, worker.Planned):
            step.work.used.append(answer.used)
            self._planned(step.work, answer.points)
        else:
            step.work.used.append(answer.used)
            result = Result.from_json(answer.result)
            return self._finished(step.work, replace(result, seconds=result.seconds + step.work.seconds))
        return None

    def _planned(self, work: _Work, points: list[dict[str, Any]]) -> None:
        work.points = points
        work.keys = [key_of(computation_of_job(work.claim, work.check, point, device=work.device)) for point in points]
        for index, (key, point) in enumerate(zip(work.keys, points, strict=True)):
            known = self.shared.get(key)
            if known is None and self.ledger and not self.options.fresh:
                self.rows[key] = self.ledger.last_rows(key)
                known = self.ledger.job(key, lambda used: not self.present.changes(used))
            if known is not None:
                self._take(work, index, *known)
            elif key in self.awaited:
                self.awaited[key].append((work, index))
            else:
                self.awaited[key] = []
                self._put(work, worker.job, (point, work.device), index)
        self._observe_if_complete(work)

    def _job_done(self, step: _Step, done: worker.Done) -> None:
        work = step.work
        key = work.keys[step.index]
        if self.ledger:
            self.ledger.append_job(work.claim.id, work.check.name, key, done.output, done.seconds, done.used)
        work.seconds += done.seconds
        self._share(key, (work, step.index), done.output, done.used)

    def _share(self, key: str, place: tuple[_Work, int], output: Packed, used: Used) -> None:
        """Give a job's output to the check that asked for it and to all that wait for it."""
        sweep = place[0].check.sweep
        if sweep and sweep.shared:
            self.shared[key] = output, used
        for work, index in (place, *self.awaited.pop(key, ())):
            self._take(work, index, output, used)
            self._observe_if_complete(work)

    def _take(self, work: _Work, index: int, output: Packed, used: Used) -> None:
        work.outputs[index] = output
        work.used.append(used)
        self.progress(JobDone(work.claim.id, work.check.name, index, len(work.points)))

    def _pass_on(self, step: _Step) -> None:
        """If a job failed, the next check that waits for its output runs it again."""
        waiting = self.awaited.pop(step.work.keys[step.index], []) if step.index >= 0 else []
        others = [(work, index) for work, index in waiting if not work.over]
        if others:
            work, index = others[0]
            self.awaited[work.keys[index]] = others[1:]
            self._put(work, worker.job, (work.points[index], work.device), index)

    def _observe_if_complete(self, work: _Work) -> None:
        if len(work.outputs) == len(work.points) and not work.over:
            self._observe(work)

    def _over(self, step: _Step, verdict: Verdict, reason: str, out_of_time: float | None = None) -> Result | None:
        """End the check without evidence; the rest of its jobs need not run."""
        work = step.work
        if work.over:
            return None
        for other, waiting in self.running.items():
            if waiting.work is work and waiting is not step:
                other.cancel()
        if step.index >= 0:
            reason = f"job {step.index + 1} of {len(work.points)} {work.points[step.index]}: {reason}"
        seconds = work.seconds + (out_of_time or 0.0)
        result = Result(work.claim.id, work.check.name, work.check.kind, verdict, reason, seconds=seconds)
        return self._finished(work, result, {"out_of_time": out_of_time} if out_of_time else {})

    def _finished(self, work: _Work, result: Result, more: Mapping[str, Any] | None = None) -> Result:
        o = self.options
        provenance = {
            "key": work.key,
            "computation": work.computation,
            "used": together(work.used).to_json(),
            "budget": str(o.budget),
            "seed": o.seed,
            "device": work.device,
            "time_limit": work.limit,
            "machine": machine(),
            **(more or {}),
        }
        result = replace(result, provenance=provenance)
        if self.ledger:
            self.ledger.append(result)
        if self.leases:
            self.leases.release(work.key)
        work.over = True
        self.progress(Finished(result))
        return result

    def _end(self, owns_pool: bool) -> None:
        """Stop what still runs and keep what has finished."""
        self.ending = True
        if isinstance(self.pool, LimitedExecutor) and owns_pool:
            self.pool.stop()
        for future in self.running:
            future.cancel()
        for future, step in list(self.running.items()):
            if future.done() and (step.index >= 0 or not step.work.over):
                self._kept(step, future)
        if self.leases:
            self.leases.release_all()
