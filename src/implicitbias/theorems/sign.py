"""What is known of a sign, and what is assumed of one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from implicitbias.exact.formula import Operation


class Sign(Enum):
    """What is known of a sign; None where nothing is."""

    POSITIVE = "> 0"
    NONNEGATIVE = ">= 0"
    ZERO = "= 0"
    NONPOSITIVE = "<= 0"
    NEGATIVE = "< 0"

    @property
    def mirrored(self) -> Sign:
        order = list(Sign)
        return order[len(order) - 1 - order.index(self)]

    @property
    def at_least_zero(self) -> bool:
        return self in (Sign.POSITIVE, Sign.NONNEGATIVE, Sign.ZERO)


@dataclass(frozen=True)
class Hypothesis:
    """A formula without Abs, Max, Min and sign that is assumed to be positive, or (not `strict`) nonnegative."""

    tree: Operation
    strict: bool
