"""A check: how a quantity is observed, without access to what the claim says about it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from implicitbias.claims.evidence import Evidence
from implicitbias.claims.prose import rewrap

if TYPE_CHECKING:
    import numpy as np

Choice = TypeVar("Choice")


class Kind(StrEnum):
    """The kind of evidence that a check brings; every screen keeps the three apart."""

    PROOF = "proof"
    CERTIFICATE = "certificate"
    EXPERIMENT = "experiment"


class Budget(StrEnum):
    """How much time a run may take. A budget changes sizes and seeds, never an acceptance rule."""

    QUICK = "quick"
    FULL = "full"
    PAPER = "paper"


def pilot_seed(seed: int) -> int:
    """The run's seed for a pilot: below 0, where no run that judges has one, so that their draws never meet.

    >>> pilot_seed(0), pilot_seed(7)
    (-1, -8)
    """
    return -1 - seed


JobOutput = Mapping[str, Any]
"""The output of a job: JSON values and numpy arrays, by name."""


@dataclass(frozen=True)
class Context:
    """Everything that an observation may know: never the formula, a control or an expected outcome.

    seed     an integer made from the run's seed, the claim and the check: the only source of randomness
    outputs  what the jobs of the check's sweep returned, in the order of the sweep
    """

    seed: int = 0
    budget: Budget = Budget.QUICK
    device: str = "cpu"
    outputs: tuple[JobOutput, ...] = ()

    def random(self) -> random.Random:
        """A fresh generator of Python's own, for exact random integers and fractions."""
        return random.Random(self.seed)

    def rng(self) -> np.random.Generator:
        """A fresh numpy generator."""
        import numpy as np

        return np.random.default_rng(self.seed)

    def choose(self, quick: Choice, full: Choice, paper: Choice | None = None) -> Choice:
        """The size that fits the budget; `paper` defaults to `full`."""
        if self.budget is Budget.QUICK:
            return quick
        return full if self.budget is Budget.FULL or paper is None else paper


@dataclass(frozen=True)
class Sweep:
    """The points at which an experiment runs, and the job run at each.

    parameters  (budget, seed) -> one mapping of JSON values per job; all randomness of a job comes from a seed in it
    job         (parameters, device) -> outputs: a pure function, the unit that is scheduled, timed out, cached, resumed
    shared      a name that several checks give: their points come from one seed, and equal jobs run once
    """

    parameters: Callable[[Context], Sequence[Mapping[str, Any]]]
    job: Callable[[Mapping[str, Any], str], JobOutput]
    shared: str = ""


@dataclass(frozen=True)
class Job:
    """One point of a sweep, by name: what travels to a worker."""

    claim: str
    check: str
    index: int
    parameters: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True)
class Check:
    """One way to find out whether a claim holds.

    name        unique within the claim, in words: `primal and dual measures`
    kind        proof, certificate or experiment
    observe     computes the evidence from first principles; it is given a `Context` and nothing else
    about       a line: what is computed, and what would refute the claim
    acceptance  for an experiment: the acceptance rule (level, seeds, effect size, power), and whether it was fixed
                after pilot runs
    sweep       for an experiment made of jobs: they run first, `context.outputs` carries what they returned
    time_limit  seconds for the observation and the judgement, or for one job of the sweep; waiting for a core that
                others use does not count (`implicitbias.running.clock`)
    """

    name: str
    kind: Kind
    observe: Callable[[Context], Evidence]
    about: str = ""
    acceptance: str = ""
    sweep: Sweep | None = None
    time_limit: float = 120.0

    def __post_init__(self) -> None:
        rewrap(self, "about", "acceptance")
