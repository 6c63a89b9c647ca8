"""Whether the recorded result of a check is still what the check would find now, and if not, why."""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.check import Budget, Check
from implicitbias.claims.evidence import Evidence
from implicitbias.claims.statement import Claim
from implicitbias.judging.result import Result
from implicitbias.record.environment import environment
from implicitbias.record.ledger import Entry, Ledger
from implicitbias.record.present import Present
from implicitbias.record.provenance import Computation, computation_of_check, key_of
from implicitbias.record.used import Used

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
    present: Present | None = None,
) -> Freshness:
    """The recorded result that `verify` with these options would reuse, or why it would run the check.

    `present`: what there is now, if it has been looked at for other checks of the catalogue.
    """
    computation = computation_of_check(claim, check, budget=budget, seed=seed, device=device)
    present = present or Present(catalogue.folder, environment())
    return look_up(ledger, computation, limit_of(check, Budget(budget), time_limit), present)


def limit_of(check: Check, budget: Budget, time_limit: float | None) -> float:
    """The seconds that one job of the check may take: the user's limit, else the check's own for that budget."""
    return time_limit if time_limit is not None else check.time_limit * LIMIT_FACTOR[budget]


def look_up(ledger: Ledger, computation: Computation, limit: float, present: Present) -> Freshness:
    """The last result of this computation that may be reused and was made from what is there now."""
    stale: tuple[str, ...] = ()
    for entry in ledger.with_key(key_of(computation)):
        reasons = (
            _changes(entry.result, present) if may_be_reused(entry.result, limit) else (_unfinished(entry.result),)
        )
        if not reasons:
            return Freshness(entry)
        stale = stale or reasons
    return Freshness(None, stale or _why(computation, ledger.history(computation["claim"], computation["check"])))


def _changes(result: Result, present: Present) -> tuple[str, ...]:
    """What has changed since the result was made, in words."""
    return present.changes(Used.from_json(result.provenance["used"]))


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


def _why(computation: Computation, history: tuple[Entry, ...]) -> tuple[str, ...]:
    """Why there is no result of this computation."""
    if not history:
        return ("never run",)
    made = [entry.result.provenance.get("computation") for entry in history]
    known = [before["parameters"] for before in made if before]
    if not known:
        return ("recorded by an earlier version, which did not say what it used",)
    now = computation["parameters"]
    new = [name for name, value in now.items() if all(before.get(name) != value for before in known)]
    if new:
        return tuple(f"never run {_AT[name]} {name} {now[name]}" for name in new)
    return (f"never run {', '.join(f'{_AT[name]} {name} {value}' for name, value in now.items())}",)
