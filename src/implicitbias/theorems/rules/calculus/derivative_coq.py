"""Derivatives at a point in Coq: the formula is smooth beside the point, as long as the signs that decide it last."""

from __future__ import annotations

from collections.abc import Sequence

from implicitbias.exact.formula import Operation
from implicitbias.formal.generator import Statement, in_cases
from implicitbias.formal.terms import NotInCoqError, Scope, named
from implicitbias.theorems.beside import Resolved, resolved
from implicitbias.theorems.differentiate import derivative, tidied
from implicitbias.theorems.quantity import Quantity
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.setting import minus, put, times

UNIQUE = {"both": "derivative_unique", "left": "is_left_derivative_unique", "right": "is_right_derivative_unique"}
PREDICATES = {"both": "is_derive", "left": "is_left_derivative", "right": "is_right_derivative"}
NEAR = "near_"
"""A point near the one where the derivative is taken."""

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
        proof = in_cases(lambda: _known(scope) + _beside(quantity, scope, side, lemma))
        return Statement(proposition, proof, UNIQUE[quantity.side], defined)
    share = "1" if quantity.share is None else scope.term(quantity.share)
    rest = "(-1)" if quantity.share is None else f"(1 - {share})"
    proposition = f"is_combined {share} {rest} {function} {point} {value}"
    proof = in_cases(lambda: _combined(quantity, scope, share, rest))
    return Statement(proposition, proof, "(is_combined_unique _ _)", defined)


def _combined(quantity: Derivative, scope: Scope, share: str, rest: str) -> str:
    left, right = (_slope(quantity, scope, side) for side in (-1, 1))
    return (
        f"{_known(scope)}apply (combined_beside {share} {rest} _ _ {left} {right}).\n"
        f"  - {_beside(quantity, scope, -1, BESIDE[-1])}\n"
        f"  - {_beside(quantity, scope, 1, BESIDE[1])}\n"
        "  - equal."
    )


def _known(scope: Scope) -> str:
    """Whole numbers that are positive are so as real numbers; with that, what is left of the definedness."""
    whole = [named(name) for name, domain in scope.variables.items() if domain == "positive integer"]
    facts = " ".join(f"assert (0 < INR {name}) by (apply lt_0_INR; lia)." for name in whole)
    return f"{facts} repeat match goal with |- _ /\\ _ => split; [defined |] end. " if whole else ""


def _resolved(quantity: Derivative, scope: Scope, side: int) -> Resolved:
    at = scope.setting.read(quantity.at)
    tree = scope.setting.read(str(quantity.of), (quantity.variable,))
    return resolved(scope.setting, tree, quantity.variable, at, side)


def _slope(quantity: Derivative, scope: Scope, side: int) -> str:
    smooth = _resolved(quantity, scope, side).formula
    at = {quantity.variable: scope.setting.read(quantity.at)}
    return scope.term(tidied(put(derivative(smooth, quantity.variable), at)))


def _beside(quantity: Derivative, scope: Scope, side: int, lemma: str) -> str:
    """Tactics: the signs are continuous and positive, the two formulas agree, and the smooth one is differentiated."""
    found = _resolved(quantity, scope, side)
    if lemma == "derivative_beside" and not found.at_the_point and not found.beside_it:
        return "derivative."
    inside = scope.within({quantity.variable: "real"})
    name = named(quantity.variable)
    signs = _list([f"(fun {name} : R => {inside.term(tree)})" for tree in found.at_the_point])
    signs_last = "cbn; intros ?; open; equal."
    goals = ["cbn; repeat split; try continuous.", "cbn; repeat split; try pos.", signs_last]
    if lemma != "derivative_beside":
        goals[2:] = [f"cbn; intros {NEAR} beside_ signs_; {_leaving(quantity, scope, found)}open; equal.", "equal."]
    goals.append("derivative.")
    proof = " ".join(f"{{ {goal} }}" for goal in goals)
    return f"apply ({lemma} {signs} _ (fun {name} : R => {inside.term(found.formula)})). {proof}"


def _leaving(quantity: Derivative, scope: Scope, found: Resolved) -> str:
    """What is 0 at the point is its slope times the distance from it, as far as it is affine."""
    at = scope.setting.read(quantity.at)
    near = scope.within({NEAR: "real"})
    tactics = ""
    for tree in found.beside_it:
        slope = tidied(put(derivative(tree, quantity.variable), {quantity.variable: at}))
        line = near.term(times(slope, minus(Operation(NEAR), at)))
        moved = near.term(put(tree, {quantity.variable: Operation(NEAR)}))
        tactics += f"try (assert (0 < {moved}) by (replace {moved} with {line} by equal; pos)); "
    return tactics


def _list(terms: Sequence[str]) -> str:
    return f"({' :: '.join([*terms, 'nil'])})"
