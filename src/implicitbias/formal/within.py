"""A quantity in the place of a formula: what another is said of is the function that has its value at each point."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.formal.generator import Statement, statement
from implicitbias.formal.terms import Scope, named
from implicitbias.theorems.quantity import Quantity, Steps
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, put
from implicitbias.theorems.theorem import case_name

VALUE, FUNCTION = "value_", "function_"
"""The value of the quantity within, and the function that has these values."""


def binding(over: Mapping[str, Assumption]) -> str:
    """A pattern for the variables of a function: `(t : R)`, `'(v, w)`; nothing to bind is the one point of `unit`."""
    if not over:
        return "(_ : Datatypes.unit)"
    names = ", ".join(map(named, over))
    return f"'({names})" if len(over) > 1 else f"({names} : R)"


def product(over: Mapping[str, Assumption]) -> str:
    """The type of their values."""
    return " * ".join("R" for _ in over) or "Datatypes.unit"


def condition(over: Mapping[str, Assumption], domain: str) -> str:
    """A condition on such a point."""
    return f"(fun _ : {product(over)} => True)" if domain == "True" else f"(fun {binding(over)} => {domain})"


def entering(over: Mapping[str, Assumption]) -> str:
    """Tactics that introduce such a point, taken apart."""
    first, *rest = [*map(named, over)] or ["point"]
    for name in rest:
        first = f"[{first} {name}]"
    return f"intros {first}; cbv beta iota"


def within(
    quantity: Quantity,
    inside: Scope,
    over: Mapping[str, Assumption],
    domain: str,
    formula: Operation | None,
    cases: Mapping[str, Setting],
    looks: str,
    outer: Callable[[str, str], Statement],
    value: str,
    signs: Sequence[str] = (),
) -> Statement:
    """`outer` said of the function whose value at each point of the domain is the quantity's.

    formula  the quantity's value there; none: what its rule finds
    cases    settings that cover the domain, by the names that `divided` gives the signs of `signs`
    looks    the lemma that `outer` does not look beyond the domain
    outer    the statement about a function and a value
    """
    bound, there = binding(over), statement(quantity, inside, VALUE)
    for given in there.given:
        domain = given.proposition if domain == "True" else f"{domain} /\\ {given.proposition}"
    predicate = (
        f"is_within (A := {product(over)}) {condition(over, domain)} (fun {bound} {VALUE} => {there.proposition})\n"
        f"    (fun {FUNCTION} {VALUE} => {outer(FUNCTION, VALUE).proposition}) {value}"
    )
    try:
        tree = inside.setting.tidy(quantity.establish(inside.setting, Steps())) if formula is None else formula
        ways = _by_sign(quantity, inside, tree, cases, signs)
    except (NotShownError, RefusedError):
        return Statement(predicate, "idtac.", "is_within_unique", there.defined, _named(outer))
    function = f"(fun {bound} => {inside.term(tree)})"
    of_formula = outer(function, value)
    split = "".join(f" destruct (Rtotal_order {inside.term(text)} 0) as [? | [? | ?]];" for text in signs)
    proof = (
        f"apply (within_by_formula _ _ _ {function}).\n"
        f"  {{ {entering(over)}; intros ?; apart;{split} idtac.\n{ways} }}\n"
        f"  {{ {entering(over)}; intros first second; cbv beta iota; intros; {there.same()}. }}\n"
        f"  {{ intros ? same_ of_formula_; eapply {looks}; [| exact of_formula_]; exact same_. }}\n"
        f"  {{ {of_formula.proof} }}"
    )
    demands = _everywhere(over, inside, domain, there.defined)
    return Statement(
        predicate, proof, "is_within_unique", [*demands, *of_formula.defined], _named(outer), of_formula.given
    )


def _by_sign(
    quantity: Quantity, inside: Scope, tree: Operation, cases: Mapping[str, Setting], signs: Sequence[str]
) -> str:
    """Tactics for every combination of signs; what a name stands for in its case is put in first."""
    ways = []
    for chosen in itertools.product((-1, 0, 1), repeat=len(signs)):
        case = cases.get(case_name(zip(signs, chosen, strict=True)))
        if case is None:
            ways.append("exfalso; first [lra | contradicted].")
            continue
        scope = Scope(case)
        puts = "".join(
            f"assert ({named(n)} = {scope.term(by)}) by first [lra | nra]. subst {named(n)}. "
            for n, by in case.fixed.items()
            if n not in inside.setting.fixed
        )
        ways.append(puts + statement(quantity, scope, scope.term(put(tree, case.fixed))).proof)
    return "\n".join(f"    {{ {way} }}" for way in ways)


def _named(outer: Callable[[str, str], Statement]) -> Statement:
    return replace(outer(FUNCTION, VALUE), given=(), defined=())


def _everywhere(over: Mapping[str, Assumption], inside: Scope, domain: str, demands: Sequence[str]) -> list[str]:
    if not over:
        return list(demands)
    binders = " ".join(map(named, over))
    return [f"(forall {binders} : R, {domain} -> {demand})" for demand in demands]
