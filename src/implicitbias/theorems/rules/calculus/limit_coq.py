"""Limits in Coq: by a function that extends the given one continuously."""

from __future__ import annotations

from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import NotInCoqError, Scope, named
from implicitbias.theorems.rules.calculus.limit import SMALL, Limit


def statement(quantity: Limit, scope: Scope, value: str) -> Statement:
    if quantity.where or quantity.order or quantity.to != "oo":
        raise NotInCoqError("a limit of quantities, by Taylor's formula or at a point has no Coq generator yet")
    inside, small = scope.within({quantity.variable: "real"}), scope.within({SMALL: "real"})
    function = f"(fun {named(quantity.variable)} : R => {inside.term(quantity.of)})"
    extension = f"(fun {named(SMALL)} : R => {small.term(quantity.extension)})"
    rest = "{ intros; cbv beta; equal. } { continuous. } { equal. }"
    if quantity.within is None:
        proof = f"apply (limit_at_infinity _ {extension}). {rest}"
    else:
        proof = f"apply (limit_at_infinity_near _ {extension} _ {scope.term(quantity.within)}). {{ defined. }} {rest}"
    far = "0" if quantity.within is None else f"(/ {scope.term(quantity.within)})"
    name = named(quantity.variable)
    defined = [f"(forall {name} : R, {far} < {name} -> {demand})" for demand in inside.definedness(quantity.of)]
    return Statement(f"is_lim {function} p_infty {value}", proof, "limit_unique", defined)
