"""Proofs given to Coq in worker processes; what it says is kept beside the result of the proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import as_completed
from dataclasses import replace

from implicitbias.claims.statement import Claim
from implicitbias.errors import CoqError
from implicitbias.formal.checking import answer, askable, asked, digest, formalised
from implicitbias.formal.coqc import installed
from implicitbias.formal.terms import NotInCoqError
from implicitbias.judging.result import Formal, Result
from implicitbias.record.ledger import Ledger
from implicitbias.running.executor import OutOfTimeError, WorkerDiedError, WorkerPool

PATIENCE = 3600.0
"""Seconds after which a worker that asks Coq is ended; coqc has limits of its own."""


def with_coq(
    results: Iterable[Result],
    claims: Mapping[str, Claim],
    *,
    ledger: Ledger | None = None,
    workers: int | None = None,
    fresh: bool = False,
    progress: Callable[[Result], None] | None = None,
) -> Iterator[Result]:
    """Each result of a proof by theorems with what Coq says, as it becomes known; other results are left out.

    An answer that is recorded for the same Coq file and the same versions is taken as it is, unless `fresh`. Without
    Coq every answer is that it was skipped, with the line that installs it.
    """
    candidates = [r for r in results if r.claim in claims and askable(claims[r.claim], r) and r.verdict.accepts]
    try:
        installed()
    except CoqError as error:
        yield from (replace(result, formal=Formal(False, str(error), skipped=True)) for result in candidates)
        return
    pool = WorkerPool(workers)
    try:
        waiting = {}
        for result in candidates:
            if not fresh and _is_fresh(claims[result.claim], result):
                yield result
            else:
                waiting[pool.submit_within(PATIENCE, answer, *asked(claims[result.claim], result))] = result
        for future in as_completed(waiting):
            try:
                formal = future.result()
            except (OutOfTimeError, WorkerDiedError) as error:
                formal = Formal(False, str(error))
            found = replace(waiting[future], formal=formal)
            if ledger is not None:
                ledger.append(found)
            if progress is not None:
                progress(found)
            yield found
        pool.shutdown()
    finally:
        pool.stop()


def _is_fresh(claim: Claim, result: Result) -> bool:
    """Whether the recorded answer is about the Coq file that would be made now, by the Coq that is here."""
    recorded = result.formal
    if recorded is None or recorded.skipped:
        return False
    coq = installed()
    versions = {"coq": coq.version, "coquelicot": coq.coquelicot, "interval": coq.interval}
    try:
        return recorded.versions == versions and recorded.text == digest(formalised(claim, result).text())
    except NotInCoqError:
        return False
