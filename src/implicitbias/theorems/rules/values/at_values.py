"""A quantity in variables of its own, shown once for all of them, at some values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, witness
from implicitbias.theorems.setting import RefusedError, Setting, minus, put, shown_in_domain
from implicitbias.theorems.theorem import divided


@dataclass(frozen=True, kw_only=True)
class AtValues(Quantity):
    """
    of     a quantity in the variables of `over`, and in no others
    over   its variables with their domains
    at     a value for each of them, in the variables around it
    value  what the quantity is, in the variables of `over`: shown in every case
    split  formulas of these variables whose sign makes cases
    """

    of: Quantity = defined()
    over: Mapping[str, Assumption] = bound()
    at: Mapping[str, str] = defined()
    value: str = witness()
    split: tuple[str, ...] = witness(default=())

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        setting.with_variables(self.over)  # raises ValueError where a name is taken
        if self.at.keys() != self.over.keys():
            raise RefusedError(f"values are given for {', '.join(self.at)}; they must be for {', '.join(self.over)}")
        own = Setting(dict(self.over), (), setting.vocabulary)
        within, cases = Steps(), list(divided(own, self.split))
        for case, inner in cases:
            found, value = self.of.establish(inner, within), inner.read(self.value)
            inner.defined(value, "the value")
            inner.zero(minus(found, value), f"the value{f' where {case}' if case else ''}")
        how = f"{len(cases)} case{'s' * (len(cases) > 1)} of signs, {len(within)} steps of its rule"
        steps.add(f"{self.of.reads}, for all {', '.join(self.over)}", self.value, how)
        at = {name: setting.read(text) for name, text in self.at.items()}
        for name, tree in at.items():
            setting.defined(tree, f"the value of {name}")
            shown_in_domain(setting, tree, self.over[name], f"the value of {name}")
        return put(own.read(self.value), at)

    @property
    def reads(self) -> str:
        return f"{self.of.reads}, at {', '.join(f'{name} = {text}' for name, text in self.at.items())}"
