"""The events of a run, for displays of its progress."""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.judging.result import Result


@dataclass(frozen=True)
class Started:
    """A check has begun: its observation, or the first job of its sweep."""

    claim: str
    check: str


@dataclass(frozen=True)
class JobDone:
    """Job number `index` (from 0) of the `total` of a check's sweep is done, now or in an earlier run."""

    claim: str
    check: str
    index: int
    total: int


@dataclass(frozen=True)
class Finished:
    """A check has been run in this run."""

    result: Result


@dataclass(frozen=True)
class Cached:
    """A check that need not run: the ledger holds a fresh result."""

    result: Result


Event = Started | JobDone | Finished | Cached
