"""How many weights other than 0 the cheapest solutions of linear equations have, whatever the equations are.

    min Σⱼ cost(αⱼ)  subject to  Σⱼ αⱼ vⱼ = y,    finitely many vectors vⱼ of R^N, N >= 1

Of more than N weights other than 0 the vectors are dependent, Σⱼ bⱼ vⱼ = 0, and α + tb solves the equations for every
t. As long as no weight passes 0 the cost of α + tb is concave in t where that of a weight is, on either side of 0. On a
bounded interval a concave function is least at an end, and one that is bounded below falls towards the end of a
half-line; at an end a weight is 0, and costs no more than on the way there. So there is a solution with fewer weights
that is no dearer, and a cheaper one where the cost of a weight is strictly concave.
"""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.exact.formula import Operation
from implicitbias.theorems.differentiate import derivative
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, witness
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus, names_in, number, put, times
from implicitbias.theorems.sign import Sign


@dataclass(frozen=True, kw_only=True)
class _SparseWeights(Quantity):
    """
    cost       what a weight costs
    weight     the variable that is a weight
    equations  the number N of linear equations: a variable of the theorem, a positive integer
    """

    cost: str = defined()
    weight: str = bound()
    equations: str = defined()

    def _cost(self, setting: Setting) -> Operation:
        cost = setting.read(self.cost, (self.weight,))
        if self.weight not in names_in(cost):
            raise RefusedError(f"the cost {self.cost} holds nothing of a weight")
        return cost

    def _falls_to_an_end(self, setting: Setting, steps: Steps, *, strict: bool) -> None:
        """Show that the cost is 0 at 0, nowhere less, and concave on either side, strictly if asked."""
        cost = self._cost(setting)
        nothing = setting.zero(put(cost, {self.weight: number(0)}), "what the weight 0 costs")
        steps.add("the weight 0 costs nothing", self.cost, nothing)
        for side in ("positive", "negative"):
            there = setting.with_variables({self.weight: side})
            there.defined(cost, "the cost of a weight")
            how = there.at_least_zero(cost, f"the cost of a {side} weight")
            steps.add(f"a {side} weight costs at least 0", self.cost, how)
            (cell, plain), *more = there.cells(cost)
            if more:
                raise NotShownError(f"the cost of a {side} weight has pieces: it is not shown to be concave")
            curvature = derivative(derivative(plain, self.weight), self.weight)
            cell.defined(curvature, "the curvature of the cost")
            bend = cell.sign(curvature)
            if not (bend is Sign.NEGATIVE or (not strict and bend is not None and bend.mirrored.at_least_zero)):
                cell.refute(curvature, lambda sign: sign > 0 or (strict and sign == 0), "the cost is not concave")
                raise NotShownError(f"the cost of a {side} weight is not shown to be concave")
            says = f"the cost of a {side} weight is {'strictly ' * strict}concave"
            steps.add(says, self.cost, "the sign of its second derivative, by certificate")


@dataclass(frozen=True, kw_only=True)
class SparsestMinimiser(_SparseWeights):
    """The most weights other than 0 that a cheapest solution with the fewest of them has, over all equations.

    No more than N, as above; exactly N where each vector is along an axis of its own and no entry of y is 0.
    """

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        most = _whole(setting, self.equations)
        self._falls_to_an_end(setting, steps, strict=False)
        steps.add(f"more than {self.equations} weights can be made fewer at no cost", self.cost, "dependent vectors")
        steps.add(f"{self.equations} are needed", f"{self.equations} vectors along the axes", "the equations fix them")
        return most

    @property
    def reads(self) -> str:
        return (
            f"most weights other than 0 of the sparsest {self.weight} with the least sum of {self.cost}, over all "
            f"systems of {self.equations} linear equations"
        )


@dataclass(frozen=True, kw_only=True)
class AlwaysImprovable(_SparseWeights):
    """1 if every solution with so many weights other than 0 has a cheaper one beside it, over all equations; 0 if not.

    active      the number of weights other than 0: a variable of the theorem, a positive integer
    at          where there are more of them than equations and still none is cheaper: their common value, for equal
                vectors
    multiplier  and what the sum of the weights earns there
    """

    active: str = defined()
    at: str = witness(default="")
    multiplier: str = witness(default="")

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        spare = minus(_whole(setting, self.active), _whole(setting, self.equations))
        sign = setting.sign(spare)
        if sign is not None and sign.mirrored.at_least_zero:
            says = f"{self.active} <= {self.equations} vectors may be independent"
            steps.add(says, f"{self.active} of the axes", "the equations fix the weights")
            return number(0)
        if sign is not Sign.POSITIVE:
            raise NotShownError(f"whether {self.active} > {self.equations} is not shown: split")
        if not self.at:
            self._falls_to_an_end(setting, steps, strict=True)
            steps.add(f"more than {self.equations} weights have a cheaper solution", self.cost, "dependent vectors")
            return number(1)
        self._none_is_cheaper(setting, steps)
        return number(0)

    def _none_is_cheaper(self, setting: Setting, steps: Steps) -> None:
        """Show that equal weights over equal vectors cost least: cost(e) >= cost(p) + λ(e − p) for every weight e."""
        at, price = setting.read(self.at), setting.read(self.multiplier)
        for tree in (at, price):
            setting.defined(tree, "the common weight or its multiplier")
        setting.defined(Operation("/", (number(1), at)), "the common weight is not 0")
        cost, e = self._cost(setting), Operation(self.weight)
        there = setting.with_variables({self.weight: "real"})
        there.defined(cost, "the cost of a weight")
        gap = minus(minus(cost, put(cost, {self.weight: at})), times(price, minus(e, at)))
        how = there.at_least_zero(gap, "what a weight costs beyond its share")
        steps.add(f"{self.active} equal weights over equal vectors cost least", f"{self.weight} = {self.at}", how)

    @property
    def reads(self) -> str:
        return (
            f"1 if all solutions of {self.equations} linear equations with {self.active} weights {self.weight} other "
            f"than 0 have one with a lower sum of {self.cost} beside them, 0 if not"
        )


def _whole(setting: Setting, name: str) -> Operation:
    """A number of equations or weights, by name: nobody types a formula for it."""
    if setting.variables.get(name) != "positive integer":
        raise RefusedError(f"{name} is no positive integer of the theorem")
    return Operation(name)
