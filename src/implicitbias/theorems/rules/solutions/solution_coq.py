"""The only solution of equations in Coq: there is one, and whatever solves them gives the value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import Scope, named
from implicitbias.theorems.rules.solutions.solution import Solution, in_variables


def statement(quantity: Solution, scope: Scope, value: str) -> Statement:
    inside = scope.within(quantity.unknowns)
    point = in_variables(scope.setting, quantity.unknowns, quantity.solution)
    equations = [f"{inside.term(text)} = 0" for text in quantity.equations]
    names = [f"E{index}" for index in range(len(equations))]
    reached = [
        f"assert ({named(name)} = {inside.term(quantity.solution[name])}) by settle. subst {named(name)}."
        for name in quantity.unknowns
    ]
    return Statement(
        proposition=about(quantity.unknowns, inside, equations, inside.term(quantity.of), value),
        proof=exists_and_only(scope, quantity.unknowns, point, names, reached),
        unique="is_value_at_unique",
        defined=everywhere(quantity.unknowns, inside, inside.definedness(*quantity.equations)),
    )


def about(unknowns: Mapping[str, Assumption], inside: Scope, equations: Sequence[str], of: str, value: str) -> str:
    """What `of` is at every point of the domain where the equations hold, and that there is one."""
    pattern = ", ".join(map(named, unknowns))
    pattern = f"'({pattern})" if len(unknowns) > 1 else f"({pattern} : R)"
    domain = " /\\ ".join(inside.conditions(unknowns)) or "True"
    hold = " /\\ ".join(f"({equation})" for equation in equations)
    points = " * ".join("R" for _ in unknowns)
    parts = " ".join(f"(fun {pattern} => {part})" for part in (domain, hold, of))
    return f"is_value_at (A := {points}) {parts} {value}"


def exists_and_only(
    scope: Scope,
    unknowns: Mapping[str, Assumption],
    point: Mapping[str, Operation],
    names: Sequence[str],
    reached: Iterable[str],
) -> str:
    """The solution put in; then what holds of any solution, unknown by unknown."""
    at = ", ".join(scope.term(scope.setting.tidy(point[name])) for name in unknowns)
    first, *rest = map(named, unknowns)
    for name in rest:
        first = f"[{first} {name}]"
    equations = names[-1]
    for name in reversed(names[:-1]):
        equations = f"[{name} {equations}]"
    return (
        f"split.\n  - exists ({at}). solves.\n"
        f"  - intros {first} inside {equations}. cbv beta iota in *.\n    " + "\n    ".join([*reached, "solve_one."])
    )


def everywhere(unknowns: Mapping[str, Assumption], inside: Scope, demands: Iterable[str]) -> list[str]:
    """Propositions for all values of the unknowns."""
    binders = " ".join(map(named, unknowns))
    domain = "".join(f"{condition} -> " for condition in inside.conditions(unknowns))
    return [f"(forall {binders} : R, {domain}{demand})" for demand in demands]
