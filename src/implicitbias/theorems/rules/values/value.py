"""A quantity that is given outright, in primitives: what a network says at a point, the price of a unit, a loss."""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.exact.formula import Operation
from implicitbias.theorems.quantity import Quantity, Steps, defined
from implicitbias.theorems.setting import Setting


@dataclass(frozen=True)
class Value(Quantity):
    """The value of a formula in primitives.

    >>> from implicitbias.exact.formula import written
    >>> written(Value("relu(x) - relu(-x)").establish(Setting({"x": "real"}), Steps()))
    'Max(0, x) - Max(0, -x)'
    """

    formula: str = defined()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        value = setting.read(self.formula)
        setting.defined(value, "the definition")
        return value

    @property
    def reads(self) -> str:
        return self.formula
