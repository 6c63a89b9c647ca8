"""Derivatives at a point in Coq: the formula is smooth beside the point, where the signs of continuous functions last."""

from __future__ import annotations

from collections.abc import Sequence

from implicitbias.exact.formula import Operation
from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import NotInCoqError, Scope, named
from implicitbias.theorems.beside import resolved
from implicitbias.theorems.differentiate import derivative, tidied
from implicitbias.theorems.quantity import Quantity
from implicitbias.theorems.rules.derivative import Derivative
from implicitbias.theorems.setting import put

UNIQUE = {"both": "derivative_unique", "left": "is_left_derivative_unique", "right": "is_right_derivative_unique"}
PREDICATES = {"both": "is_derive", "left": "is_left_derivative", "right": "is_right_derivative"}
BESIDE = {-1: "left_derivative_beside", 1: "right_derivative_beside"}


def statement(quantity: Derivative, scope: Scope, value: str) -> Statement:
    if isinstance(quantity.of, Quantity):
        raise NotInCoqError("a derivative of another quantity has no Coq generator yet")
    inside = scope.within({quantity.variable: "real"})
    at = scope.tree(quantity.at)
    name, point = named(quantity.variable), scope.term(at)
    function = f"(fun {name} : R => {inside.term(quantity.of)})"
    defined = scope.definedness(at, put(inside.tree(quantity.of), {quantity.variable: at}))
    if quantity.side in PREDICATES:
        proposition = f"{PREDICATES[quantity.side]} {function} {point} {value}"
        side = -1 if quantity.side == "left" else 1
        lemma = "derivative_beside" if quantity.side == "both" else BESIDE[side]
        proof = _beside(quantity, scope, side, lemma, slope=None)
        return Statement(proposition, proof, UNIQUE[quantity.side], defined)
    share = "1" if quantity.share is None else scope.term(quantity.share)
    rest = "(-1)" if quantity.share is None else f"(1 - {share})"
    left, right = (_slope(quantity, scope, side) for side in (-1, 1))
    proof = (
        f"apply (combined_beside {share} {rest} _ _ {left} {right}).\n"
        f"  - {_beside(quantity, scope, -1, BESIDE[-1], left)}\n"
        f"  - {_beside(quantity, scope, 1, BESIDE[1], right)}\n"
        "  - equal."
    )
    return Statement(
        f"is_combined {share} {rest} {function} {point} {value}", proof, "(is_combined_unique _ _)", defined
    )


def _parts(quantity: Derivative, scope: Scope, side: int) -> tuple[Operation, tuple[Operation, ...]]:
    """The smooth formula beside the point, and what is positive there."""
    at = scope.setting.read(quantity.at)
    tree = scope.setting.read(str(quantity.of), (quantity.variable,))
    return resolved(scope.setting, tree, quantity.variable, at, side)


def _slope(quantity: Derivative, scope: Scope, side: int) -> str:
    smooth, _ = _parts(quantity, scope, side)
    at = {quantity.variable: scope.setting.read(quantity.at)}
    return scope.term(tidied(put(derivative(smooth, quantity.variable), at)))


def _beside(quantity: Derivative, scope: Scope, side: int, lemma: str, slope: str | None) -> str:
    """Tactics: the signs are continuous and positive, the two formulas agree, and the smooth one is differentiated."""
    smooth, positive = _parts(quantity, scope, side)
    if lemma == "derivative_beside" and not positive:
        return "derivative."
    inside = scope.within({quantity.variable: "real"})
    name = named(quantity.variable)
    signs = _list([f"(fun {name} : R => {inside.term(tree)})" for tree in positive])
    goals = ["cbn; repeat split; try continuous.", "cbn; repeat split; try pos.", "cbn; intros; open; equal."]
    if lemma != "derivative_beside":
        goals.append("equal.")
    goals.append("derivative.")
    inner = " ".join(f"{{ {goal} }}" for goal in goals)
    return f"apply ({lemma} {signs} _ (fun {name} : R => {inside.term(smooth)})). {inner}"


def _list(terms: Sequence[str]) -> str:
    return f"({' :: '.join([*terms, 'nil'])})"
