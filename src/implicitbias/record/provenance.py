"""What a result was made from, as a record that can be compared with another one in words.

An *origin* is a JSON document: the files of the check and of all it uses, with their digests, the parameters, and the
versions of what was installed. Its digest is the key under which the ledger keeps the result: as long as the key is
the same, the computation would be too. The time limit is not part of it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import inspect
import json
import platform
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from implicitbias.claims.catalogue import Catalogue
from implicitbias.claims.check import Budget, Check, Kind
from implicitbias.claims.statement import Claim
from implicitbias.record.sources import PROJECT, file_of, sources

Origin = Mapping[str, Any]
"""{"claim", "check", "parameters": {name: value}, "files": {name: digest}, "versions": {name: version}}."""

PACKAGES = ("sympy", "numpy", "scipy", "torch", "python-flint")
"""The packages whose arithmetic results depend on."""

JUDGES = (f"{PROJECT}.judging.judgement", f"{PROJECT}.judging.result")
"""The modules that turn evidence into verdicts."""


def origin_of_check(
    catalogue: Catalogue, claim: Claim, check: Check, *, budget: Budget | str, seed: int, device: str
) -> Origin:
    """The origin of a result of the check, including the judgement."""
    parameters = {"budget": str(Budget(budget)), "seed": seed, "device": device_of(check, device)}
    return _origin(catalogue, claim, check, parameters, JUDGES)


def origin_of_job(
    catalogue: Catalogue, claim: Claim, check: Check, parameters: Mapping[str, Any], *, device: str
) -> Origin:
    """The origin of the output of one job of a sweep, which depends neither on the judgement nor on the budget.

    The job of a shared sweep is made from the file of the job's function and does not belong to a claim.
    """
    given = {"job": dict(parameters), "device": device}
    sweep = check.sweep
    if sweep is None or not sweep.shared:
        return _origin(catalogue, claim, check, given, ())
    module = inspect.getmodule(inspect.unwrap(sweep.job))
    files = [Path(module.__file__)] if module and module.__file__ else [catalogue.file_of(claim.id)]
    return {
        "shared": sweep.shared,
        "function": sweep.job.__qualname__,
        "parameters": given,
        "files": sources(files, catalogue.folder),
        "versions": versions(),
    }


def device_of(check: Check, device: str) -> str:
    """The device a check runs on: only experiments run on another one than the CPU."""
    return device if check.kind is Kind.EXPERIMENT else "cpu"


def digest(origin: Origin) -> str:
    """The key of an origin: equal for equal documents, whatever the order of their entries.

    >>> digest({"seed": 0, "budget": "quick"}) == digest({"budget": "quick", "seed": 0})
    True
    """
    return hashlib.sha256(json.dumps(origin, sort_keys=True).encode()).hexdigest()


def differences(old: Origin, new: Origin) -> tuple[str, ...]:
    """The differences of the new origin, in words; empty for equal ones.

    >>> differences({"versions": {"numpy": "2.4.5"}}, {"versions": {"numpy": "2.4.6"}})
    ('numpy 2.4.5 -> 2.4.6',)
    """
    return (*_parameters(old, new), *_files(old, new), *_versions(old, new))


@lru_cache
def versions() -> Mapping[str, str]:
    """Python and the packages as installed, read from their metadata: importing them would take seconds."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def machine() -> Mapping[str, str]:
    """The machine that made a result; not part of its key."""
    return {"system": platform.system(), "machine": platform.machine()}


def _origin(
    catalogue: Catalogue, claim: Claim, check: Check, parameters: Mapping[str, Any], judges: tuple[str, ...]
) -> Origin:
    judging = [file for module in judges if (file := file_of(module))]
    return {
        "claim": claim.id,
        "check": check.name,
        "parameters": parameters,
        "files": sources([catalogue.file_of(claim.id), *judging], catalogue.folder),
        "versions": versions(),
    }


def _parameters(old: Origin, new: Origin) -> list[str]:
    before, after = old.get("parameters", {}), new.get("parameters", {})
    return [f"{name} {before.get(name)} -> {value}" for name, value in after.items() if before.get(name) != value]


def _files(old: Origin, new: Origin) -> list[str]:
    before, after = old.get("files", {}), new.get("files", {})
    return [
        *(f"{name} changed" for name in after if name in before and before[name] != after[name]),
        *(f"{name} is used now" for name in after if name not in before),
        *(f"{name} is no longer used" for name in before if name not in after),
    ]


def _versions(old: Origin, new: Origin) -> list[str]:
    before, after = old.get("versions", {}), new.get("versions", {})
    return [
        f"{name} {before.get(name, 'unknown')} -> {version}"
        for name, version in after.items()
        if before.get(name) != version
    ]
