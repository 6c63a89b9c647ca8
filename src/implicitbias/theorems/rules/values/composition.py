"""A formula in other quantities: the square of a minimum, a sum beside a single term."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Operation
from implicitbias.theorems.quantity import Quantity, Steps, defined
from implicitbias.theorems.setting import RefusedError, Setting, names_in, put


@dataclass(frozen=True)
class Composition(Quantity):
    """
    formula  in the variables of the theorem, in primitives, and in the names of the parts
    parts    a quantity for each name, by its own definition
    """

    formula: str = defined()
    parts: Mapping[str, Quantity] = defined()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        values = {name: part.establish(setting, steps) for name, part in self.parts.items()}
        named = setting.with_variables(dict.fromkeys(self.parts, "real"))
        formula = named.read(self.formula)
        if missing := self.parts.keys() - names_in(formula):
            raise RefusedError(f"the part {min(missing)} does not stand in the formula")
        value = put(formula, values)
        setting.defined(value, "the definition")
        return value

    @property
    def reads(self) -> str:
        parts = ", ".join(f"{name} the {part.reads}" for name, part in self.parts.items())
        return f"{self.formula} with {parts}"
