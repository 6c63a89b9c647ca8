"""The least cost of lists, or of measures, of which a part is prescribed: a plan for every entry, and a multiplier for
each total.

    cost(e) = Σⱼ λⱼ fⱼ(e) + Σₖ μₖ gₖ(e) + gap(e),  gap(e) >= 0 for every entry e

The gₖ are functions of the part of an entry that is prescribed; their totals Gₖ are all that is known of it. The fⱼ
depend on the free part too; their totals Tⱼ are what is asked for. Summed over any list this says that it costs at
least Σ λⱼ Tⱼ + Σ μₖ Gₖ. The plan gives the free part of an entry in terms of the prescribed one; with it, and with the
entries that are added, the gap is 0 and the totals are Tⱼ: so this is the least cost, and it is attained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption, Operation, written
from implicitbias.theorems.entry_kind import Kind
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, option, witness
from implicitbias.theorems.rules.sequences.lists import entry_of
from implicitbias.theorems.setting import (
    NotShownError,
    RefusedError,
    Setting,
    minus,
    names_in,
    number,
    put,
    shown_in_domain,
    times,
    total,
)
from implicitbias.theorems.sign import Hypothesis

SCALE = "scale"
"""The factor by which a density is multiplied."""


@dataclass(frozen=True, kw_only=True)
class ListProgramme(Quantity):
    """
    cost         what an entry costs, in its prescribed and its free variables
    free         the variables that are minimised over, with their domains
    wanted       variables of the theorem, each with the formula of an entry whose sum it is to be
    given        the prescribed variables of an entry
    known        variables of the theorem, each with the formula in the prescribed variables whose sum it is
    spare        the prescribed part of entries that may be added to the list; none: no entry may, unless nothing is
                 prescribed at all
    plan         the free variables of an entry, in the prescribed ones
    by           for each wanted total: the coefficients of known ones that the planned entries add up to
    added        the free variables of each entry that is added
    multipliers  what a wanted total earns
    worth        what a known total earns
    gap          formulas >= 0 that add up to the gap of an entry; none: its sign is found as it is
    squared      the gap is that of the squares: then the cost is shown to be at least 0 as well
    where        what holds for each entry: `c <= 1`
    """

    cost: str = defined()
    free: Mapping[str, Assumption] = bound()
    wanted: Mapping[str, str] = defined()
    given: Mapping[str, Assumption] = bound(default_factory=dict)
    known: Mapping[str, str] = defined(default_factory=dict)
    spare: Mapping[str, str] = defined(default_factory=dict)
    plan: Mapping[str, str] = witness(default_factory=dict)
    by: Mapping[str, Mapping[str, str]] = witness(default_factory=dict)
    added: tuple[Mapping[str, str], ...] = witness(default=())
    multipliers: Mapping[str, str] = witness(default_factory=dict)
    worth: Mapping[str, str] = witness(default_factory=dict)
    gap: tuple[str, ...] = witness(default=())
    squared: bool = option(default=False)
    where: tuple[str, ...] = defined(default=())

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        prescribed = entry_of(setting, self.given, ())
        entry = entry_of(setting, {**self.given, **self.free}, self.where)
        cost = entry.read(self.cost)
        wanted = {name: entry.read(text) for name, text in self.wanted.items()}
        known = {name: prescribed.read(text) for name, text in self.known.items()}
        for name in (*wanted, *known):
            if name not in setting.variables and name not in setting.fixed:
                raise RefusedError(f"the total {name} is no variable of the theorem")
        for tree in (*wanted.values(), *known.values()):
            if named := names_in(tree) & (wanted.keys() | known.keys()):
                raise RefusedError(f"the formula of a total holds the total {min(named)}")
        for tree in (cost, *wanted.values()):
            if not names_in(tree) & self.free.keys():
                raise RefusedError(f"{written(tree)} holds nothing that is minimised over")
        for tree in (cost, *wanted.values(), *known.values()):
            entry.defined(tree, "the cost or a total")
        self._may_be_added_up(entry, prescribed, (cost, *wanted.values(), *known.values()))
        prices, worth = (_read(setting, texts) for texts in (self.multipliers, self.worth))
        earned = total(
            [*(times(prices[j], wanted[j]) for j in _among(prices, wanted))]
            + [times(worth[k], known[k]) for k in _among(worth, known)]
        )
        self._costs_no_less(entry, cost, earned, steps)
        left = self._planned(setting, prescribed, entry, wanted, known, minus(cost, earned), steps)
        for part in self._further(setting, entry, wanted, known, minus(cost, earned), steps):
            left = {name: minus(left[name], part[name]) for name in wanted}
        for name in wanted:
            how = setting.zero(left[name], f"the total {name}")
            steps.add("the planned and the added entries have the total", name, how)
        if self.given:
            _some_list(setting, prescribed, known)
        value = total(
            [*(times(prices[j], setting.read(j)) for j in prices), *(times(worth[k], setting.read(k)) for k in worth)]
        )
        setting.defined(value, "the least cost")
        return value

    def _may_be_added_up(self, entry: Setting, prescribed: Setting, trees: Sequence[Operation]) -> None:
        """Show that cost and totals can be added up over the entries."""

    def _costs_no_less(self, entry: Setting, cost: Operation, earned: Operation, steps: Steps) -> None:
        gap = minus(cost, earned)
        if self.squared:
            steps.add("an entry costs at least 0", written(cost), entry.at_least_zero(cost, "the cost of an entry"))
            gap = minus(times(cost, cost), times(earned, earned))
        parts = [entry.read(text) for text in self.gap] or [gap]
        for part in parts:
            entry.defined(part, "the gap of an entry")
        how = entry.zero(minus(gap, total(parts)), "the gap of an entry")
        squares = " (squares)" if self.squared else ""
        steps.add(f"an entry costs more than it earns by the gap{squares}", written(total(parts)), how)
        for part in parts:
            steps.add("at least 0 for every entry", written(part), entry.at_least_zero(part, "the gap of an entry"))

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
        """What the wanted totals lack, with the planned entries."""
        left = {name: setting.read(name) for name in wanted}
        if not self.given:
            if self.plan or self.by:
                raise RefusedError("nothing is prescribed: entries are added, not planned")
            return left
        plan = {name: prescribed.read(text) for name, text in self.plan.items()}
        _in_domain(prescribed, plan, self.free, "planned")
        _holds_for(prescribed, entry.hypotheses[len(setting.hypotheses) :], plan)
        how = prescribed.zero(put(gap, plan), "the gap of a planned entry")
        steps.add("a planned entry costs what it earns", ", ".join(f"{n} = {t}" for n, t in self.plan.items()), how)
        for name, tree in wanted.items():
            shares = _read(setting, self.by.get(name, {}))
            combined = total([times(shares[k], known[k]) for k in _among(shares, known)])
            how = prescribed.zero(minus(put(tree, plan), combined), f"the total {name} of a planned entry")
            steps.add("a planned entry adds a combination of known totals", f"{name}: {written(combined)}", how)
            left[name] = minus(left[name], total([times(shares[k], setting.read(k)) for k in shares]))
        return left

    def _further(
        self,
        setting: Setting,
        entry: Setting,
        wanted: Mapping[str, Operation],
        known: Mapping[str, Operation],
        gap: Operation,
        steps: Steps,
    ) -> list[dict[str, Operation]]:
        """What each added entry adds to the wanted totals. It adds nothing to the known ones."""
        if not self.added:
            return []
        if self.spare.keys() != self.given.keys():
            raise RefusedError("no entry may be added: its prescribed part is not given")
        spare = _read(setting, self.spare)
        _in_domain(setting, spare, self.given, "added")
        for name, tree in known.items():
            setting.zero(put(tree, spare), f"what an added entry adds to {name}")
        found = []
        for texts in self.added:
            there = {**spare, **_read(setting, texts)}
            _in_domain(setting, {name: there[name] for name in texts}, self.free, "added")
            _holds_for(setting, entry.hypotheses[len(setting.hypotheses) :], there)
            how = setting.zero(put(gap, there), "the gap of an added entry")
            steps.add("an added entry costs what it earns", ", ".join(f"{n} = {t}" for n, t in texts.items()), how)
            found.append({name: put(tree, there) for name, tree in wanted.items()})
        return found

    @property
    def reads(self) -> str:
        wanted = ", ".join(f"the sum of {text} is {name}" for name, text in self.wanted.items())
        known = "".join(f", given that of {text}, {name}" for name, text in self.known.items())
        free = ", ".join((*(f"{name} {domain}" for name, domain in self.free.items()), *self.where))
        return f"least sum of {self.cost} over {free} of every entry, where {wanted}{known}"


@dataclass(frozen=True, kw_only=True)
class MeasureProgramme(ListProgramme):
    """The same for measures in the place of lists: the variables are densities, prescribed measures of any kind.

    Cost and totals are shown to be homogeneous, so that their integrals do not depend on what the densities are taken
    with respect to; the plan too. Entries are added where the prescribed measures have no atom.
    """

    def _may_be_added_up(self, entry: Setting, prescribed: Setting, trees: Sequence[Operation]) -> None:
        if self.where:
            raise RefusedError("densities are real or nonnegative, and nothing else is asked of them")
        domains = {**self.given, **self.free}
        if set(domains.values()) - {"real", "nonnegative"}:
            raise RefusedError("densities are real or nonnegative")
        if any(prescribed.read(text) != number(0) for text in self.spare.values()):
            raise RefusedError("where the prescribed measures have no atom their density is 0")
        larger = entry.with_variables({SCALE: "positive"})
        scale = Operation(SCALE)
        scaled = {name: times(scale, Operation(name)) for name in domains}
        for tree in trees:
            larger.zero(minus(put(tree, scaled), times(scale, tree)), f"{written(tree)} is homogeneous")
        there = prescribed.with_variables({SCALE: "positive"})
        for text in self.plan.values():
            tree = there.read(text)
            there.zero(minus(put(tree, scaled), times(scale, tree)), f"the plan {text} is homogeneous")

    @property
    def reads(self) -> str:
        return super().reads.replace("sum", "integral").replace("every entry", "every density")


def _read(setting: Setting, texts: Mapping[str, str]) -> dict[str, Operation]:
    found = {name: setting.read(text) for name, text in texts.items()}
    for name, tree in found.items():
        setting.defined(tree, f"what stands for {name}")
    return found


def _among(names: Mapping[str, Operation], totals: Mapping[str, Operation]) -> Mapping[str, Operation]:
    if stray := names.keys() - totals.keys():
        raise RefusedError(f"{min(stray)} is no total")
    return names


def _in_domain(setting: Setting, at: Mapping[str, Operation], domains: Mapping[str, Assumption], what: str) -> None:
    if at.keys() != domains.keys():
        raise RefusedError(f"an entry that is {what} must give {', '.join(domains)}")
    for name, tree in at.items():
        setting.defined(tree, f"{name} of an entry that is {what}")
        shown_in_domain(setting, tree, domains[name], f"{name} of an entry that is {what}")


def _holds_for(setting: Setting, hypotheses: Sequence[Hypothesis], at: Mapping[str, Operation]) -> None:
    """Show that an entry is one of those that are allowed."""
    for hypothesis in hypotheses:
        tree = put(hypothesis.tree, at)
        setting.defined(tree, "what holds for each entry")
        setting.at_least_zero(tree, "what holds for each entry", strict=hypothesis.strict)


def _some_list(setting: Setting, prescribed: Setting, known: Mapping[str, Operation]) -> None:
    """Raise NotShownError unless some list has such known totals: otherwise the statement would be empty."""
    from implicitbias.theorems.concrete_lists import lists_with_totals

    entries = {name: prescribed.variables[name] for name in prescribed.variables.keys() - setting.variables.keys()}
    kinds = [Kind("", prescribed, number(0), dict(known))]
    if next(lists_with_totals(setting, entries, (), kinds, lambda parts: total(parts), None), None) is None:
        raise NotShownError("no list was found that has such totals: the statement may be empty")
