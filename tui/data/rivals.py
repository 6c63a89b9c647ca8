"""The search for rivals in recorded evidence, in a worker process, so that it holds up no key."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from implicitbias.claims.statement import Claim
from implicitbias.errors import UserError
from implicitbias.judging.rivals.confirmed import Rivals, rivals_of, variation_alone
from implicitbias.running.executor import StoppedError, WorkerPool

from . import records


class Search:
    """One search for one claim; `ended` is called from its thread with what was found, or with the trouble."""

    def __init__(self, ledger: Path, claim: Claim, ended: Callable[[Rivals | None, str], None]) -> None:
        self._ledger, self._claim, self._ended = ledger, claim, ended
        self._pool = WorkerPool(1)
        self._stopped = False

    def start(self) -> None:
        """Begin; returns at once."""
        threading.Thread(target=self._work, name="rivals", daemon=True).start()

    def stop(self) -> None:
        """End the worker; its thread ends with it and tells nothing."""
        self._stopped = True
        threading.Thread(target=self._pool.stop, name="stop rivals", daemon=True).start()

    def _work(self) -> None:
        found, trouble = None, ""
        claim, formula = self._claim, self._claim.formula
        try:
            entries = [records.entry(self._ledger, claim.id, check.name) for check in claim.checks]
            results = [entry.result for entry in entries if entry is not None]
            if not results:
                trouble = "no evidence is recorded for this claim: run it first (r)"
            elif isinstance(formula, str):
                found = rivals_of(results, formula, tuple(claim.symbols), self._pool, domain=claim.domain)
            else:
                found = variation_alone(results)
        except StoppedError:
            return
        except UserError as error:
            trouble = str(error)
        except Exception as error:
            trouble = f"the search failed: {type(error).__name__}: {error}"
        if not self._stopped:
            self._ended(found, trouble)
