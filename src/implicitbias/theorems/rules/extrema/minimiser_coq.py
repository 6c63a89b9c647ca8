"""The unique minimiser in Coq."""

from __future__ import annotations

from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import Scope, named
from implicitbias.theorems.rules.extrema.minimiser import Minimiser


def statement(quantity: Minimiser, scope: Scope, value: str) -> Statement:
    inside = scope.within(quantity.over)
    ((variable, text),) = quantity.at.items()
    name = named(variable)
    domain = " /\\ ".join(inside.conditions(quantity.over)) or "True"
    point = scope.term(text)
    gap = " + ".join(inside.term(part) for part in quantity.gap)
    holds, objective = f"(fun {name} : R => {domain})", f"(fun {name} : R => {inside.term(quantity.objective)})"
    demands = inside.definedness(quantity.objective, quantity.of)
    return Statement(
        proposition=f"minimiser_has {holds} {objective} (fun {name} : R => {inside.term(quantity.of)}) {value}",
        proof=(
            f"apply (minimiser_by_gap _ _ (fun {name} : R => {gap}) _ {point}).\n"
            "  - defined.\n  - equal.\n  - nonneg.\n  - nonneg.\n  - equal."
        ),
        unique="minimiser_has_unique",
        defined=[f"(forall {name} : R, {domain} -> {demand})" for demand in demands],
    )
