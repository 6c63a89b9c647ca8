"""The cheapest sum of ramps with kinks in a range, in Coq: by a written network, multipliers, and prices at knots."""

from __future__ import annotations

from collections.abc import Iterable

from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import NotInCoqError, Scope
from implicitbias.theorems.quantity import Quantity
from implicitbias.theorems.rules.extrema.cheapest import CheapestRamps, CheapestUnits
from implicitbias.theorems.setting import put

RAMP = ("v", "s", "c")
TIDY = "cbn [sum fold_right fst snd map]"


def statement(quantity: CheapestRamps | CheapestUnits, scope: Scope, value: str) -> Statement:
    if not isinstance(quantity, CheapestRamps) or len(quantity.kinks) != 2 or quantity.free or quantity.margins:
        raise NotInCoqError("only labels met by ramps with kinks in a range have a Coq generator yet")
    if isinstance(quantity.cost, Quantity):
        raise NotInCoqError("a cost that is a quantity has no Coq generator yet")
    inside = scope.within(dict.fromkeys(quantity.names, "real"))
    low, high = (scope.term(text) for text in quantity.kinks)
    kind = f"(s = 1 \\/ s = -1) /\\ {low} <= c <= {high}"
    unit, cost = inside.tree(quantity.unit), _of_ramp(inside.term(quantity.cost))
    met = [
        f"sum {_of_ramp(inside.term(put(unit, {'x': inside.tree(x)})))} us = {inside.term(y)}" for x, y in quantity.data
    ]
    for region, label in quantity.further:
        where = "".join(f"0 <= {inside.term(text)} -> " for text in region)
        met.append(f"(forall x : R, {where}sum {_of_ramp(inside.term(unit))} us = {inside.term(label)})")
    domain = " /\\ ".join([f"(forall v s c, In (v, s, c) us -> {kind})", *met])
    proposition = f"is_min (A := list (R * R * R)) (fun us => {domain}) (sum {cost}) {value}"
    at = f"(fun x : R => {_of_ramp(inside.term(unit))})"
    premises = f"{_of_ramp(kind)} {at}\n    {cost}"
    demands = [d for pair in quantity.data for text in pair for d in scope.definedness(text)]
    return Statement(proposition, _proof(quantity, scope, premises), "is_min_unique", demands)


def _of_ramp(term: str) -> str:
    """A function of a ramp (weight, side, kink)."""
    return f"(fun u : R * R * R => let '({', '.join(RAMP)}) := u in {term})"


def _list(entries: Iterable[str]) -> str:
    return f"({' :: '.join([*entries, 'nil'])})%list"


def _proof(quantity: CheapestRamps, scope: Scope, premises: str) -> str:
    low, high = (scope.term(text) for text in quantity.kinks)

    def tidy(text: str) -> str:
        return scope.term(scope.setting.tidy(scope.setting.read(text)))

    multipliers = [tidy(text) for text in quantity.multipliers]
    data = [(scope.term(x), scope.term(y), a) for (x, y), a in zip(quantity.data, multipliers, strict=True)]
    dual = _list(f"({x}, {y}, {a})" for x, y, a in data)
    prices = _list(f"({x}, {a})" for x, _, a in data)
    network = _list(f"({', '.join(tidy(unit[name]) for name in RAMP)})" for unit in quantity.network)
    each = "".join("[E | " for _ in quantity.network) + "[]" + "]" * len(quantity.network)
    further = "".join(f" | intros; {TIDY}; equal" for _ in quantity.further)
    return (
        f"apply (min_by_duality _ {premises}\n    {dual}\n    {network}); cbv beta; {TIDY}.\n"
        f"  - repeat apply conj; [intros v s c {each}; injection E; intros; subst; defined"
        f"{' | equal' * len(data)}{further}].\n"
        "  - equal.\n  - intros us [units _] [[v s] c]. apply units.\n  - interpolates.\n  - equal.\n"
        "  - intros [[v s] c] [Hs Hc]. replace (path_cost v s) with (1 * Rabs v)\n"
        "      by (destruct Hs as [-> | ->]; equal).\n"
        f"    match goal with |- ?earned <= _ => replace earned with (v * ramp_price s {prices} c)\n"
        f"      by (unfold ramp_price, ramp, relu; {TIDY}; ring) end.\n"
        f"    apply weighted_price, (ramp_price_bounded s _ {low} {high}); [.. | exact Hc];\n"
        "      destruct Hs as [-> | ->]; at_knots."
    )
