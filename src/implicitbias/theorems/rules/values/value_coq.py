"""A quantity that is given outright, in Coq: an equation."""

from __future__ import annotations

from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import Scope
from implicitbias.theorems.rules.values.value import Value


def statement(quantity: Value, scope: Scope, value: str) -> Statement:
    return Statement(
        proposition=f"{scope.term(quantity.formula)} = {value}",
        proof="equal.",
        unique="value_unique",
        defined=scope.definedness(quantity.formula),
    )
