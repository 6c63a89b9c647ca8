"""Minimum, maximum, infimum and supremum over finitely many variables: a point (or a path) and a gap.

    objective(x) − value = gap₁(x) + … + gapₖ(x), each gap >= 0 on the whole domain,

and the gaps vanish at a point of the domain (attained), or tend to 0 along a path in it (approached). The value is the
objective at the point, or what the identity leaves. Constraints are solved for a variable in which they are linear, so
that the feasible set is covered by construction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption, Operation, written
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, reading, value_of, witness
from implicitbias.theorems.setting import (
    NotShownError,
    RefusedError,
    Setting,
    in_domain,
    minus,
    names_in,
    negated,
    number,
    put,
    shown_in_domain,
    times,
    total,
)
from implicitbias.theorems.sign import Sign

PATH = "e"
"""The parameter of a path: it tends to 0 from above."""


@dataclass(frozen=True)
class _Extremum(Quantity):
    """
    objective   what is minimised or maximised: a formula, or a quantity whose parameters are the variables
    over        the variables with their domains
    subject_to  a formula that must be 0 for each variable that it is solved for; it must be linear in it
    at          the point, in the variables of the theorem (or the path, in these and `e`)
    gap         formulas >= 0 that add up to |objective − value|
    """

    objective: str | Quantity = defined()
    over: Mapping[str, Assumption] = bound()
    at: Mapping[str, str] = witness()
    gap: tuple[str, ...] = witness(default=())
    subject_to: Mapping[str, str] = defined(default_factory=dict)

    NAME = ""
    SIGN = 1
    ATTAINED = True

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        inner, solved = self.feasible(setting, steps)
        everything = setting.with_variables(self.over)
        objective = put(value_of(self.objective, everything, steps), solved)
        inner.defined(objective, "the objective")
        parts = [put(everything.read(text), solved) for text in self.gap]
        for text, part in zip(self.gap, parts, strict=True):
            inner.defined(part, "a part of the gap")
            steps.add("a part of the gap is at least 0", text, inner.at_least_zero(part, "a part of the gap"))
        gap = times(number(self.SIGN), total(parts))
        place, at = self._place(setting, inner)
        value = put(objective, at) if self.ATTAINED else self._left_over(inner, place, objective, gap, at)
        how = inner.zero(minus(minus(objective, value), gap), "the gap")
        steps.add("the objective differs from the value by the gap", self._gap_reads(), how)
        where = ", ".join(f"{name} = {text}" for name, text in self.at.items())
        if self.ATTAINED:
            steps.add("attained", where, "the point lies in the domain")
        else:
            self._tends_to_zero(place, put(gap, at))
            steps.add("approached along the path", where, "continuity")
        return value

    def _left_over(
        self, inner: Setting, place: Setting, objective: Operation, gap: Operation, at: Mapping[str, Operation]
    ) -> Operation:
        """What the gap leaves of the objective: a formula without the variables that are minimised over."""
        left = inner.tidy(minus(objective, gap))
        if not names_in(left) & inner.variables.keys() - place.variables.keys():
            return left
        return put(put(minus(objective, gap), at), {PATH: number(1)})  # as at any other point

    def feasible(self, setting: Setting, steps: Steps) -> tuple[Setting, dict[str, Operation]]:
        """The setting of the variables that stay free, and the others in terms of them."""
        if stray := self.subject_to.keys() - self.over.keys():
            raise RefusedError(f"the constraint is solved for {min(stray)}, which is not minimised over")
        free = {name: domain for name, domain in self.over.items() if name not in self.subject_to}
        inner = setting.with_variables(free)
        solved: dict[str, Operation] = {}
        for name, text in self.subject_to.items():
            constraint = put(setting.with_variables(self.over).read(text), solved)
            here = inner.with_variables({n: "real" for n in self.subject_to if n not in solved})
            here.defined(constraint, f"the constraint for {name}")
            constant = put(constraint, {name: number(0)})
            slope = minus(put(constraint, {name: number(1)}), constant)
            line = minus(constraint, Operation("+", (times(slope, Operation(name)), constant)))
            here.zero(line, f"the constraint is linear in {name}")
            if waiting := names_in(constraint) & (self.subject_to.keys() - solved.keys() - {name}):
                raise RefusedError(f"the constraint for {name} holds {min(waiting)}: give the one for it first")
            inner.defined(Operation("/", (number(1), slope)), f"the constraint can be solved for {name}")
            solved[name] = here.tidy(Operation("/", (negated(constant), slope)))
            inner = in_domain(inner, solved[name], self.over[name])
            steps.add(f"the constraint, solved for {name}", f"{name} = {written(solved[name])}", "linear")
        return inner, solved

    def _place(self, setting: Setting, inner: Setting) -> tuple[Setting, dict[str, Operation]]:
        """Where the point or path is, shown to lie in the domain."""
        free = inner.variables.keys() - setting.variables.keys()
        if self.at.keys() != free:
            raise RefusedError(
                f"the point gives {', '.join(self.at) or 'nothing'}; it must give {', '.join(sorted(free))}"
            )
        here = setting if self.ATTAINED else setting.with_variables({PATH: "positive"})
        at = {name: here.read(text) for name, text in self.at.items()}
        for name, tree in at.items():
            here.defined(tree, f"{name} at the point")
            shown_in_domain(here, tree, inner.variables[name], f"{name} at the point")
        for hypothesis in inner.hypotheses[len(setting.hypotheses) :]:
            here.at_least_zero(put(hypothesis.tree, at), "a solved variable is in its domain", strict=hypothesis.strict)
        return here, at

    def _tends_to_zero(self, here: Setting, gap: Operation) -> None:
        """The gap along the path is continuous at e = 0 and 0 there, once common factors are cancelled."""
        from implicitbias.theorems.normal_form import NotReducedError

        for cell, plain in here.cells(gap):
            try:
                ratio = cell.signs.field.of(plain)
                at_zero = cell.signs.field.at_zero(ratio, PATH)
            except NotReducedError as error:
                raise NotShownError(f"the gap along the path: {error}") from None
            if cell.signs.of_polynomial(at_zero.denominator) not in (Sign.POSITIVE, Sign.NEGATIVE):
                raise NotShownError("the gap along the path is not shown to be continuous at its end")
            if not cell.signs.field.vanishes(at_zero):
                raise RefusedError("the gap along the path does not tend to 0")

    def _gap_reads(self) -> str:
        sign = "objective - value" if self.SIGN > 0 else "value - objective"
        return f"{sign} = {' + '.join(self.gap) or '0'}"

    @property
    def reads(self) -> str:
        domain = ", ".join(f"{name} {domain}" for name, domain in self.over.items())
        constraints = "".join(f", {text} = 0" for text in self.subject_to.values())
        return f"{self.NAME} of {reading(self.objective)} over {domain}{constraints}"


@dataclass(frozen=True)
class Minimum(_Extremum):
    NAME = "minimum"


@dataclass(frozen=True)
class Maximum(_Extremum):
    NAME = "maximum"
    SIGN = -1


@dataclass(frozen=True)
class Infimum(_Extremum):
    NAME = "infimum"
    ATTAINED = False


@dataclass(frozen=True)
class Supremum(_Extremum):
    NAME = "supremum"
    SIGN = -1
    ATTAINED = False
