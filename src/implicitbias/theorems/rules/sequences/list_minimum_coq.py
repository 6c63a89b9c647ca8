"""Minima over lists of any length in Coq: equal entries, a price for the total, and the gap of an entry."""

from __future__ import annotations

from collections.abc import Sequence

from implicitbias.exact.formula import Operation
from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import NotInCoqError, Scope, named
from implicitbias.formal.within import within
from implicitbias.theorems.quantity import Quantity
from implicitbias.theorems.rules.sequences.list_minimum import ListMinimiser, ListMinimum
from implicitbias.theorems.rules.sequences.lists import entry_of

AWAY = (
    "first [nonneg | apply Rmult_lt_0_compat; [pos | apply ln_tangent_strict; [pos |]; "
    "apply square_of_quotient; [pos | pos | exact away]]]"
)
"""Tactics for a gap that is positive for another entry than the common one."""


def statement(quantity: ListMinimum | ListMinimiser, scope: Scope, value: str) -> Statement:
    inside = scope.within(quantity.over)
    domain = " /\\ ".join([*inside.conditions(quantity.over), *map(inside.comparison, quantity.where)]) or "True"
    if not isinstance(quantity.cost, Quantity):
        cost = _function(quantity, inside.term(quantity.cost))
        return _about(quantity, scope, domain, cost, value, inside.definedness(quantity.cost))
    if not isinstance(quantity, ListMinimum):
        raise NotInCoqError("the cheapest list by a cost that is a quantity has no Coq generator yet")
    entry = entry_of(scope.setting, quantity.over, quantity.where)
    return within(
        quantity.cost,
        Scope(entry),
        quantity.over,
        domain,
        None,
        {"": entry},
        "list_minimum_looks_within",
        lambda function, v: _about(quantity, scope, domain, function, v, []),
        value,
    )


def _about(
    quantity: ListMinimum | ListMinimiser, scope: Scope, domain: str, cost: str, value: str, demands: Sequence[str]
) -> Statement:
    (name, total), *more = quantity.totals.items()
    if more or isinstance(total, Quantity):
        raise NotInCoqError("lists with several totals, or with totals that are quantities, have no Coq generator yet")
    inside = scope.within(quantity.over)
    entry = " * ".join("R" for _ in quantity.over)
    dom, f = (_function(quantity, body) for body in (domain, inside.term(total)))
    lists = f"(lists_with_total (A := {entry}) {dom} {named(quantity.length)} {f} {scope.term(name)})"
    defined = [
        f"(forall {' '.join(map(named, quantity.over))} : R, {domain} -> {demand})"
        for demand in dict.fromkeys([*demands, *inside.definedness(total)])
    ]
    gap = _function(quantity, " + ".join(map(inside.term, quantity.gap)) or "0")
    at = ", ".join(scope.term(text) for text in quantity.at.values())
    price = scope.term(quantity.multipliers.get(name, "0"))
    with_data = f"{dom} {cost} {f} {gap} {price} {scope.term(name)} ({at}) {named(quantity.length)}"
    enter = f"intros {_destructed(quantity)} inside; cbv beta iota in *; open; "
    common = f"  - split; [cbv beta iota; equal |]. split; [cbv beta iota; defined |].\n    {enter}equal.\n"
    if isinstance(quantity, ListMinimum):
        return Statement(
            f"is_min {lists} (sum {cost}) {value}",
            f"apply (min_of_lists (A := {entry}) {with_data}).\n{common}  - {enter}{_nonnegative(len(quantity.gap))}.\n"
            "  - cbv beta iota. first [equal | equal_powers].",
            "is_min_unique",
            defined,
        )
    of = _function(quantity, inside.term(quantity.of))
    defined += scope.definedness(_at_the_entry(quantity, scope))
    ends = "[lia | | cbv beta iota; first [equal | equal_powers]]"
    return Statement(
        f"at_the_minimiser {lists} (sum {cost}) {of} {value}",
        f"apply (at_equal_entries _ _ _ ({at}) {named(quantity.length)}); {ends}.\n"
        f"  apply (minimiser_of_lists (A := {entry}) {with_data}).\n{common}"
        f"  - {enter.replace('inside', 'inside away', 1)}{AWAY}.\n  - cbv beta iota. equal.",
        "at_the_minimiser_unique",
        defined,
    )


def _function(quantity: ListMinimum | ListMinimiser, body: str) -> str:
    names = ", ".join(map(named, quantity.over))
    return f"(fun '({names}) => {body})" if len(quantity.over) > 1 else f"(fun {names} : R => {body})"


def _destructed(quantity: ListMinimum | ListMinimiser) -> str:
    pattern, *rest = map(named, quantity.over)
    for name in rest:
        pattern = f"[{pattern} {name}]"
    return pattern


def _nonnegative(parts: int) -> str:
    """Each part of the gap by itself."""
    if parts < 2:
        return "first [nonneg | apply Rmult_le_pos; [nonneg | apply ln_tangent; pos]]"
    return f"apply Rplus_le_le_0_compat; [{_nonnegative(parts - 1)} | nonneg]"


def _at_the_entry(quantity: ListMinimiser, scope: Scope) -> Operation:
    from implicitbias.theorems.setting import put

    at = {name: scope.tree(text) for name, text in quantity.at.items()}
    return put(scope.within(quantity.over).tree(quantity.of), at)
