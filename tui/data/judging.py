"""A conjecture judged by recorded evidence, in a worker process, so that no simplification holds up a key."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from implicitbias.claims.statement import Claim
from implicitbias.errors import UserError
from implicitbias.judging.conjecture import beside, judged, together
from implicitbias.judging.judgement import Judgement, Outcome
from implicitbias.judging.result import Result
from implicitbias.running.executor import StoppedError, WorkerPool

from . import records

LIMIT = 20.0
"""Seconds for one judgement: the user is waiting at the keyboard."""

Values = tuple[tuple[float | None, float | None], ...]


@dataclass(frozen=True)
class Conjecture:
    """Number `number` of this session: a formula in the place of the claim's."""

    number: int
    claim: Claim
    formula: str


class Judge:
    """Judges one conjecture at a time: a new one ends the work on the one before.

    tell   number, result, judgement, values at its instances
    ended  number, the outcome of all (None: it could not be judged), what went wrong
    Both are called in a thread.
    """

    def __init__(
        self,
        ledger: Path,
        tell: Callable[[int, Result, Judgement, Values], None],
        ended: Callable[[int, Outcome | None, str], None],
    ) -> None:
        self._ledger = ledger
        self._tell = tell
        self._ended = ended
        self._pool: WorkerPool | None = None
        self._busy = 0

    def judge(self, conjecture: Conjecture) -> None:
        """Begin; returns at once."""
        if self._busy or self._pool is None:
            self.stop()
            self._pool = WorkerPool(1)
        self._busy = conjecture.number
        threading.Thread(target=self._work, args=(conjecture, self._pool), name="judge", daemon=True).start()

    def warm(self) -> None:
        """Have a worker that has imported what it needs before the first conjecture comes."""
        if self._pool is None:
            self._pool = WorkerPool(1)
            self._pool.submit(_import)

    def stop(self) -> None:
        """End the worker; its thread ends with it."""
        pool, self._pool, self._busy = self._pool, None, 0
        if pool is not None:
            threading.Thread(target=pool.stop, name="stop judging", daemon=True).start()

    def _work(self, conjecture: Conjecture, pool: WorkerPool) -> None:
        outcome, trouble = None, ""
        try:
            found = [records.entry(self._ledger, conjecture.claim.id, c.name) for c in conjecture.claim.checks]
            results = [entry.result for entry in found if entry is not None]
            symbols = tuple(conjecture.claim.symbols)
            judgements = []
            for result, judgement in judged(results, conjecture.formula, symbols, pool, LIMIT):
                judgements.append(judgement)
                values = pool.submit_within(LIMIT, beside, result.evidence, conjecture.formula, symbols).result()
                self._tell(conjecture.number, result, judgement, values)
            if results:
                outcome = together(judgements)
            else:
                trouble = "no evidence is recorded for this claim: run it first (r)"
        except StoppedError:
            return
        except UserError as error:
            trouble = str(error)
        except Exception as error:
            trouble = f"it could not be judged: {type(error).__name__}: {error}"
        if self._busy == conjecture.number:
            self._busy = 0
            self._ended(conjecture.number, outcome, trouble)


def _import() -> None:
    """Import in the worker what judging needs."""
    from implicitbias.exact.symbolic import reduce_to_zero

    _ = reduce_to_zero
