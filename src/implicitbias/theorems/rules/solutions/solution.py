"""The only solution of equations: put in, and nothing else solves them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from implicitbias.exact.formula import Assumption, Operation, written
from implicitbias.theorems.quantity import Quantity, Steps, bound, defined, witness
from implicitbias.theorems.setting import (
    NotShownError,
    RefusedError,
    Setting,
    in_domain,
    minus,
    negated,
    number,
    put,
    shown_in_domain,
    times,
    total,
)
from implicitbias.theorems.sign import Sign

AWAY = "away"
"""The distance of another candidate from the solution."""


@dataclass(frozen=True)
class Solution(Quantity):
    """`of` at the one point of the domain where all equations are 0.

    unknowns   the unknowns with their domains
    equations  formulas that must be 0
    of         what is wanted of the solution
    solution   each unknown, in the variables of the theorem and the unknowns after it

    That there is no other solution is shown for equations that are linear together by their determinant, for others
    one by one: the first equation is not 0 where the first unknown differs from what `solution` says, whatever the
    unknowns after it are; and so on. Equations beyond the number of unknowns only have to hold.
    """

    unknowns: Mapping[str, Assumption] = bound()
    equations: tuple[str, ...] = defined()
    of: str = defined()
    solution: Mapping[str, str] = witness()

    def establish(self, setting: Setting, steps: Steps) -> Operation:
        inner = setting.with_variables(self.unknowns)
        equations = [inner.read(text) for text in self.equations]
        for equation in equations:
            inner.defined(equation, "an equation")
        point = solved(setting, self.unknowns, self.solution)
        for text, equation in zip(self.equations, equations, strict=True):
            steps.add("the solution put in", f"{text} = 0", setting.zero(put(equation, point), "an equation"))
        if len(equations) < len(self.unknowns):
            raise RefusedError(f"{len(equations)} equations do not determine {len(self.unknowns)} unknowns")
        only(setting, equations[: len(self.unknowns)], self.unknowns, self.solution, steps)
        value = wanted_at(inner, self.of, point)
        setting.defined(value, "what is wanted of the solution")
        return value

    @property
    def reads(self) -> str:
        equations = ", ".join(f"{text} = 0" for text in self.equations)
        domains = ", ".join(f"{name} {domain}" for name, domain in self.unknowns.items())
        return f"{self.of} at the only solution of {equations} with {domains}"


def solved(setting: Setting, unknowns: Mapping[str, Assumption], solution: Mapping[str, str]) -> dict[str, Operation]:
    """The solution in the variables of the theorem, shown to lie in the domain of the unknowns."""
    point = in_variables(setting, unknowns, solution)
    for name, tree in point.items():
        setting.defined(tree, f"{name} at the solution")
        shown_in_domain(setting, tree, unknowns[name], f"{name} at the solution")
    return point


def in_variables(
    setting: Setting, unknowns: Mapping[str, Assumption], solution: Mapping[str, str]
) -> dict[str, Operation]:
    """The solution with the unknowns after each put in."""
    if solution.keys() != unknowns.keys():
        raise RefusedError(f"the solution must give {', '.join(sorted(unknowns))}")
    point: dict[str, Operation] = {}
    for name, later in reversed(list(_after(unknowns))):
        point[name] = put(setting.with_variables(later).read(solution[name]), point)
    return point


def wanted_at(inner: Setting, of: str, point: Mapping[str, Operation]) -> Operation:
    """What is wanted, at the solution. Raises RefusedError if it is the same for all values of the unknowns."""
    wanted = inner.read(of)
    value = put(wanted, point)
    try:
        inner.zero(minus(wanted, value), "independent of the unknowns")
    except (RefusedError, NotShownError):
        return value
    raise RefusedError(f"{of} does not depend on the unknowns: the equations say nothing of it")


def only(
    setting: Setting,
    equations: Sequence[Operation],
    unknowns: Mapping[str, Assumption],
    solution: Mapping[str, str],
    steps: Steps,
) -> None:
    """Show that as many equations as unknowns have no solution but this one. Raises NotShownError or RefusedError."""
    matrix = _coefficients(setting, equations, list(unknowns)) if len(equations) > 1 else None
    if matrix is not None:
        determinant = _determinant(matrix)
        if nonzero(setting, determinant):
            steps.add(
                "no other solution", "the equations are linear, their determinant is not 0", "sign by certificate"
            )
            return
    found: dict[str, Operation] = {}
    for (name, later), equation in zip(_after(unknowns), equations, strict=True):
        around = setting.with_variables(later)
        here = around.read(solution[name])
        around.defined(here, f"{name} in terms of the unknowns after it")
        apart(around, put(equation, found), name, here, unknowns[name])
        steps.add(f"no other {name}", f"{name} = {solution[name]}", "the equation is not 0 on either side of it")
        found = {known: put(tree, {name: here}) for known, tree in found.items()} | {name: here}


def apart(setting: Setting, equation: Operation, name: str, here: Operation, domain: Assumption) -> None:
    """Show that the equation is not 0 where the unknown lies in its domain but is not `here`.

    Raises RefusedError with another solution, or NotShownError.
    """
    beside = setting.with_variables({AWAY: "positive"})
    for sign in (1, -1):
        other = Operation("+", (here, times(number(sign), Operation(AWAY))))
        there = in_domain(beside, other, domain)
        if there.signs.contradictory:
            continue
        at_other = put(equation, {name: other})
        if not nonzero(there, at_other):
            there.refute(at_other, lambda found: found == 0, f"another solution: {name} = {written(other)}")
            raise NotShownError(f"another solution {name} = {written(other)} is not excluded")


def nonzero(setting: Setting, tree: Operation) -> bool:
    """Whether the formula is shown to be positive or negative, cell by cell."""
    return all(
        cell.signs.of(plain) in (Sign.POSITIVE, Sign.NEGATIVE) or cell.signs.contradictory
        for cell, plain in setting.cells(tree)
    )


def _after(unknowns: Mapping[str, Assumption]) -> list[tuple[str, dict[str, Assumption]]]:
    """Each unknown with those after it."""
    items = list(unknowns.items())
    return [(name, dict(items[index + 1 :])) for index, (name, _) in enumerate(items)]


def _coefficients(
    setting: Setting, equations: Sequence[Operation], names: Sequence[str]
) -> list[list[Operation]] | None:
    """The matrix of equations that are linear in the unknowns together; None if that is not shown."""
    inner = setting.with_variables(dict.fromkeys(names, "real"))
    rows = []
    for equation in equations:
        constant = put(equation, dict.fromkeys(names, number(0)))
        row = [minus(put(equation, {n: number(int(n == name)) for n in names}), constant) for name in names]
        line = total([constant, *(times(c, Operation(n)) for c, n in zip(row, names, strict=True))])
        try:
            inner.zero(minus(equation, line), "linear")
        except (NotShownError, RefusedError):
            return None
        rows.append(row)
    return rows


def _determinant(matrix: Sequence[Sequence[Operation]]) -> Operation:
    """By permutations: systems here are small."""
    size = range(len(matrix))
    terms = []
    for order in itertools.permutations(size):
        product = matrix[0][order[0]]
        for row in size[1:]:
            product = times(product, matrix[row][order[row]])
        swaps = sum(order[i] > order[j] for i in size for j in size[i + 1 :])
        terms.append(negated(product) if swaps % 2 else product)
    return total(terms)
