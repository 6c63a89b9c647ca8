"""Yes or no: 1 where a comparison holds, 0 where it does not."""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.exact.formula import Operation
from implicitbias.theorems.quantity import Quantity, Steps, defined, option, reading, value_of
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus, negated, number


@dataclass(frozen=True)
class Holds(Quantity):
    """1 if `left relation right` at every point of the case, 0 if at none; cases are the theorem's `split`.

    left, right  formulas or quantities
    relation     <=, <, >=, > or =

    Neither is guessed: where the comparison is shown on part of a case only the rule gives no value.
    """

    left: str | Quantity = defined()
    right: str | Quantity = defined()
    relation: str = option(default="<=")

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        left, right = value_of(self.left, setting, steps), value_of(self.right, setting, steps)
        setting.defined(left, "the left side")
        setting.defined(right, "the right side")
        difference = minus(right, left) if self.relation.startswith("<") else minus(left, right)
        for truth in (1, 0):
            try:
                how = self._shown(setting, difference, truth=bool(truth))
            except (RefusedError, NotShownError):
                continue
            steps.add("holds" if truth else "does not hold", self.reads, how)
            return number(truth)
        raise NotShownError(f"{self.reads} is shown neither to hold everywhere nor to fail everywhere: split")

    def _shown(self, setting: Setting, difference: Operation, *, truth: bool) -> str:
        if self.relation == "=":
            if truth:
                return setting.zero(difference, self.reads)
            setting.defined(Operation("/", (number(1), difference)), self.reads)
            return "sign by certificate"
        if self.relation not in ("<=", "<", ">=", ">"):
            raise ValueError(f"a comparison is one of <=, <, >=, >, =: got {self.relation!r}")
        strict = len(self.relation) == 1
        if truth:
            return setting.at_least_zero(difference, self.reads, strict=strict)
        return setting.at_least_zero(negated(difference), f"not {self.reads}", strict=not strict)

    @property
    def reads(self) -> str:
        return f"{reading(self.left)} {self.relation} {reading(self.right)}"
