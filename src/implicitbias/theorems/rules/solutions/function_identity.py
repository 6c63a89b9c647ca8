"""The only coefficients with which two functions of x are equal everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, witness
from implicitbias.theorems.rules.solutions.solution import only, solved, wanted_at
from implicitbias.theorems.setting import RefusedError, Setting, minus, names_in, put

X = "x"
"""The variable of the functions."""


@dataclass(frozen=True)
class FunctionIdentity(Quantity):
    """`of` for the coefficients with left(x) = right(x) for every real x (or for all x between two places).

    left, right  the functions: formulas in x, the variables of the theorem and the unknowns
    unknowns     the coefficients with their domains
    of           what is wanted of the coefficients
    also         further equations, each with the unknown that it determines: formulas that must be 0
    between      the ends of the interval of x, in the variables of the theorem; none: all real numbers
    solution     each unknown, in the variables of the theorem and the unknowns after it
    at           what determines the other unknowns: a point x, where the functions agree, or two points, between which
                 they differ by the same; points may depend on the unknowns

    The identity is shown for the solution, on all cells of x. Whatever makes the functions equal also makes them equal
    at the points; these equations have no other solution (as for `Solution`, in the order of the unknowns). An unknown
    that neither `at` nor `also` determines is free: the others are what they are whatever it is, and `of` is without
    it.
    """

    left: str = defined()
    right: str = defined()
    unknowns: Mapping[str, Assumption] = bound()
    of: str = defined()
    solution: Mapping[str, str] = witness()
    at: Mapping[str, str | tuple[str, str]] = witness(default_factory=dict)
    also: Mapping[str, str] = defined(default_factory=dict)
    between: tuple[str, str] | tuple[()] = defined(default=())
    x: str = bound(default=X)

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        everything = setting.with_variables(self.unknowns)
        inside = [setting.read(text) for text in self.between]
        if inside:
            setting.at_least_zero(minus(inside[1], inside[0]), "the ends of the interval in order")
        functions = self._on(everything, inside)
        left, right = functions.read(self.left), functions.read(self.right)
        further = {name: everything.read(text) for name, text in self.also.items()}
        for tree in (left, right, *further.values()):
            functions.defined(tree, "a function or an equation")
        difference = minus(left, right)

        point = solved(setting, self.unknowns, self.solution)
        how = self._on(setting, inside).zero(put(difference, point), "the functions")
        steps.add(f"equal for {self._where}", f"{self.left} = {self.right}", how)
        for name, tree in further.items():
            steps.add("the solution put in", f"{self.also[name]} = 0", setting.zero(put(tree, point), "an equation"))

        equations = further | {name: self._at(everything, difference, at, inside) for name, at in self.at.items()}
        if stray := equations.keys() - self.unknowns.keys() | self.at.keys() & further.keys():
            raise RefusedError(f"one equation for each unknown: {min(stray)} has none or two")
        determined = {name: domain for name, domain in self.unknowns.items() if name in equations}
        free = {name: domain for name, domain in self.unknowns.items() if name not in equations}
        for text in (self.of, *(self.solution[name] for name in determined)):
            if held := names_in(everything.read(text)) & free.keys():
                raise RefusedError(f"nothing determines {min(held)}, which {text} holds")
        settled = solved(setting, determined, {name: self.solution[name] for name in determined})
        ordered = [equations[name] for name in determined]
        only(setting.with_variables(free), ordered, determined, self.solution, steps)
        value = wanted_at(setting.with_variables(determined), self.of, settled)
        setting.defined(value, "what is wanted of the coefficients")
        return value

    def _on(self, setting: Setting, inside: Sequence[Operation]) -> Setting:
        """With x in the interval."""
        there = setting.with_variables({self.x: "real"})
        if not inside:
            return there
        low, high = inside
        return there.assuming(minus(Operation(self.x), low), minus(high, Operation(self.x)), strict=False)

    def _at(
        self, everything: Setting, difference: Operation, at: str | tuple[str, str], inside: Sequence[Operation]
    ) -> Operation:
        """The equation that the functions satisfy at a point, or between two."""
        points = [everything.read(text) for text in ((at,) if isinstance(at, str) else at)]
        for tree in points:
            everything.defined(tree, "a point")
            for distance in (minus(tree, inside[0]), minus(inside[1], tree)) if inside else ():
                everything.at_least_zero(distance, "a point in the interval")
        values = [put(difference, {self.x: tree}) for tree in points]
        return values[0] if len(values) == 1 else minus(*values)

    @property
    def _where(self) -> str:
        return f"{self.x} from {' to '.join(self.between)}" if self.between else f"every {self.x}"

    @property
    def reads(self) -> str:
        also = "".join(f", {text} = 0" for text in self.also.values())
        domains = ", ".join(f"{name} {domain}" for name, domain in self.unknowns.items())
        return f"{self.of} where {self.left} = {self.right} for {self._where}{also}, with {domains}"
