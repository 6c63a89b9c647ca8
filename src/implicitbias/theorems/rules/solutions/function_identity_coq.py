"""The only coefficients of a function identity in Coq: equal for all x, and determined at points."""

from __future__ import annotations

from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import Scope, named
from implicitbias.theorems.rules.solutions.function_identity import FunctionIdentity
from implicitbias.theorems.rules.solutions.solution import in_variables
from implicitbias.theorems.rules.solutions.solution_coq import about, everywhere, exists_and_only


def statement(quantity: FunctionIdentity, scope: Scope, value: str) -> Statement:
    inside = scope.within(quantity.unknowns)
    x = named(quantity.x)
    functions = inside.within({quantity.x: "real"})
    ends = [inside.term(text) for text in quantity.between]
    interval = f"{ends[0]} <= {x} -> {x} <= {ends[1]} -> " if ends else ""
    same = f"forall {x} : R, {interval}{functions.term(quantity.left)} = {functions.term(quantity.right)}"
    also = [f"{inside.term(text)} = 0" for text in quantity.also.values()]
    names = ["same", *(f"also_{index}" for index in range(len(also)))]
    demands = [f"(forall {x} : R, {interval}{d})" for d in functions.definedness(quantity.left, quantity.right)]
    return Statement(
        proposition=about(quantity.unknowns, inside, [same, *also], inside.term(quantity.of), value),
        proof=exists_and_only(
            scope,
            quantity.unknowns,
            in_variables(scope.setting, quantity.unknowns, quantity.solution),
            names,
            _reached(quantity, inside),
        ),
        unique="is_value_at_unique",
        defined=everywhere(quantity.unknowns, inside, [*demands, *inside.definedness(*quantity.also.values())]),
    )


def _reached(quantity: FunctionIdentity, inside: Scope) -> list[str]:
    """What determines each unknown, then the unknown in terms of those after it."""
    tactics = []
    for index, name in enumerate(name for name in quantity.unknowns if name in {**quantity.at, **quantity.also}):
        at = quantity.at.get(name, ())
        points = [at] if isinstance(at, str) else list(at)
        within = " ltac:(nonneg) ltac:(nonneg)" if quantity.between else ""
        tactics += [
            f"pose proof (same {inside.term(point)}{within}) as E{index}_{i}." for i, point in enumerate(points)
        ]
        solution = inside.term(quantity.solution[name])
        tactics.append(f"assert ({named(name)} = {solution}) by (clear same; settle). subst {named(name)}.")
        if points:
            tactics.append(f"clear {' '.join(f'E{index}_{i}' for i in range(len(points)))}.")
    return tactics
