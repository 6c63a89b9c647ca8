"""The supremum of a linear functional and a norm over vector measures of bounded variation, for any norm.

    sup { ∫ q⟨g, dμ⟩ + p Ω(dμ) : ∫ Ω(dμ) <= t } = t max(0, p + |q| G),  G = sup_u Ω_*(g(u)),

over measures μ on a set U with values in R^k, for any k, any norm Ω and any measurable g for which G is finite. Of a
norm and its dual nothing is used but what defines Ω_*: |⟨g, v⟩| <= Ω_*(g) Ω(v) for every v, with equality for some
v ≠ 0 and for -v. Written dμ = v dτ with Ω(v) = 1, the integrand is at most p + |q| G, so that the integral is at most
t max(0, p + |q| G). It is 0 for μ = 0; an atom of mass t at u, along v or -v, has t (p + |q| Ω_*(g(u))), and
Ω_*(g(u)) comes as near to G as one likes.
"""

from __future__ import annotations

from dataclasses import dataclass

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.primitives import PRIMITIVES, read, unfolded
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined
from implicitbias.theorems.setting import RefusedError, Setting, minus, names_in, number, put, times, total

MASS, EARNED = "mass", "earned"
"""Ω(v) and ⟨g, v⟩ for the value v of a measure."""


@dataclass(frozen=True, kw_only=True)
class LargestOverMeasures(Quantity):
    """
    gain     what is integrated: a formula in `dot(g, v)` and `norm(v)`, for v the measure and any norm, linear in both
    budget   the largest ∫Ω(dμ), at least 0
    largest  the least upper bound of the dual norms Ω_*(g(u)), at least 0
    vectors  what the function and the measure are called in the gain

    >>> from implicitbias.exact.formula import written
    >>> quantity = LargestOverMeasures(gain="3*dot(g, v) - norm(v)", budget="2", largest="1")
    >>> setting = Setting({})
    >>> setting.zero(minus(quantity.establish(setting, Steps()), number(4)), "the supremum")
    'python-flint and sympy, 1 cell'
    """

    gain: str = defined()
    budget: str = defined()
    largest: str = defined()
    vectors: tuple[str, str] = bound(default=("g", "v"))

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        budget, largest = setting.read(self.budget), setting.read(self.largest)
        for tree, what in ((budget, "the budget"), (largest, "the largest dual norm")):
            setting.defined(tree, what)
            setting.at_least_zero(tree, what)
        gain = self._gain(setting)
        inner = setting.with_variables({MASS: "nonnegative", EARNED: "real"})
        inner.defined(gain, "the gain")
        at = ({MASS: number(int(one)), EARNED: number(int(not one))} for one in (True, False))
        p, q = (setting.tidy(put(gain, place)) for place in at)
        line = total([times(p, Operation(MASS)), times(q, Operation(EARNED))])
        how = inner.zero(minus(gain, line), "the gain is linear in the product and the norm")
        steps.add("the gain is linear", f"{self.gain} = {written(line)}", how)
        most = total([p, times(Operation("Abs", (q,)), largest)])
        steps.add("the most that a unit of variation gains", written(most), "the dual norm, attained on both sides")
        return times(budget, Operation("Max", (number(0), most)))

    def _gain(self, setting: Setting) -> Operation:
        """The gain in the norm of the measure and its product with the function."""
        if any(setting.vocabulary.get(name) != PRIMITIVES[name] for name in ("dot", "norm")):
            raise RefusedError("dot and norm are not those of vectors in this vocabulary")
        setting.with_variables(dict.fromkeys(self.vectors, "real"))  # raises ValueError where one is taken
        names = {**setting.variables, **setting.fixed, **dict.fromkeys(self.vectors, "vector")}
        tree = read(self.gain, names, setting.vocabulary).tree
        gain = self._met(tree)
        if held := names_in(gain) & set(self.vectors):
            g, v = self.vectors
            raise RefusedError(f"{min(held)} stands outside dot({g}, {v}) and norm({v})")
        if not names_in(gain) & {MASS, EARNED}:
            raise RefusedError(f"{self.gain} holds nothing of the measure")
        return put(unfolded(gain, setting.vocabulary), setting.fixed)

    def _met(self, tree: Operation) -> Operation:
        g, v = map(Operation, self.vectors)
        if tree.head == "dot" and tree.arguments in ((g, v), (v, g)):
            return Operation(EARNED)
        if tree.head == "norm" and tree.arguments == (v,):
            return Operation(MASS)
        return Operation(tree.head, tuple(map(self._met, tree.arguments)), tree.number)

    @property
    def reads(self) -> str:
        g, v = self.vectors
        return (
            f"supremum of ∫ {self.gain} over vector measures {v} with ∫ norm({v}) at most {self.budget}, for any norm, "
            f"{self.largest} the least upper bound of the dual norms of {g}"
        )
