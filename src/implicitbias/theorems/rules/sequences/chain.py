"""The least cost of a chain of states along a list of any length, by Bellman's principle.

    min over u₀, …, uₙ of  start(u₀) + Σₖ stage(uₖ₋₁, uₖ, eₖ) + end(uₙ),   the list e₁, …, eₙ being given, n >= 1

All that is known of the list are totals of it, each fixed by what it is for one entry and by the entry that comes next.
The witness is V(u), the least cost of a chain that ends in u, in terms of u and of the totals. It is shown for one
entry, and from the totals of a list to those of a list with one entry more:

    min_u start(u) + stage(u, w, e) = V(w) for the list e,     min_u V(u) + stage(u, w, e) = V(w) for the list and e

So V is the least cost for every list, by induction on its length, and min_u V(u) + end(u) is that of the whole chain.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, reading, value_of, witness
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus, names_in, put

LENGTHS = (1, 2, 3)
"""The lengths of concrete lists that are tried for the totals of the theorem."""
TRIED = 40
"""The most concrete lists of one length."""


@dataclass(frozen=True, kw_only=True)
class CheapestChain(Quantity):
    """
    stage      what it costs to go from the state to the next one past an entry: a formula or a quantity
    start, end what the first and the last state cost
    state      the variable that is a state, and `following` the next one; both are real
    following
    entry      the variables of an entry with their domains
    known      variables of the theorem, each with its value for a list of one entry, in this entry, and its value for
               one entry more, in the values before and in that entry
    least      the least cost of a chain that ends in the state, in the state and in the totals that are known
    at_first   the cheapest first state, in the following one and in the first entry
    at         the cheapest state before the following one, in it, in the totals and in the entry
    at_last    the cheapest last state, in the totals
    """

    stage: str | Quantity = defined()
    start: str | Quantity = defined()
    end: str | Quantity = defined()
    state: str = bound()
    following: str = bound()
    entry: Mapping[str, Assumption] = bound()
    known: Mapping[str, tuple[str, str]] = defined()
    least: str = witness()
    at_first: str = witness()
    at: str = witness()
    at_last: str = witness()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        for name in self.known:
            if name not in setting.variables:
                raise RefusedError(f"the total {name} is no variable of the theorem")
        first = self._without_totals(setting).with_variables(self.entry)
        before = first.with_variables(
            dict.fromkeys(self.known, "real")
        )  # totals of any list, whatever the theorem says
        ones, more = ({name: pair[i] for name, pair in self.known.items()} for i in (0, 1))
        inner = first.with_variables({self.state: "real", self.following: "real"})
        start = self._part(inner, self.start, steps, "the start")
        stage = self._part(inner, self.stage, steps, "a stage", self.following)
        self._continues(first, start, stage, self.at_first, ones, "one entry", steps)
        self._continues(before, None, stage, self.at, more, "one entry more", steps)
        last = setting.with_variables({self.state: "real"})
        cost = _sum(last.read(self.least), self._part(last, self.end, steps, "the end"))
        value = put(cost, {self.state: self._cheapest(setting, self.at_last)})
        setting.defined(value, "the least cost")
        last.defined(cost, "the cost of a chain")
        how = last.at_least_zero(minus(cost, value), "the least cost over the last state")
        steps.add("no last state is cheaper", self.at_last, how)
        entries = self._some_list(setting)
        steps.add("some list has such totals", ", ".join(self.known), f"a list of {entries} at an exact point")
        return value

    def _continues(
        self,
        there: Setting,
        so_far: Operation | None,
        stage: Operation,
        at: str,
        totals: Mapping[str, str],
        what: str,
        steps: Steps,
    ) -> None:
        """Show that V is the least cost with one entry more where `so_far`, V itself if None, is that before it."""
        there = there.with_variables({self.following: "real"})
        inner = there.with_variables({self.state: "real"})
        cost = _sum(inner.read(self.least) if so_far is None else so_far, stage)
        after = {name: there.read(text) for name, text in totals.items()}
        for name, tree in after.items():
            there.defined(tree, f"the total {name}")
        in_all = there.with_variables({n: "real" for n in (self.state, *self.known) if n not in there.variables})
        value = put(in_all.read(self.least), {**after, self.state: Operation(self.following)})
        there.defined(value, "the least cost")
        inner.defined(cost, "the cost of a chain")
        how = inner.at_least_zero(minus(cost, value), f"the least cost with {what}")
        steps.add(f"with {what} no chain is cheaper", self.least, how)
        there_cost = put(cost, {self.state: self._cheapest(there, at)})
        how = there.zero(minus(there_cost, value), f"the cost of the cheapest chain with {what}")
        steps.add(f"with {what} a chain costs no more", f"{self.state} = {at}", how)

    def _cheapest(self, there: Setting, text: str) -> Operation:
        tree = there.read(text)
        there.defined(tree, "the cheapest state")
        return tree

    def _part(self, there: Setting, part: str | Quantity, steps: Steps, what: str, *also: str) -> Operation:
        """What a state or a stage costs. Raises RefusedError where it is free of the states, or holds a total."""
        tree = value_of(part, there, steps)
        if missing := {self.state, *also} - names_in(tree):
            raise RefusedError(f"{what} costs {reading(part)}, whatever {min(missing)} is")
        if totals := names_in(tree) & self.known.keys():
            raise RefusedError(f"{what} holds the total {min(totals)}, which belongs to the whole list")
        return tree

    def _without_totals(self, setting: Setting) -> Setting:
        """The setting of any list: what the theorem says of its totals is true of the whole list only."""
        bare = {name: domain for name, domain in setting.variables.items() if name not in self.known}
        hypotheses = tuple(h for h in setting.hypotheses if not names_in(h.tree) & self.known.keys())
        fixed = {name: tree for name, tree in setting.fixed.items() if not names_in(tree) & self.known.keys()}
        return Setting(bare, hypotheses, setting.vocabulary, fixed)

    def _some_list(self, setting: Setting) -> int:
        """The length of a concrete list with totals as the theorem wants. Raises NotShownError if none is found."""
        from implicitbias.exact.points import allows
        from implicitbias.theorems.concrete_lists import exactly
        from implicitbias.theorems.points import points_of, sign_at

        bare = self._without_totals(setting)
        reader = bare.with_variables({**self.entry, **dict.fromkeys(self.known, "real")})
        updates = {name: tuple(map(reader.read, pair)) for name, pair in self.known.items()}
        for length in LENGTHS:
            copies = [{name: f"{name}[{i}]" for name in self.entry} for i in range(length)]
            free = dict(bare.variables)
            free |= {copy[name]: domain for copy in copies for name, domain in self.entry.items()}
            for point in itertools.islice(points_of(free, bare.hypotheses, ()), TRIED):
                here = {name: point[name] for name in bare.variables}
                totals: dict[str, Fraction] = {}
                for i, copy in enumerate(copies):
                    there = {**here, **totals, **{name: point[called] for name, called in copy.items()}}
                    found = {name: exactly(pair[min(i, 1)], there) for name, pair in updates.items()}
                    totals = {name: value for name, value in found.items() if value is not None}
                    if len(totals) < len(found):
                        break
                else:
                    here |= totals
                    signs = [(sign_at(h.tree, here), int(h.strict)) for h in setting.hypotheses]
                    if all(allows(setting.variables[name], here[name]) for name in totals) and all(
                        sign is not None and sign >= least for sign, least in signs
                    ):
                        return length
        raise NotShownError("no list was found that has such totals: the statement may be empty")

    @property
    def reads(self) -> str:
        totals = ", ".join(f"{name} from {one} on, next {more}" for name, (one, more) in self.known.items())
        entries = ", ".join(f"{name} {domain}" for name, domain in self.entry.items())
        return (
            f"least cost of chains of states {self.state} along a list of entries ({entries}): at the start "
            f"{reading(self.start)}, for each entry {reading(self.stage)}, at the end {reading(self.end)}; {totals}"
        )


def _sum(a: Operation, b: Operation) -> Operation:
    return Operation("+", (a, b))
