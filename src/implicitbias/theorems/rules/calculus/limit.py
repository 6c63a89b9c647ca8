"""The limit of a formula, perhaps with quantities in it, at infinity or at a point from one side.

With the variable written in e > 0 (1/e, −1/e, a + e or a − e) the formula is extension(e)/eⁿ for small e > 0, where the
extension is smooth around e = 0 and its first n derivatives are 0 there. By Taylor's theorem the limit is the n-th
derivative of the extension at 0, divided by n!; for n = 0 it is the value there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.beside import beside
from implicitbias.theorems.differentiate import derivative, tidied
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, option, witness
from implicitbias.theorems.setting import RefusedError, Setting, minus, names_in, negated, number, put
from implicitbias.theorems.theorem import assumed

SMALL = "e"
"""The distance from the end: it tends to 0 from above."""

HIGHEST_ORDER = 6


@dataclass(frozen=True)
class Limit(Quantity):
    """lim `of` as the `variable` tends to +∞, −∞, or to `at` from the left or from the right.

    of         a formula in the theorem's variables, the variable and the names of `where`
    where      quantities that stand in `of` by name; they may depend on the variable
    to         `oo`, `-oo`, `left` (to `at` from below) or `right` (from above)
    extension  a formula in e and the theorem's variables with of = extension/e^order for 0 < e < within
    order      how many derivatives of the extension are 0 at e = 0
    within     positive, in the theorem's variables; none: for all e > 0
    near       inequalities in the variable that hold for 0 < e < within: the quantities are established under them

    >>> half = Limit("sqrt(x**2 + a*x) - x", "x", to="oo", extension="a/(sqrt(1 + a*e) + 1)")
    >>> setting = Setting({"a": "positive"})
    >>> setting.zero(minus(half.establish(setting, Steps()), setting.read("a/2")), "the limit")
    'python-flint and sympy, 1 cell'
    """

    of: str = defined()
    variable: str = bound()
    to: Literal["oo", "-oo", "left", "right"] = option()
    at: str | None = defined(default=None)
    where: Mapping[str, Quantity] = defined(default_factory=dict)
    extension: str = witness(default="0")
    order: int = option(default=0)
    within: str | None = witness(default=None)
    near: tuple[str, ...] = witness(default=())

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        small = setting.with_variables({SMALL: "positive"})
        if self.within is not None:
            within = setting.read(self.within)
            setting.defined(within, "within")
            setting.at_least_zero(within, "within", strict=True)
            small = small.assuming(minus(within, Operation(SMALL)))
        moved = {self.variable: self._place(setting)}
        formula = put(self._function(setting, small, moved, steps), moved)
        small.defined(formula, "the formula near its limit")
        extension = small.read(self.extension)
        power = Operation("**", (Operation(SMALL), number(self.order)))
        how = small.zero(minus(formula, Operation("/", (extension, power))), "the extension")
        steps.add("near the limit the formula is", f"{self.extension} over {SMALL}**{self.order}", how)
        return self._value(setting, extension, steps)

    def _place(self, setting: Setting) -> Operation:
        """The variable in terms of e."""
        e = Operation(SMALL)
        if (self.at is not None) != (self.to in ("left", "right")):
            raise RefusedError("a limit goes to oo or -oo, or from the left or right to a point `at`")
        if self.at is None:
            inverse = Operation("/", (number(1), e))
            return inverse if self.to == "oo" else negated(inverse)
        at = setting.read(self.at)
        setting.defined(at, "the point")
        return Operation("+" if self.to == "right" else "-", (at, e))

    def _function(self, setting: Setting, small: Setting, moved: Mapping[str, Operation], steps: Steps) -> Operation:
        """The formula in the variable, its quantities established where the variable is near the end."""
        near = setting.with_variables({self.variable: "real"})
        for text in self.near:
            near = assumed(near, text)
        for text, hypothesis in zip(self.near, near.hypotheses[len(setting.hypotheses) :], strict=True):
            there = put(hypothesis.tree, moved)
            small.defined(there, text)
            small.at_least_zero(there, f"{text} near the limit", strict=hypothesis.strict)
        if idle := self.where.keys() - names_in(near.with_variables(dict.fromkeys(self.where, "real")).read(self.of)):
            raise RefusedError(f"{min(idle)} does not stand in the formula")
        values = {name: quantity.establish(near, steps) for name, quantity in self.where.items()}
        return put(near.with_variables(dict.fromkeys(values, "real")).read(self.of), values)

    def _value(self, setting: Setting, extension: Operation, steps: Steps) -> Operation:
        if not 0 <= self.order <= HIGHEST_ORDER:
            raise RefusedError(f"the order of a limit is 0 to {HIGHEST_ORDER}; got {self.order}")
        at = {SMALL: number(0)}
        term = beside(setting, extension, SMALL, number(0), 1)
        steps.add("the extension is smooth at the limit", written(term), "by structure")
        for k in range(self.order):
            how = setting.zero(put(term, at), f"derivative {k} of the extension at the limit")
            steps.add(f"derivative {k} of the extension is 0 at the limit", written(term), how)
            term = derivative(term, SMALL)
        value = put(term, at)
        setting.defined(value, "the value at the limit")
        return tidied(Operation("/", (value, number(math.factorial(self.order)))))

    @property
    def reads(self) -> str:
        end = {"left": f"{self.at} from below", "right": f"{self.at} from above"}.get(self.to, self.to)
        inside = "".join(f", {name}: {quantity.reads}" for name, quantity in self.where.items())
        return f"limit of {self.of} as {self.variable} → {end}{inside}"
