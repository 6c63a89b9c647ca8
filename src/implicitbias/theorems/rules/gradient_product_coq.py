"""Products of gradients in Coq: variable by variable the two partial derivatives, and the sum of their products."""

from __future__ import annotations

from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import Scope, named
from implicitbias.theorems.rules.derivative_coq import Around
from implicitbias.theorems.rules.gradient_product import GradientProduct
from implicitbias.theorems.setting import NotShownError, put


def statement(quantity: GradientProduct, scope: Scope, value: str) -> Statement:
    everywhere = scope.within(dict.fromkeys(quantity.variables, "real"))
    binders = " ".join(map(named, quantity.variables))
    at = {name: scope.tree(text) for name, text in quantity.at.items()}
    entries = []
    for name in quantity.variables:
        inside = scope.within({name: "real"})
        rest = {other: place for other, place in at.items() if other != name}
        of, along = (
            f"(fun {named(name)} : R => {inside.term(put(everywhere.tree(text), rest))})"
            for text in (quantity.of, quantity.along)
        )
        entries.append(f"({of}, {along}, {scope.term(at[name])})")
    return Statement(
        proposition=f"is_gradient_product ({' :: '.join(entries)} :: nil) {value}",
        proof=_proof(quantity, scope),
        unique="is_gradient_product_unique",
        defined=[
            *scope.definedness(*quantity.at.values()),
            *(f"(forall {binders} : R, {d})" for d in everywhere.definedness(quantity.of, quantity.along)),
        ],
    )


def _proof(quantity: GradientProduct, scope: Scope) -> str:
    setting = scope.setting
    at = {name: setting.read(text) for name, text in quantity.at.items()}
    pairs = []
    for name in quantity.variables:
        rest = {other: place for other, place in at.items() if other != name}
        trees = [put(setting.read(text, quantity.variables), rest) for text in (quantity.of, quantity.along)]
        try:
            pairs.append([Around(scope, tree, name, at[name], 1) for tree in trees])
        except NotShownError:  # the whole of a theorem with cases: its cases are proved
            return "idtac."
    proof, total = "reflexivity", "0"
    for of, along in reversed(pairs):
        rest_of_it, slopes = total, (of.slope(), along.slope())
        total = f"({slopes[0]} * {slopes[1]} + {total})"
        proof = (
            f"exists {slopes[0]}; exists {slopes[1]}; exists {rest_of_it}; "
            f"split; [{of.tactic(0)} | split; [{along.tactic(0)} | split; [{proof} | equal]]]"
        )
    return f"{proof}."
