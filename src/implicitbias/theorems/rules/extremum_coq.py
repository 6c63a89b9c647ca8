"""Minimum, maximum, infimum and supremum in Coq: by a point (or a path) and a gap."""

from __future__ import annotations

from collections.abc import Mapping

from implicitbias.exact.formula import Assumption
from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import NotInCoqError, Scope, named
from implicitbias.theorems.quantity import Quantity
from implicitbias.theorems.rules.extremum import PATH, Infimum, Maximum, Minimum, Supremum

Extremum = Minimum | Maximum | Infimum | Supremum

PREDICATES = {Minimum: "is_min", Maximum: "is_max", Infimum: "is_inf", Supremum: "is_sup"}
BY_GAP = {Minimum: "min_by_gap", Maximum: "max_by_gap"}
BY_PATH = {Infimum: "inf_by_gap_and_extension", Supremum: "sup_by_gap_and_extension"}


def statement(quantity: Extremum, scope: Scope, value: str) -> Statement:
    if isinstance(quantity.objective, Quantity):
        raise NotInCoqError("an extremum of another quantity has no Coq generator yet")
    inside = scope.within(quantity.over)
    domain = " /\\ ".join(
        [*inside.conditions(quantity.over), *(f"{inside.term(t)} = 0" for t in quantity.subject_to.values())]
    )
    point = _pattern(quantity.over)
    holds = f"(fun {point} => {domain or 'True'})"
    objective = f"(fun {point} => {inside.term(quantity.objective)})"
    predicate = PREDICATES[type(quantity)]
    proposition = f"{predicate} (A := {' * '.join('R' for _ in quantity.over)}) {holds} {objective} {value}"
    demands = inside.definedness(quantity.objective)
    defined = [f"(forall {' '.join(map(named, quantity.over))} : R, {domain or 'True'} -> {d})" for d in demands]
    proof = _by_gap(quantity, scope, inside) if quantity.ATTAINED else _by_path(quantity, scope, inside)
    return Statement(proposition, proof, f"{predicate}_unique", defined)


def _pattern(over: Mapping[str, Assumption]) -> str:
    names = ", ".join(map(named, over))
    return f"'({names})" if len(over) > 1 else f"({names} : R)"


def _gap(quantity: Extremum, inside: Scope) -> str:
    total = " + ".join(inside.term(text) for text in quantity.gap) or "0"
    return f"(fun {_pattern(quantity.over)} => {total})"


def _point(quantity: Extremum, scope: Scope) -> str:
    """The point as a tuple; variables that a constraint gives are solved for by `eliminated`."""
    coordinates = [scope.term(text) for text in _coordinates(quantity, scope)]
    return f"({', '.join(coordinates)})"


def _coordinates(quantity: Extremum, scope: Scope) -> list[str]:
    from implicitbias.exact.formula import written
    from implicitbias.theorems.quantity import Steps
    from implicitbias.theorems.setting import Setting, put

    setting = Setting(scope.variables)
    at = {name: scope.tree(text) for name, text in quantity.at.items()}
    if not quantity.subject_to:
        return [written(at[name]) for name in quantity.over]
    free = {n: d for n, d in scope.variables.items() if n != PATH}
    _, solved = quantity.feasible(Setting(free), Steps())
    del setting
    return [written(put(solved.get(name, at.get(name)), at)) for name in quantity.over]  # type: ignore[arg-type]


def _by_gap(quantity: Extremum, scope: Scope, inside: Scope) -> str:
    return (
        f"apply ({BY_GAP[type(quantity)]} _ _ {_gap(quantity, inside)} {_point(quantity, scope)}).\n"  # type: ignore[index]
        "  - defined.\n  - equal.\n  - constrained. equal.\n  - constrained. nonneg."
    )


def _by_path(quantity: Extremum, scope: Scope, inside: Scope) -> str:
    along = scope.within({PATH: "positive"})
    path = f"(fun {named(PATH)} : R => {_point(quantity, along)})"
    return (
        f"apply ({BY_PATH[type(quantity)]} _ _ {_gap(quantity, inside)} {path} "  # type: ignore[index]
        "(fun _ => 0)).\n  - constrained. equal.\n  - constrained. nonneg.\n  - defined."
    )
