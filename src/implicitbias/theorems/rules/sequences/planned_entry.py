"""The least integral of a cost over functions on a prescribed measure, and the only function that attains it.

    min { ∫ cost(p, e(p)) dμ(p) : ∫ f_j(p, e(p)) dμ(p) + Σ_m c_m a_mj = T_j for all j }

over functions e of the prescribed part p and over the coefficients c_m of functions that cost nothing: multipliers λ_j
with Σ_j λ_j a_mj = 0 earn as much whatever the c_m are, so that the rule for lists
(`implicitbias.theorems.rules.sequences.programme`) applies, integrals in the place of sums. Where the gap is positive
for every e but the planned one, any function that differs from the plan on a set of positive measure costs more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from implicitbias.exact.formula import CONSTANTS, Assumption, Operation, written
from implicitbias.theorems.established import Shown
from implicitbias.theorems.primitives import Primitive, read
from implicitbias.theorems.quantity import Quantity, Steps, defined, texts, witness
from implicitbias.theorems.rules.sequences.lists import entry_of
from implicitbias.theorems.rules.sequences.programme import ListProgramme
from implicitbias.theorems.setting import (
    RefusedError,
    Setting,
    in_domain,
    minus,
    names_in,
    put,
    shown_in_domain,
    times,
    total,
)
from implicitbias.theorems.sign import Hypothesis

AWAY = "away"
"""The distance of another value from the planned one."""


@dataclass(frozen=True, kw_only=True)
class LawProgramme(ListProgramme):
    """Over any law, or any measure that is not negative, of the prescribed part for which the known totals are finite.

    at_no_cost    functions that may be added: by a name of each, what it adds to each wanted total
    coefficients  how much of each is added to the planned entries
    """

    at_no_cost: Mapping[str, Mapping[str, str]] = defined(default_factory=dict)
    coefficients: Mapping[str, str] = witness(default_factory=dict)

    def _planned(
        self,
        setting: Setting,
        prescribed: Setting,
        entry: Setting,
        wanted: Mapping[str, Operation],
        known: Mapping[str, Operation],
        gap: Operation,
        steps: Steps,
    ) -> dict[str, Operation]:
        if not self.given or self.spare or self.added:
            raise RefusedError("the measure is prescribed: entries are planned, none is added")
        if self.coefficients.keys() != self.at_no_cost.keys():
            raise RefusedError(f"the functions at no cost need coefficients: {', '.join(self.at_no_cost)}")
        left = super()._planned(setting, prescribed, entry, wanted, known, gap, steps)
        for name, formulas in self.at_no_cost.items():
            if formulas.keys() != wanted.keys():
                raise RefusedError(f"the function {name} must say what it adds to {', '.join(wanted)}")
            adds = {total_: setting.read(text) for total_, text in formulas.items()}
            coefficient = setting.read(self.coefficients[name])
            for tree in (coefficient, *adds.values()):
                setting.defined(tree, f"the function {name}")
            prices = [times(setting.read(price), adds[total_]) for total_, price in self.multipliers.items()]
            how = setting.zero(total(prices), f"what the multipliers earn with the function {name}")
            steps.add("a function at no cost earns nothing", name, how)
            left = {total_: minus(rest, times(coefficient, adds[total_])) for total_, rest in left.items()}
        return left

    @property
    def reads(self) -> str:
        more = "".join(
            f", with any multiple of {name} added: {', '.join(f'{a} to {t}' for t, a in formulas.items())}"
            for name, formulas in self.at_no_cost.items()
        )
        least = super().reads.replace("least sum", "least integral").replace("the sum", "the integral")
        return f"{least}{more}; any law of {', '.join(self.given)}"


@dataclass(frozen=True, kw_only=True)
class PlannedEntry(Quantity):
    """`of` at an entry of the only optimum of a programme.

    of         a formula in the prescribed and the free variable of an entry
    programme  a programme with one free variable, which plans entries and adds none
    at         the prescribed part of the entry, in the theorem's variables
    """

    of: str = defined()
    programme: ListProgramme = defined()
    at: Mapping[str, str] = defined()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        programme = self.programme
        if len(programme.free) != 1 or not programme.given or programme.added or programme.squared or programme.where:
            raise RefusedError("an entry has one free variable and a prescribed part, of any value; no entry is added")
        steps += _optimum(_Alone.of(programme, setting))
        prescribed = entry_of(setting, programme.given, ())
        (name,) = programme.free
        plan = prescribed.read(programme.plan[name])
        of = prescribed.read(self.of, (name,))
        if name not in names_in(of) or names_in(of) - programme.given.keys() - {name}:
            raise RefusedError(f"{self.of} must hold {name}, and nothing but the variables of an entry")
        if self.at.keys() != programme.given.keys():
            raise RefusedError(f"the entry must give {', '.join(programme.given)}")
        at = {given: setting.read(text) for given, text in self.at.items()}
        for given, tree in at.items():
            setting.defined(tree, f"{given} of the entry")
            shown_in_domain(setting, tree, programme.given[given], f"{given} of the entry")
        value = put(put(of, {name: plan}), at)
        setting.defined(value, "what is asked of the entry")
        return value

    @property
    def reads(self) -> str:
        at = ", ".join(f"{name} = {text}" for name, text in self.at.items())
        return f"{self.of} where {at}, at the only optimum of the {self.programme.reads}"


@dataclass(frozen=True)
class _Alone:
    """A programme in what of a setting it speaks of: it is shown once, however many entries are asked for."""

    programme: ListProgramme = field(compare=False)
    document: str
    variables: tuple[tuple[str, Assumption], ...]
    hypotheses: tuple[Hypothesis, ...]
    fixed: tuple[tuple[str, Operation], ...]
    vocabulary: tuple[tuple[str, Primitive], ...]

    @classmethod
    def of(cls, programme: ListProgramme, setting: Setting) -> _Alone:
        own = dict.fromkeys([*programme.given, *programme.free], "real")
        named = programme.wanted.keys() | programme.known.keys()
        for _, text in texts(programme):
            named |= read(text, {**setting.variables, **setting.fixed, **own}, setting.vocabulary).names
        if outside := named & setting.bound.keys():
            raise RefusedError(f"the programme holds {min(outside)}, on which its totals would depend")
        fixed = tuple((name, tree) for name, tree in setting.fixed.items() if name in named)
        named = named.union(*(names_in(tree) for _, tree in fixed))
        variables = tuple((name, domain) for name, domain in setting.variables.items() if name in named)
        known = {name for name, _ in variables}
        hypotheses = tuple(h for h in setting.hypotheses if names_in(h.tree) - {*CONSTANTS} <= known)
        return cls(programme, repr(programme), variables, hypotheses, fixed, tuple(setting.vocabulary.items()))

    @property
    def setting(self) -> Setting:
        return Setting(dict(self.variables), self.hypotheses, dict(self.vocabulary), dict(self.fixed))


@lru_cache(maxsize=32)
def _optimum(alone: _Alone) -> tuple[Shown, ...]:
    """Show that the plan is optimal, and the only one that is. Raises RefusedError or NotShownError."""
    programme, setting, steps = alone.programme, alone.setting, Steps()
    programme.establish(setting, steps)
    prescribed = entry_of(setting, programme.given, ())
    ((name, domain),) = programme.free.items()
    plan = prescribed.read(programme.plan[name])
    gap = _gap(programme, entry_of(setting, {**programme.given, **programme.free}, ()))
    beside = prescribed.with_variables({AWAY: "positive"})
    for head in ("+", "-"):
        other = Operation(head, (plan, Operation(AWAY)))
        there = in_domain(beside, other, domain)
        if not there.signs.contradictory:
            how = there.at_least_zero(put(gap, {name: other}), f"the gap where {name} is not as planned", strict=True)
            steps.add(f"an entry with another {name} costs more", f"{name} = {written(other)}", how)
    return tuple(steps)


def _gap(programme: ListProgramme, entry: Setting) -> Operation:
    """What an entry costs more than it earns; parts that are given add up to it, as the programme has shown."""
    if programme.gap:
        return total([entry.read(text) for text in programme.gap])
    earned = [
        times(entry.read(price), entry.read(formulas[name]))
        for prices, formulas in ((programme.multipliers, programme.wanted), (programme.worth, programme.known))
        for name, price in prices.items()
    ]
    return minus(entry.read(programme.cost), total(earned))
