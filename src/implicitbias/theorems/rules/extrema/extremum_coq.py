"""Minimum, maximum, infimum and supremum in Coq: by a point (or a path) and a gap."""

from __future__ import annotations

from collections.abc import Mapping

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import NotInCoqError, Scope, named
from implicitbias.theorems.quantity import Quantity, Steps
from implicitbias.theorems.rules.extrema.extremum import PATH, Infimum, Maximum, Minimum, Supremum
from implicitbias.theorems.setting import NotShownError, RefusedError, number, put, total

Extremum = Minimum | Maximum | Infimum | Supremum

PREDICATES: dict[type[Quantity], str] = {Minimum: "is_min", Maximum: "is_max", Infimum: "is_inf", Supremum: "is_sup"}
BY_GAP: dict[type[Quantity], str] = {Minimum: "min_by_gap", Maximum: "max_by_gap"}
BY_PATH: dict[type[Quantity], str] = {Infimum: "inf_by_gap_along", Supremum: "sup_by_gap_along"}


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


def _point(quantity: Extremum, scope: Scope) -> dict[str, Operation]:
    """Every coordinate of the point (or path); variables that a constraint gives are solved for."""
    along = scope if quantity.ATTAINED else scope.within({PATH: "positive"})
    at = {name: along.tree(text) for name, text in quantity.at.items()}
    _, solved = quantity.feasible(scope.setting, Steps())
    return {name: put(solved[name], at) if name in solved else at[name] for name in quantity.over}


def _tuple(terms: list[str]) -> str:
    return f"({', '.join(terms)})"


def _by_gap(quantity: Extremum, scope: Scope, inside: Scope) -> str:
    point = _tuple([scope.term(tree) for tree in _point(quantity, scope).values()])
    enter = _entering(quantity, scope, inside)
    return (
        f"apply ({BY_GAP[type(quantity)]} _ _ {_gap(quantity, inside)} {point}).\n"
        f"  - defined.\n  - equal.\n  - {enter}equal.\n  - {enter}nonneg."
    )


def _by_path(quantity: Extremum, scope: Scope, inside: Scope) -> str:
    """Along the path the values are value ± gap; the gap is continuous at 0, in normal form if not as it stands."""
    along = scope.within({PATH: "positive"})
    point = _point(quantity, scope)
    path = f"(fun {named(PATH)} : R => {_tuple([along.term(tree) for tree in point.values()])})"
    whole = total([along.setting.read(text, tuple(quantity.over)) for text in quantity.gap])
    remainder = put(whole, point)
    try:
        scope.setting.defined(put(remainder, {PATH: number(0)}), "the gap at the end of the path")
    except (NotShownError, RefusedError):
        remainder = along.setting.tidy(remainder)
    enter = _entering(quantity, scope, inside)
    return (
        f"apply ({BY_PATH[type(quantity)]} _ _ {_gap(quantity, inside)} {path}\n"
        f"    (fun {named(PATH)} : R => {along.term(remainder)})).\n"
        f"  - {enter}equal.\n  - {enter}nonneg.\n  - defined.\n  - equal.\n  - continuous.\n  - equal."
    )


def _entering(quantity: Extremum, scope: Scope, inside: Scope) -> str:
    """Tactics that take a point of the domain apart and put in what the constraints give."""
    pattern, *rest = map(named, quantity.over)
    for name in rest:
        pattern = f"[{pattern} {name}]"
    _, solved = quantity.feasible(scope.setting, Steps())
    puts = [f"assert ({named(n)} = {inside.term(tree)}) by solved. subst {named(n)}." for n, tree in solved.items()]
    return " ".join([f"intros {pattern} inside; cbv beta iota in *; open.", *puts, ""])
