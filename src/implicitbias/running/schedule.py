"""The order of work: plan, jobs and observation of each check, submitted in time and taken in when done.

Whatever a worker has finished is appended to the ledger as soon as it arrives, before it is reported.
"""

from __future__ import annotations

import heapq
import queue
from collections.abc import Callable, Iterable, Iterator, Mapping
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
from implicitbias.record.freshness import limit_of, look_up
from implicitbias.record.ledger import Ledger
from implicitbias.record.outputs import Packed
from implicitbias.record.provenance import Origin, device_of, digest, machine, origin_of_check, origin_of_job
from implicitbias.running import worker
from implicitbias.running.events import Cached, Event, Finished, JobDone, Started
from implicitbias.running.executor import OutOfTimeError, StoppedError
from implicitbias.running.limited import LimitedExecutor, LostError

PROMPT = 0.05
"""Seconds between looks at which jobs have started; only the progress display depends on it."""


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
    check: Check
    origin: Origin
    limit: float
    device: str
    priority: float
    started: bool = False
    over: bool = False
    seconds: float = 0.0
    points: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    outputs: dict[int, Packed] = field(default_factory=dict)


@dataclass(frozen=True, order=True)
class _Step:
    """A step to submit: `plan`, `job` number `index`, or `observe`. The longest checks come first."""

    priority: float
    number: int
    function: Callable[..., Any] = field(compare=False)
    arguments: tuple[Any, ...] = field(compare=False)
    work: _Work = field(compare=False)
    index: int = field(default=-1, compare=False)


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
        self.shared: dict[str, Packed] = {}
        """The outputs of the jobs of shared sweeps in this run."""

    def results(self, checks: Iterable[tuple[Claim, Check]], owns_pool: bool) -> Iterator[Result]:
        try:
            reused = self._sorted_out(checks)
            self._fill()
            for known in reused:
                self.progress(Cached(known))
                yield known
            while self.running:
                future = self._next()
                if future is not None:
                    result = self._taken(future)
                    # Before the consumer takes its time with the result, give the workers something to do.
                    self._fill()
                    if result is not None:
                        yield result
        finally:
            self._end(owns_pool)

    def _sorted_out(self, checks: Iterable[tuple[Claim, Check]]) -> list[Result]:
        """Begin the checks that have to run; return the results of the others."""
        o, ledger, reused = self.options, self.ledger, []
        seconds = ledger.seconds() if ledger else {}
        for claim, check in checks:
            limit = limit_of(check, o.budget, o.time_limit)
            origin = self._origin(claim, check)
            entry = look_up(ledger, origin, limit).fresh if ledger and not o.fresh else None
            if entry is None:
                # Checks that were never timed come first, then the longest.
                priority = -seconds.get((claim.id, check.name), float("inf"))
                self._begin(_Work(claim, check, origin, limit, device_of(check, o.device), priority))
            else:
                reused.append(entry.result)
        return reused

    def _origin(self, claim: Claim, check: Check) -> Origin:
        o = self.options
        return origin_of_check(self.catalogue, claim, check, budget=o.budget, seed=o.seed, device=o.device)

    def _begin(self, work: _Work) -> None:
        if work.check.sweep is None:
            self._observe(work)
        else:
            self._put(work, worker.plan, (str(self.options.budget), self.options.seed, work.device))

    def _observe(self, work: _Work) -> None:
        outputs = tuple(work.outputs[index] for index in range(len(work.points)))
        self._put(work, worker.observe, (str(self.options.budget), self.options.seed, work.device, outputs))

    def _put(self, work: _Work, function: Callable[..., Any], arguments: tuple[Any, ...], index: int = -1) -> None:
        named = (self.options.folder, work.claim.id, work.check.name, *arguments)
        heapq.heappush(self.ready, _Step(work.priority, next(self.numbers), function, named, work, index))

    def _fill(self) -> None:
        """Submit steps that are ready, as many as the window holds."""
        while self.ready and len(self.running) < self.window:
            step = heapq.heappop(self.ready)
            if step.work.over:
                self._pass_on(step)
                continue
            if isinstance(self.pool, LimitedExecutor):
                future = self.pool.submit_within(step.work.limit, step.function, *step.arguments)
            else:
                future = self.pool.submit(step.function, *step.arguments)
            self.running[future] = step
            future.add_done_callback(self.arrived.put)

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
            return self._over(step, Verdict.UNDECIDED, str(error), out_of_time=error.limit)
        except Exception as error:
            return self._over(step, Verdict.BROKEN, f"{error}" or type(error).__name__)
        if isinstance(answer, worker.Failure):
            return self._over(step, answer.verdict, answer.reason)
        if isinstance(answer, worker.Done):
            self._job_done(step, answer)
        elif isinstance(answer, list):
            self._planned(step.work, answer)
        else:
            result = Result.from_json(answer)
            return self._finished(step.work, replace(result, seconds=result.seconds + step.work.seconds))
        return None

    def _planned(self, work: _Work, points: list[dict[str, Any]]) -> None:
        work.points = points
        work.keys = [
            digest(origin_of_job(self.catalogue, work.claim, work.check, point, device=work.device)) for point in points
        ]
        for index, (key, point) in enumerate(zip(work.keys, points, strict=True)):
            output = self.shared.get(key)
            if output is None and self.ledger and not self.options.fresh:
                output = self.ledger.job(key)
            if output is not None:
                self._take(work, index, output)
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
            self.ledger.append_job(work.claim.id, work.check.name, key, done.output, done.seconds)
        if work.check.sweep and work.check.sweep.shared:
            self.shared[key] = done.output
        work.seconds += done.seconds
        for other, index in ((work, step.index), *self.awaited.pop(key, ())):
            self._take(other, index, done.output)
            self._observe_if_complete(other)

    def _take(self, work: _Work, index: int, output: Packed) -> None:
        work.outputs[index] = output
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
        now = self._origin(work.claim, work.check)
        provenance = {
            # If a file changed meanwhile, it is unknown which version a worker has read: no key, so never fresh.
            "key": digest(work.origin) if now == work.origin else "",
            "origin": work.origin,
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
