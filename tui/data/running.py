"""A run of checks in a thread of its own: what to run, and how to stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.check import Budget
from implicitbias.claims.statement import Claim
from implicitbias.errors import UserError
from implicitbias.running.events import Event

if TYPE_CHECKING:
    from implicitbias.running.executor import WorkerPool


@dataclass(frozen=True)
class Order:
    """What to run.

    says      the claims in words
    rests_on  claims that are run before, but only what is stale or has not run here
    fresh     run checks even if their results are fresh
    took      the seconds that all this took last time, if all of it has run
    """

    says: str
    claims: tuple[Claim, ...]
    budget: Budget = Budget.QUICK
    seed: int = 0
    device: str = "cpu"
    fresh: bool = False
    workers: int | None = None
    rests_on: tuple[Claim, ...] = ()
    took: float | None = None

    @property
    def checks(self) -> int:
        return sum(len(claim.checks) for claim in (*self.rests_on, *self.claims))

    def command(self, catalogue: Catalogue, options: str) -> str:
        """The command line that runs the same."""
        ids = [claim.id for claim in self.claims]
        papers = list(dict.fromkeys(claim.paper for claim in self.claims))
        if len(ids) == len(catalogue.claims):
            globs = ""
        elif all(len(catalogue.of_paper(p)) == sum(c.paper == p for c in self.claims) for p in papers):
            globs = "".join(f" {paper}" for paper in papers)
        else:
            globs = "".join(f" {claim_id}" for claim_id in ids)
        fresh = " --fresh" if self.fresh else ""
        workers = f" --workers {self.workers}" if self.workers else ""
        return f"implicitbias verify{globs}{options}{fresh}{workers}"


NICENESS = 10
"""Who sits at the keyboard comes first."""


@dataclass
class Run:
    """`ledger`: the file, None for the default one.
    `tell` is called with each event, `ended` with what went wrong (if anything), both in the run's thread."""

    order: Order
    folder: Path | None
    ledger: Path | None
    tell: Callable[[Event], None]
    ended: Callable[[str], None]
    _pool: WorkerPool | None = None
    _cancelled: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        from implicitbias.running.executor import WorkerPool

        self._pool = WorkerPool(self.order.workers, niceness=NICENESS)
        self._thread = threading.Thread(target=self._work, name="run", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Kill the workers and return at once; what has finished is in the ledger."""
        if not self._cancelled.is_set() and self._pool is not None:
            self._cancelled.set()
            threading.Thread(target=self._pool.stop, name="stop", daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Whether the run is over within this time."""
        if self._thread is not None:
            self._thread.join(seconds)
            return not self._thread.is_alive()
        return True

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def worker_ids(self) -> tuple[int, ...]:
        return self._pool.worker_ids() if self._pool else ()

    def _work(self) -> None:
        from implicitbias.record.ledger import Ledger
        from implicitbias.running.runner import run

        trouble = ""
        try:
            with Ledger(self.ledger) as ledger:
                for claims, fresh in ((self.order.rests_on, False), (self.order.claims, self.order.fresh)):
                    for _ in run(
                        claims,
                        folder=self.folder,
                        budget=self.order.budget,
                        seed=self.order.seed,
                        device=self.order.device,
                        fresh=fresh,
                        ledger=ledger,
                        executor=self._pool,
                        progress=self.tell,
                    ):
                        pass
        except UserError as error:
            trouble = str(error)
        except Exception as error:
            # A stopped pool refuses jobs: that is how a cancelled run ends.
            trouble = "" if self.cancelled else f"{type(error).__name__}: {error}"
        finally:
            if self._pool is not None:
                self._pool.stop()
            self.ended(trouble)
