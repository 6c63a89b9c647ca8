"""How sensitive the evidence is: mutate every formula automatically and count how many mutants it rejects.

    python -m benchmarks.mutants ['savarese2019.*' …] [--limit SECONDS] [--workers N] [--all]

reads the ledger (run `implicitbias verify` first). A mutant changes one sign, factor, exponent or function, or drops
one term. A mutant that is proved equal to the formula on the claim's domain does not count. Every other survivor needs
a reason (`benchmarks.mutation.reasons`); without one the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from benchmarks.mutation.reasons import DOMAINS, REASONS, Domain
from benchmarks.mutation.trial import Case, Trial, equal, proof_cases, tried, weaker
from implicitbias.claims.catalogue import Catalogue, load
from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Claim
from implicitbias.record.ledger import Ledger
from implicitbias.running.executor import OutOfTimeError, WorkerPool, processors

LIMIT = 30.0
"""Seconds allowed to prove a survivor equal to the formula on one domain; a simplification may not terminate."""
PATIENCE = 600.0
"""Seconds allowed for all mutants of one claim at exact points."""
WEAKER = "a weaker bound at every observed point: evidence that supports the claim cannot refute it"
OPEN = "NOT EXPLAINED: is the evidence too thin?"


@dataclass(frozen=True)
class Survivor:
    """A mutant that the evidence does not reject. `equal`: proved to be the formula itself."""

    claim: str
    formula: str
    reason: str
    equal: bool = False

    @property
    def explained(self) -> bool:
        return not self.reason.startswith(OPEN)


@dataclass(frozen=True)
class Tally:
    """The outcome for the mutants of one claim. `broken`: why none could be judged."""

    claim: str
    mutants: int = 0
    survivors: tuple[Survivor, ...] = ()
    broken: str = ""

    @property
    def equal(self) -> int:
        return sum(s.equal for s in self.survivors)

    @property
    def left(self) -> tuple[Survivor, ...]:
        return tuple(s for s in self.survivors if not s.equal)


@dataclass(frozen=True)
class _Claimed:
    """A claim whose mutants are being judged."""

    claim: Claim
    evidence: tuple[Evidence, ...]
    trial: Future[Trial]

    @property
    def formula(self) -> str:
        return str(self.claim.formula)

    @property
    def symbols(self) -> list[str]:
        return list(self.claim.symbols)


def tallies(catalogue: Catalogue, ledger: Ledger, globs: Sequence[str], limit: float, workers: int) -> Iterator[Tally]:
    """One tally per claim with a formula, in the catalogue's order."""
    with WorkerPool(workers) as pool:
        started = [_started(c, ledger, pool) for c in catalogue.select(globs) if isinstance(c.formula, str)]
        for claimed in started:
            yield _tally(claimed, pool, limit)


def _started(claim: Claim, ledger: Ledger, pool: WorkerPool) -> _Claimed:
    entries = [ledger.latest(claim.id, check.name) for check in claim.checks]
    seen = [entry.result.evidence for entry in entries if entry is not None]
    evidence = tuple(e for e in seen if all(p.holds for p in e.premises))
    trial = pool.submit_within(PATIENCE, tried, evidence, str(claim.formula), list(claim.symbols))
    return _Claimed(claim, evidence, trial)


def _tally(claimed: _Claimed, pool: WorkerPool, limit: float) -> Tally:
    try:
        trial = claimed.trial.result()
    except OutOfTimeError:
        return Tally(claimed.claim.id, broken=f"not all points were tried within {PATIENCE:g} s")
    found = tuple(_explained(claimed, formula, pool, limit) for formula in trial.survivors)
    return Tally(claimed.claim.id, trial.mutants, found, trial.broken)


def _explained(claimed: _Claimed, formula: str, pool: WorkerPool, limit: float) -> Survivor:
    name, late = claimed.claim.id, ""
    for domain, cases in _domains(claimed):
        try:
            if pool.submit_within(limit, equal, claimed.formula, formula, cases).result():
                return Survivor(name, formula, f"equal to the formula {domain}", equal=True)
        except OutOfTimeError:
            late = f" (no proof of equality {domain} within {limit:g} s)"
    reason = REASONS.get((name, formula))
    if reason is None and weaker(claimed.evidence, claimed.formula, formula, claimed.symbols):
        reason = WEAKER
    reason = reason or REASONS.get((name, "*")) or OPEN
    return Survivor(name, formula, reason + late)


def _domains(claimed: _Claimed) -> Iterator[tuple[str, tuple[Case, ...]]]:
    """The domains on which equality is tried: all real values, then the claim's hypotheses."""
    real: Case = (dict.fromkeys(claimed.symbols, "real"), {name: name for name in claimed.symbols})
    yield "for all real values", (real,)
    domain: Domain | None = DOMAINS.get(claimed.claim.id)
    if domain is not None:
        yield f"where {domain.says}", domain.cases or proof_cases(claimed.evidence)


def tell(found: Sequence[Tally], show_equal: bool, limit: float) -> bool:
    """Print the table and the survivors with their reasons; return whether everything was judged and explained."""
    print(
        f"{len(found)} claims with a formula, mutated in all small ways; limit for a proof of equality: {limit:g} s\n"
    )
    papers: dict[str, list[Tally]] = {}
    for tally in found:
        papers.setdefault(tally.claim.partition(".")[0], []).append(tally)
    print(f"{'':14}{'mutants':>8}{'equal':>8}{'rejected':>10}{'survivors':>11}{'':>9}")
    for paper, tallied in [*papers.items(), ("total", list(found))]:
        total, same = sum(t.mutants for t in tallied), sum(t.equal for t in tallied)
        left = sum(len(t.left) for t in tallied)
        counted = total - same
        share = f"{(counted - left) / counted:.1%}" if counted else "-"
        print(f"{paper:14}{total:8}{same:8}{counted - left:10}{left:11}{share:>9}")
    shown = [s for t in found for s in (t.survivors if show_equal else t.left)]
    for claim, reason in dict.fromkeys((s.claim, s.reason) for s in shown):
        print(f"\n{claim}: {reason}")
        print(*(f"    {s.formula}" for s in shown if (s.claim, s.reason) == (claim, reason)), sep="\n")
    broken = [t for t in found if t.broken]
    if broken:
        print("\nNot judged:", *(f"  {t.claim}: {t.broken}" for t in broken), sep="\n")
    for claim, formula in _idle(found):
        print(f"\nA reason that is no longer needed: {claim}: {formula}")
    return bool(found) and not broken and all(s.explained for s in shown)


def _idle(found: Sequence[Tally]) -> list[tuple[str, str]]:
    judged = {t.claim for t in found if not t.broken}
    used = {(s.claim, s.formula) for t in found for s in t.left} | {(s.claim, "*") for t in found for s in t.left}
    return [key for key in REASONS if key[0] in judged and key not in used]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("claims", nargs="*", default=["*"], help="claims, by id or pattern (all)")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds to prove a survivor equal")
    parser.add_argument("--workers", type=int, default=processors(), help="processes")
    parser.add_argument("--all", action="store_true", help="also list the mutants that equal the formula")
    given = parser.parse_args(arguments)
    with Ledger() as ledger:
        found = list(tallies(load(), ledger, given.claims, given.limit, given.workers))
    return 0 if tell(found, given.all, given.limit) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
