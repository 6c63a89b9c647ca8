"""The events of a run, for displays of its progress."""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.judging.result import Result


@dataclass(frozen=True)
class ToRun:
    """What has to run, told before anything begins.

    checks   how many, those with a fresh result left out
    untimed  how many of them have never run, here or where the shipped results were made
    seconds  what the others took last time, shared among the workers
    """

    checks: int
    untimed: int
    seconds: float


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


Event = ToRun | Started | JobDone | Finished | Cached
