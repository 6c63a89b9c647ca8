"""Minimum, maximum, infimum and supremum in Coq: by a point (or a path) and a gap."""

from __future__ import annotations

from dataclasses import replace

from implicitbias.exact.formula import Operation
from implicitbias.formal.generator import Statement, in_cases
from implicitbias.formal.terms import NotInCoqError, Scope, named
from implicitbias.formal.within import binding, product, within
from implicitbias.theorems.quantity import Quantity, Steps
from implicitbias.theorems.rules.extrema.extremum import PATH, Infimum, Maximum, Minimum, Supremum
from implicitbias.theorems.setting import NotShownError, RefusedError, number, put, total

Extremum = Minimum | Maximum | Infimum | Supremum

PREDICATES: dict[type[Quantity], str] = {Minimum: "is_min", Maximum: "is_max", Infimum: "is_inf", Supremum: "is_sup"}
BY_GAP: dict[type[Quantity], str] = {Minimum: "min_by_gap", Maximum: "max_by_gap"}
LOOKS: dict[type[Quantity], str] = {
    Minimum: "min_looks_within",
    Maximum: "max_looks_within",
    Infimum: "inf_looks_within",
}
BY_PATH: dict[type[Quantity], str] = {Infimum: "inf_by_gap_along", Supremum: "sup_by_gap_along"}


def statement(quantity: Extremum, scope: Scope, value: str) -> Statement:
    inside = scope.within(quantity.over)
    constraints = (f"{inside.term(text)} = 0" for text in quantity.subject_to.values())
    domain = " /\\ ".join([*inside.conditions(quantity.over), *constraints]) or "True"
    if not isinstance(quantity.objective, Quantity):
        objective = f"(fun {binding(quantity.over)} => {inside.term(quantity.objective)})"
        demands = inside.definedness(quantity.objective)
        binders = " ".join(map(named, quantity.over))
        defined = [f"(forall {binders} : R, {domain} -> {demand})" for demand in demands]
        return replace(_about(quantity, scope, domain, objective, value), defined=defined)
    if (looks := LOOKS.get(type(quantity))) is None:
        raise NotInCoqError("a supremum of another quantity has no Coq generator yet")
    return within(
        quantity.objective,
        inside,
        quantity.over,
        domain,
        None,
        {"": inside.setting},
        looks,
        lambda objective, v: _about(quantity, scope, domain, objective, v),
        value,
    )


def _about(quantity: Extremum, scope: Scope, domain: str, objective: str, value: str) -> Statement:
    inside = scope.within(quantity.over)
    predicate, holds = PREDICATES[type(quantity)], f"(fun {binding(quantity.over)} => {domain})"
    proof = in_cases(
        lambda: _by_gap(quantity, scope, inside) if quantity.ATTAINED else _by_path(quantity, scope, inside)
    )
    return Statement(
        f"{predicate} (A := {product(quantity.over)}) {holds} {objective} {value}", proof, f"{predicate}_unique"
    )


def _gap(quantity: Extremum, inside: Scope) -> str:
    total = " + ".join(inside.term(text) for text in quantity.gap) or "0"
    return f"(fun {binding(quantity.over)} => {total})"


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
        f"  - defined.\n  - equal.\n  - {enter}equal.\n  - {enter}first [nonneg | tangents; nonneg]."
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
        f"  - {enter}equal.\n  - {enter}first [nonneg | tangents; nonneg].\n"
        "  - defined.\n  - equal.\n  - continuous.\n  - equal."
    )


def _entering(quantity: Extremum, scope: Scope, inside: Scope) -> str:
    """Tactics that take a point of the domain apart and put in what the constraints give."""
    pattern, *rest = map(named, quantity.over)
    for name in rest:
        pattern = f"[{pattern} {name}]"
    _, solved = quantity.feasible(scope.setting, Steps())
    puts = [f"assert ({named(n)} = {inside.term(tree)}) by solved. subst {named(n)}." for n, tree in solved.items()]
    return " ".join([f"intros {pattern} inside; cbv beta iota in *; open.", *puts, ""])
