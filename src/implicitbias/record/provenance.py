"""Which computation a result is of: the check or the job, and its parameters.

A *computation* is a JSON document; its digest is the key under which the ledger keeps what came out. What the result
was made from (`implicitbias.record.used`) is kept beside it, and decides whether it is fresh. The time limit is no
part of either.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import platform
from collections.abc import Mapping
from typing import Any

from implicitbias.claims.check import Budget, Check, Kind
from implicitbias.claims.statement import Claim

Computation = Mapping[str, Any]
"""{"claim", "check", "parameters": {name: value}}."""


def computation_of_check(claim: Claim, check: Check, *, budget: Budget | str, seed: int, device: str) -> Computation:
    """The observation and the judgement of a check."""
    parameters = {"budget": str(Budget(budget)), "seed": seed, "device": device_of(check, device)}
    return {"claim": claim.id, "check": check.name, "parameters": parameters}


def computation_of_job(claim: Claim, check: Check, parameters: Mapping[str, Any], *, device: str) -> Computation:
    """One job of a sweep, which depends neither on the judgement nor on the budget.

    The job of a shared sweep is known by its function and does not belong to a claim.
    """
    given = {"job": dict(parameters), "device": device}
    sweep = check.sweep
    if sweep is None or not sweep.shared:
        return {"claim": claim.id, "check": check.name, "parameters": given}
    function = inspect.unwrap(sweep.job)
    return {"shared": sweep.shared, "function": function.__qualname__, "parameters": given}


def device_of(check: Check, device: str) -> str:
    """The device a check runs on: only experiments run on another one than the CPU."""
    return device if check.kind is Kind.EXPERIMENT else "cpu"


def key_of(computation: Computation) -> str:
    """Equal for equal documents, whatever the order of their entries.

    >>> key_of({"seed": 0, "budget": "quick"}) == key_of({"budget": "quick", "seed": 0})
    True
    """
    return hashlib.sha256(json.dumps(computation, sort_keys=True).encode()).hexdigest()


def machine() -> Mapping[str, str]:
    """The machine that made a result; not part of its key."""
    return {"system": platform.system(), "machine": platform.machine()}
