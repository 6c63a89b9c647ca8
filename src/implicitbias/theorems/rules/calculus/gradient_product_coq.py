"""Products of gradients in Coq: variable by variable the two partial derivatives, and the sum of their products."""

from __future__ import annotations

from implicitbias.exact.formula import Operation
from implicitbias.formal.generator import Statement, in_cases
from implicitbias.formal.terms import Scope, named
from implicitbias.theorems.beside import resolved
from implicitbias.theorems.differentiate import derivative, tidied
from implicitbias.theorems.rules.calculus.gradient_product import GradientProduct
from implicitbias.theorems.setting import put


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
        proof=in_cases(lambda: _proof(quantity, scope)),
        unique="is_gradient_product_unique",
        defined=[
            *scope.definedness(*quantity.at.values()),
            *(f"(forall {binders} : R, {d})" for d in everywhere.definedness(quantity.of, quantity.along)),
        ],
    )


def _proof(quantity: GradientProduct, scope: Scope) -> str:
    """Variable by variable: both formulas are smooth around the point, and their derivatives there."""
    setting = scope.setting
    at = {name: setting.read(text) for name, text in quantity.at.items()}
    steps = []
    for name in quantity.variables:
        rest = {other: place for other, place in at.items() if other != name}
        trees = [put(setting.read(text, quantity.variables), rest) for text in (quantity.of, quantity.along)]
        partial = [_Partial(scope, tree, name, at[name]) for tree in trees]
        slopes = " ".join(f"({part.slope})" for part in partial)
        steps.append(f"apply (gradient_product_cons _ _ _ {slopes}); [{partial[0].tactic} | {partial[1].tactic} |].")
    return "\n  ".join([*steps, "apply gradient_product_nil. equal."])


class _Partial:
    """A partial derivative at the point. Raises NotShownError or RefusedError."""

    def __init__(self, scope: Scope, tree: Operation, name: str, at: Operation) -> None:
        found = resolved(scope.setting, tree, name, at, 1)
        inside = scope.within({name: "real"})
        variable = f"fun {named(name)} : R =>"
        signs = " :: ".join([*(f"({variable} {inside.term(sign)})" for sign in found.at_the_point), "@nil (R -> R)"])
        self.slope = scope.term(tidied(put(derivative(found.formula, name), {name: at})))
        self.tactic = f"partial ({signs}) ({variable} {inside.term(found.formula)})"
