"""Minimum over the lists of n entries with given totals: equal entries, and a multiplier for each total.

    cost(e) = cost(p) + Σⱼ λⱼ (fⱼ(e) − fⱼ(p)) + gap(e),  gap(e) >= 0 for every entry e,  and  n fⱼ(p) = Tⱼ

Summed over a list with Σᵢ fⱼ(eᵢ) = Tⱼ this says Σᵢ cost(eᵢ) = n cost(p) + Σᵢ gap(eᵢ): the list of n entries p has
these totals and costs least. The gap is what the point and the multipliers leave: nobody types it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption, Operation, written
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, reading, value_of, witness
from implicitbias.theorems.rules.sequences.lists import entry_of, length_of, of_an_entry, totals_of
from implicitbias.theorems.setting import (
    NotShownError,
    RefusedError,
    Setting,
    minus,
    names_in,
    negated,
    put,
    shown_in_domain,
    times,
    total,
)
from implicitbias.theorems.sign import Sign


@dataclass(frozen=True, kw_only=True)
class _CheapestList(Quantity):
    """
    cost         what an entry costs: a formula, or a quantity, in the entry's variables
    over         the variables of an entry with their domains
    length       the number of entries, a variable of the theorem
    totals       variables of the theorem, each with the formula of an entry whose sum it is
    where        what holds for each entry: `b <= B`
    at           the entry that all entries of the cheapest list equal
    multipliers  the price of each total
    gap          formulas >= 0 that add up to the gap of an entry; none: its sign is found as it is
    """

    cost: str | Quantity = defined()
    over: Mapping[str, Assumption] = bound()
    length: str = defined()
    totals: Mapping[str, str | Quantity] = defined()
    where: tuple[str, ...] = defined(default=())
    at: Mapping[str, str] = witness()
    multipliers: Mapping[str, str] = witness(default_factory=dict)
    gap: tuple[str, ...] = witness(default=())

    def _cheapest(self, setting: Setting, steps: Steps) -> tuple[Setting, Operation, list[Operation]]:
        """The setting of an entry, its cost, and the parts of its gap, all shown to be at least 0."""
        length = length_of(setting, self.length)
        inner = entry_of(setting, self.over, self.where)
        of_an_entry(self.cost, inner, self.over, "the cost")
        cost = value_of(self.cost, inner, steps)
        inner.defined(cost, "the cost")
        totals = totals_of(setting, inner, self.totals, steps)
        at = self._point(setting)
        self._lies_in_the_domain(setting, inner, at)
        for name, formula in totals.items():
            how = setting.zero(minus(times(length, put(formula, at)), setting.read(name)), f"the total {name}")
            steps.add(
                "the list of equal entries has the total", f"{self.length}*({reading(self.totals[name])}) = {name}", how
            )
        gap = minus(cost, put(cost, at))
        for name, price in self._prices(setting).items():
            if name not in totals:
                raise RefusedError(f"{name} is no total")
            gap = minus(gap, times(price, minus(totals[name], put(totals[name], at))))
        parts = [inner.read(text) for text in self.gap] or [gap]
        for part in parts:
            inner.defined(part, "the gap of an entry")
        how = inner.zero(minus(gap, total(parts)), "the gap of an entry")
        steps.add("an entry costs more than its totals are worth by the gap", written(total(parts)), how)
        for part in parts:
            steps.add("at least 0 for every entry", written(part), inner.at_least_zero(part, "the gap of an entry"))
        return inner, cost, parts

    def _point(self, setting: Setting) -> dict[str, Operation]:
        """The common entry."""
        if self.at.keys() != self.over.keys():
            raise RefusedError(f"the entry gives {', '.join(self.at)}; it must give {', '.join(self.over)}")
        return {name: setting.read(text) for name, text in self.at.items()}

    def _lies_in_the_domain(self, setting: Setting, inner: Setting, at: Mapping[str, Operation]) -> None:
        for name, tree in at.items():
            setting.defined(tree, f"{name} at the common entry")
            shown_in_domain(setting, tree, self.over[name], f"{name} at the common entry")
        for hypothesis in inner.hypotheses[len(setting.hypotheses) :]:
            tree = put(hypothesis.tree, at)
            setting.defined(tree, "what holds for each entry")
            setting.at_least_zero(tree, "what holds for each entry", strict=hypothesis.strict)

    def _prices(self, setting: Setting) -> dict[str, Operation]:
        prices = {name: setting.read(text) for name, text in self.multipliers.items()}
        for name, price in prices.items():
            setting.defined(price, f"the multiplier of {name}")
        return prices

    @property
    def _lists(self) -> str:
        domain = ", ".join((*(f"{name} {domain}" for name, domain in self.over.items()), *self.where))
        totals = ", ".join(f"the sum of {reading(formula)} is {name}" for name, formula in self.totals.items())
        return f"the sum of {reading(self.cost)} over lists of {self.length} entries ({domain}), where {totals}"


@dataclass(frozen=True, kw_only=True)
class ListMinimum(_CheapestList):
    """What the cheapest list costs."""

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        _, cost, _ = self._cheapest(setting, steps)
        value = times(length_of(setting, self.length), put(cost, self._point(setting)))
        setting.defined(value, "the cost of the cheapest list")
        return value

    @property
    def reads(self) -> str:
        return f"minimum of {self._lists}"


@dataclass(frozen=True, kw_only=True)
class ListMinimiser(_CheapestList):
    """`of` at every entry of the only list that costs least: the gap is 0 for no other entry than the common one."""

    of: str = defined()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        inner, _, gaps = self._cheapest(setting, steps)
        at = self._point(setting)
        for name, tree in at.items():
            difference = minus(Operation(name), tree)
            for away in (difference, negated(difference)):
                elsewhere = inner.assuming(away)
                if not any(elsewhere.sign(part) is Sign.POSITIVE for part in gaps):
                    raise NotShownError(f"the gap of an entry is not shown to be positive where {written(away)} > 0")
            steps.add(f"an entry of another {name} costs more", f"gap > 0 off {name} = {written(tree)}", "both sides")
        wanted = inner.read(self.of)
        if not names_in(wanted) or names_in(wanted) - self.over.keys():
            raise RefusedError(f"{self.of} must be a formula in {', '.join(self.over)} alone: the value is not typed")
        value = put(wanted, at)
        setting.defined(value, "what is wanted of the entry")
        return value

    @property
    def reads(self) -> str:
        return f"{self.of} at each entry of the list that minimises {self._lists}"
