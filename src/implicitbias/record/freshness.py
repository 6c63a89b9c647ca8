"""Whether the recorded result of a check is still what the check would find now, and if not, why."""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.check import Budget, Check
from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Claim
from implicitbias.judging.result import Result
from implicitbias.record.ledger import Entry, Ledger
from implicitbias.record.provenance import Origin, differences, digest, origin_of_check

LIMIT_FACTOR = {Budget.QUICK: 1.0, Budget.FULL: 10.0, Budget.PAPER: 60.0}
"""A check's own time limit is meant for the quick budget; the sizes of the others take longer."""

_AT = {"budget": "at", "seed": "with", "device": "on"}


@dataclass(frozen=True)
class Freshness:
    """The fresh result, or the reasons why there is none: `theory/…/theorem_3_1.py changed`."""

    fresh: Entry | None
    reasons: tuple[str, ...] = ()


def freshness(
    ledger: Ledger,
    catalogue: Catalogue,
    claim: Claim,
    check: Check,
    *,
    budget: Budget | str = Budget.QUICK,
    seed: int = 0,
    device: str = "cpu",
    time_limit: float | None = None,
) -> Freshness:
    """The recorded result that `verify` with these options would reuse, or why it would run the check."""
    origin = origin_of_check(catalogue, claim, check, budget=budget, seed=seed, device=device)
    return look_up(ledger, origin, limit_of(check, Budget(budget), time_limit))


def limit_of(check: Check, budget: Budget, time_limit: float | None) -> float:
    """The seconds that one job of the check may take: the user's limit, else the check's own for that budget."""
    return time_limit if time_limit is not None else check.time_limit * LIMIT_FACTOR[budget]


def look_up(ledger: Ledger, origin: Origin, limit: float) -> Freshness:
    """The result that was made from this origin, if it may be reused."""
    unfinished: tuple[str, ...] = ()
    for entry in ledger.with_key(digest(origin)):
        if may_be_reused(entry.result, limit):
            return Freshness(entry)
        unfinished = unfinished or (_unfinished(entry.result),)
    if unfinished:
        return Freshness(None, unfinished)
    return Freshness(None, _why(origin, ledger.history(origin["claim"], origin["check"])))


def may_be_reused(result: Result, limit: float) -> bool:
    """Observations are kept, whatever the verdict. What failed to be observed (a missing GPU, a killed worker) is tried
    again, but what ran out of time only with a larger limit.
    """
    if out_of_time := result.provenance.get("out_of_time"):
        return bool(limit <= out_of_time)
    return result.evidence != Evidence()


def _unfinished(result: Result) -> str:
    if out_of_time := result.provenance.get("out_of_time"):
        return f"ran out of time within {out_of_time:g} s, which was less than the limit now"
    return f"was {result.verdict}: {result.reason}"


def _why(origin: Origin, history: tuple[Entry, ...]) -> tuple[str, ...]:
    origins = [entry.result.provenance.get("origin") or {} for entry in history]
    if not origins:
        return ("never run",)
    now = origin["parameters"]
    new = [name for name, value in now.items() if all(o.get("parameters", {}).get(name) != value for o in origins)]
    if new:
        return tuple(f"never run {_AT[name]} {name} {now[name]}" for name in new)
    alike = [before for before in origins if before.get("parameters") == now]
    return differences((alike or origins)[-1], origin) or ("its files changed while it ran",)
