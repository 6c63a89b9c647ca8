"""Points of the line that are known exactly or in a tiny ball, and can be distinguished."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import flint


class Undecided(Exception):  # noqa: N818  (not an error: the answer is that there is none)
    """The arithmetic cannot decide; the message says what."""


class Imprecise(Undecided):
    """A sign that more digits may show."""


@dataclass(frozen=True)
class Root:
    """A zero of some formula.

    key    equal keys are the same number: the fraction itself, or the irreducible polynomial and the number of its root
    ball   contains it
    exact  the number itself, if it is rational
    """

    key: tuple[Any, ...]
    ball: flint.arb = field(compare=False)
    exact: Fraction | None = field(default=None, compare=False)

    def before(self, other: Root) -> bool:
        """Whether it is less than the other. Raises Undecided if two different keys cannot be told apart."""
        if self.key == other.key:
            return False
        if self.ball < other.ball:
            return True
        if self.ball > other.ball:
            return False
        raise Undecided(f"two break points near x = {float(self.ball.mid()):g} could not be told apart")
