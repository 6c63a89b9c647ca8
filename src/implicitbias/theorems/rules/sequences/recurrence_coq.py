"""Sequences in Coq: the term at an index, from the start and the step; a descent's step holds its loss's derivative."""

from __future__ import annotations

from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import Scope, named
from implicitbias.theorems.differentiate import derivative
from implicitbias.theorems.rules.sequences.recurrence import Descent, Recurrence


def statement(quantity: Recurrence | Descent, scope: Scope, value: str) -> Statement:
    if isinstance(quantity, Descent):
        return _descent(quantity, scope, value)
    index, previous = named(quantity.index), named(quantity.previous)
    stepping = scope.within({quantity.previous: "real"})
    step = f"(fun ({index} : nat) ({previous} : R) => {stepping.term(quantity.step)})"
    return Statement(
        proposition=f"term {scope.term(quantity.start)} {step} {index} = {value}",
        proof=_by_induction(index, value),
        unique="value_unique",
        defined=[
            *scope.definedness(quantity.start),
            *(f"(forall {previous} : R, {demand})" for demand in stepping.definedness(quantity.step)),
        ],
    )


def _descent(quantity: Descent, scope: Scope, value: str) -> Statement:
    index, over = named(quantity.index), named(quantity.over)
    inside = scope.within({quantity.over: "real"})
    slope = inside.term(derivative(inside.setting.read(quantity.loss), quantity.over))
    loss = f"(fun {over} : R => {inside.term(quantity.loss)})"
    rate = f"(fun {index} : nat => {scope.term(quantity.rate)})"
    return Statement(
        proposition=f"is_descent {loss} {rate} {scope.term(quantity.start)} {index} {value}",
        proof=f"apply (descent_by_slope (fun {over} : R => {slope})); [derivative |].\n  {_by_induction(index, value)}",
        unique="is_descent_unique",
        defined=scope.definedness(quantity.rate, quantity.start),
    )


def _by_induction(index: str, value: str) -> str:
    return f"apply (term_equal _ _ (fun {index} : nat => {value})); [next_index | next_index]."
