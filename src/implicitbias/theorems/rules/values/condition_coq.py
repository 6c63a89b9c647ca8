"""Yes or no in Coq: 1 and the comparison, or 0 and its negation."""

from __future__ import annotations

from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import NotInCoqError, Scope
from implicitbias.theorems.quantity import Quantity
from implicitbias.theorems.rules.values.condition import Holds


def statement(quantity: Holds, scope: Scope, value: str) -> Statement:
    if isinstance(quantity.left, Quantity) or isinstance(quantity.right, Quantity):
        raise NotInCoqError("a comparison of other quantities has no Coq generator yet")
    compared = f"{scope.term(quantity.left)} {quantity.relation} {scope.term(quantity.right)}"
    return Statement(
        proposition=f"is_truth ({compared}) {value}",
        proof="first [left; split; [defined | equal] | right; split; [intros ?; open; contradicted | equal]].",
        unique="is_truth_unique",
        defined=scope.definedness(quantity.left, quantity.right),
    )
