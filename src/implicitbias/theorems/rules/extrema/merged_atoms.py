"""How many directions all the cheapest networks use together, by merging two neurons of a closed cell and one sign.

    min Σⱼ cost(cⱼ, w(θⱼ))  subject to  Σⱼ output(cⱼ, θⱼ·x̃ᵢ) = yᵢ for all i,    w 1-homogeneous, strictly convex but
    for rays: w(αθ + βθ′) < αw(θ) + βw(θ′) for α, β > 0 unless θ, θ′ have one direction

In a closed cell θ·x̃ᵢ and θ′·x̃ᵢ have no opposite signs at any datum. Two neurons of a closed cell whose output weights
have one sign are replaced by one along αθ + βθ′, which lies in the cell: the rule shows that the outputs stay and that
the cost would be the same if w were linear, and grows with w. So it falls unless both have one direction, and all
neurons of the cell and the sign in a cheapest network have one; as the mean of two cheapest networks is cheapest, so
have those of all of them. (Of a measure the two parts that a line through 0 separates are merged in the same way.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, witness
from implicitbias.theorems.rules.extrema.cheapest import CheapestUnits
from implicitbias.theorems.setting import (
    RefusedError,
    Setting,
    minus,
    names_in,
    negated,
    number,
    put,
    shown_in_domain,
    times,
    total,
)

SIDES: tuple[Assumption, ...] = ("positive", "negative")
"""The signs of an output weight. Neurons with the weight 0 are not counted."""


@dataclass(frozen=True, kw_only=True)
class _MergedAtoms(Quantity):
    """
    output  what a neuron adds to the network at a datum, in its output weight `c` and in `p` = θ·x̃
    cost    what it costs, in `c` and in `w`, the weight w(θ) > 0 of its parameters
    names   how these three are called; those of a second neuron have the ending `_2`
    shares  α and β, in the output weights of the two
    merged  the output weight of the neuron along αθ + βθ′
    """

    output: str = defined()
    cost: str = defined()
    names: tuple[str, str, str] = bound(default=("c", "p", "w"))
    shares: tuple[str, str] = witness()
    merged: str = witness()

    def _at(self, setting: Setting, text: str, at: Mapping[str, Operation]) -> Operation:
        """Output or cost of a neuron."""
        tree = setting.read(text, self.names)
        if self.names[0] not in names_in(tree):
            raise RefusedError(f"{text} holds nothing of a neuron")
        return put(tree, at)

    def _neurons(self, setting: Setting, first: Assumption, second: Assumption) -> tuple[Setting, list[Operation]]:
        """The setting of two neurons whose output weights have these signs, and their c, p, w, one after the other."""
        c, p, w = self.names
        domains: dict[str, Assumption] = {c: first, p: "real", w: "positive"}
        domains |= {f"{c}_2": second, f"{p}_2": "real", f"{w}_2": "positive"}
        return setting.with_variables(domains), [Operation(name) for name in domains]

    def _pays(self, there: Setting, c: Operation, w: Operation) -> Operation:
        return self._at(there, self.cost, {self.names[0]: c, self.names[2]: w})

    def _says(self, there: Setting, c: Operation, p: Operation) -> Operation:
        return self._at(there, self.output, {self.names[0]: c, self.names[1]: p})

    def _may_be_merged(self, setting: Setting, steps: Steps) -> int:
        """Show that two neurons of a closed cell and one sign may be merged; the number of signs."""
        for side in SIDES:
            there, (c, p, w, c_2, p_2, w_2) = self._neurons(setting, side, side)
            alpha, beta = map(there.read, self.shares)
            weight = there.read(self.merged)
            for tree in (alpha, beta, weight):
                if stray := names_in(tree) & {n.head for n in (p, w, p_2, w_2)}:
                    raise RefusedError(f"a neuron is merged in the same way for all data, whatever {min(stray)} is")
                there.defined(tree, "a share or the merged weight")
            for tree in (alpha, beta):
                there.at_least_zero(tree, "a share is positive", strict=True)
            shown_in_domain(there, weight, side, "the merged weight")
            self._is_shared_in_halves(there, steps)
            level, most = (total([times(alpha, one), times(beta, two)]) for one, two in ((p, p_2), (w, w_2)))
            changed = minus(
                self._says(there, weight, level), total([self._says(there, c, p), self._says(there, c_2, p_2)])
            )
            for here in (there.assuming(p, p_2, strict=False), there.assuming(negated(p), negated(p_2), strict=False)):
                how = here.zero(changed, "the outputs of the merged neuron and of both")
            steps.add(f"two neurons with {side} weights in a closed cell and one along the sum", self.output, how)
            saved = minus(
                total([self._pays(there, c, w), self._pays(there, c_2, w_2)]), self._pays(there, weight, most)
            )
            how = there.zero(saved, "what the merged neuron costs if the weight is linear, and what both cost")
            steps.add("the same cost if the weight were linear between them", self.cost, how)
            rise = minus(self._pays(there, weight, total([w, w_2])), self._pays(there, weight, w))
            how = there.at_least_zero(rise, "the cost grows with the weight of the parameters", strict=True)
            steps.add("less, as the weight is strictly convex but for rays", self.cost, how)
        return len(SIDES)

    def _is_shared_in_halves(self, there: Setting, steps: Steps) -> None:
        """Show that half the output weight adds and costs half: the mean of two cheapest networks is cheapest."""
        c, p, w = map(Operation, self.names)
        half = Operation("/", (c, number(2)))
        for whole, part in (
            (self._says(there, c, p), self._says(there, half, p)),
            (self._pays(there, c, w), self._pays(there, half, w)),
        ):
            there.zero(minus(whole, times(number(2), part)), "a neuron and two with half its output weight")
        steps.add("half the output weight adds and costs half", f"{self.output}, {self.cost}", "both signs of p")

    def _costs_and_says_nothing(self, setting: Setting, steps: Steps) -> None:
        """Show that a neuron that is active at no datum has no output and costs something."""
        for side in SIDES:
            there, (c, p, w, *_) = self._neurons(setting, side, side)
            here = there.assuming(negated(p), strict=False)
            how = here.zero(self._says(here, c, p), "the output of a neuron that is not active")
            there.at_least_zero(self._pays(there, c, w), "the cost of a neuron", strict=True)
        steps.add("a neuron that is active at no datum is left out", self.output, how)


@dataclass(frozen=True, kw_only=True)
class MergedDirections(_MergedAtoms):
    """How many pairs of a closed cell and a sign may hold a direction of the cheapest networks: each holds one at most.

    cells  the number of cells, a variable of the theorem: one of them, that of (0, …, 0, −1), has no active datum
    """

    cells: str = defined()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        if setting.variables.get(self.cells) != "positive integer":
            raise RefusedError(f"{self.cells} is no positive integer of the theorem")
        signs = self._may_be_merged(setting, steps)
        self._costs_and_says_nothing(setting, steps)
        return times(number(signs), minus(Operation(self.cells), number(1)))

    @property
    def reads(self) -> str:
        return (
            f"number of pairs of one of {self.cells} closed cells and a sign of the output weight that may hold a "
            f"direction, at most one, of the networks with the least sum of {self.cost} whose neurons add "
            f"{self.output} at each datum"
        )


@dataclass(frozen=True, kw_only=True)
class DirectionsOfASign(_MergedAtoms):
    """The most directions in one closed cell, with output weights of one sign, of all cheapest networks together."""

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        self._may_be_merged(setting, steps)
        return number(1)

    @property
    def reads(self) -> str:
        return (
            f"most directions in a closed cell, with output weights of one sign, of all networks with the least sum of "
            f"{self.cost} whose neurons add {self.output} at each datum"
        )


@dataclass(frozen=True, kw_only=True)
class DirectionsInACell(_MergedAtoms):
    """The most directions that all cheapest networks together use in one closed cell, over all data of this number.

    No more than signs, as above. With one datum neurons of opposite signs are not both used: the weaker is left out and
    the other made shorter. With two or more both signs are attained by a network that is shown to be cheapest through
    two points and any further ones between them. (On a line; of more inputs the others only cost.)

    rest      with one datum: the factor of the neuron that is kept
    attained  with more: the network, with the weight `length` of its parameters
    """

    rest: str = witness(default="")
    attained: CheapestUnits | None = witness(default=None)
    length: str = witness(default="pair_norm(w, b)")

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        signs = self._may_be_merged(setting, steps)
        self._costs_and_says_nothing(setting, steps)
        if self.attained is None:
            self._one_sign_is_used(setting, steps)
            return number(1)
        self._is_attained(self.attained, setting, steps)
        return number(signs)

    def _one_sign_is_used(self, setting: Setting, steps: Steps) -> None:
        """Show that of two active neurons of opposite signs the weaker is left out, the other made shorter."""
        for side, other in (SIDES, SIDES[::-1]):
            there, (c, p, w, c_2, p_2, w_2) = self._neurons(setting, side, other)
            both = total([self._says(there, c, p), self._says(there, c_2, p_2)])
            stronger = both if side == "positive" else negated(both)
            here = there.assuming(p, p_2).assuming(stronger, strict=False)
            rest = here.read(self.rest)
            here.defined(rest, "what is kept of the stronger neuron")
            here.at_least_zero(rest, "what is kept of the stronger neuron")
            how = here.zero(minus(self._says(here, c, times(rest, p)), both), "the output at the datum")
            saved = minus(
                total([self._pays(here, c, w), self._pays(here, c_2, w_2)]), self._pays(here, c, times(rest, w))
            )
            here.at_least_zero(saved, "what is saved", strict=True)
            steps.add(f"the {side} one of two neurons, kept in part, costs less than both", self.rest, how)

    def _is_attained(self, found: CheapestUnits, setting: Setting, steps: Steps) -> None:
        """Show that the network is cheapest and has two directions, of opposite signs, in the cell of all its data."""
        found.establish(setting, steps)
        v, w, b, x = map(Operation, found.names)
        there = setting.with_variables(dict.fromkeys(found.names, "real"))
        level = total([times(w, x), b])
        length = there.read(self.length)
        there.zero(minus(self._says(there, v, level), there.read(found.unit)), "what a unit of the network adds")
        if not isinstance(found.cost, str) or found.margins or found.free or len(found.network) != 2:
            raise RefusedError("the network must have two units, labels, no free function, and a cost as a formula")
        there.zero(minus(self._pays(there, v, length), there.read(found.cost)), "what a unit of the network costs")
        if len(found.data) != 2 or not found.further:
            raise RefusedError("the network must go through two points and any further ones in a region")
        units = [{name: setting.read(text) for name, text in unit.items()} for unit in found.network]
        one, two = ([unit[name.head] for name in (v, w, b)] for unit in units)
        setting.at_least_zero(negated(times(one[0], two[0])), "the signs are opposite", strict=True)
        across = minus(times(one[1], two[2]), times(two[1], one[2]))
        setting.at_least_zero(times(across, across), "the directions are different", strict=True)
        for unit in units:
            for at, _ in found.data:
                here = put(level, {**unit, x.head: setting.read(at)})
                setting.at_least_zero(here, "a unit is active at a datum, or has it on its hinge")
            for region, _ in found.further:
                anywhere = setting.with_variables({x.head: "real"})
                anywhere = anywhere.assuming(*map(anywhere.read, region), strict=False)
                anywhere.at_least_zero(put(level, unit), "a unit is active at further data")
        steps.add("it has two directions of opposite signs in the closed cell of all data", found.reads, "by sign")

    @property
    def reads(self) -> str:
        many = "two or more data" if self.attained is not None else "one datum"
        return (
            f"most directions in a closed cell of all networks with the least sum of {self.cost} whose neurons add "
            f"{self.output} at each datum, for {many}"
        )
