"""The cheapest sum of ramps with kinks in a range, in Coq: by a written network, multipliers, and prices at knots."""

from __future__ import annotations

from collections.abc import Iterable

from implicitbias.exact.formula import Operation
from implicitbias.formal.generator import Statement, in_cases
from implicitbias.formal.terms import NotInCoqError, Scope
from implicitbias.formal.within import within
from implicitbias.theorems.primitives import unfolded
from implicitbias.theorems.quantity import Quantity, Steps
from implicitbias.theorems.rules.extrema.cheapest import CheapestRamps, CheapestUnits
from implicitbias.theorems.setting import names_in, number, put, times

RAMP = ("v", "s", "c")
TIDY = "cbn [sum fold_right fst snd map]"


def statement(quantity: CheapestRamps | CheapestUnits, scope: Scope, value: str) -> Statement:
    if not isinstance(quantity, CheapestRamps) or len(quantity.kinks) != 2 or quantity.free:
        raise NotInCoqError("only ramps with kinks in a range, and nothing beside them, have a Coq generator yet")
    weights = scope.within(dict.fromkeys(RAMP, "real"))
    if not isinstance(quantity.cost, Quantity):
        function = _of_ramp(weights.term(quantity.cost))
        return _about(quantity, scope, function, _once(scope, weights.tree(quantity.cost)), value)
    once = _once(scope, quantity.cost.establish(weights.setting, Steps()))
    paid = times(Operation("Abs", (Operation("v"),)), once)
    return within(
        quantity.cost,
        weights,
        dict.fromkeys(RAMP, "real"),
        "True",
        paid,
        {"": weights.setting},
        "sum_minimum_looks_within",
        lambda function, v: _about(quantity, scope, function, once, v),
        value,
    )


def _about(quantity: CheapestRamps, scope: Scope, cost: str, once: Operation, value: str) -> Statement:
    inside = scope.within(dict.fromkeys(quantity.names, "real"))
    low, high = (scope.term(text) for text in quantity.kinks)
    kind = f"(s = 1 \\/ s = -1) /\\ {low} <= c <= {high}"
    unit = inside.tree(quantity.unit)
    met = [
        _met(quantity, _of_ramp(inside.term(put(unit, {"x": scope.tree(x)}))), scope.term(_label(inside, x, y)))
        for x, y in quantity.data
    ]
    for region, label in quantity.further:
        where = "".join(f"0 <= {inside.term(text)} -> " for text in region)
        met.append(f"(forall x : R, {where}{_met(quantity, _of_ramp(inside.term(unit)), inside.term(label))})")
    domain = " /\\ ".join([f"(forall v s c, In (v, s, c) ramps_ -> {kind})", *met])
    proposition = f"is_min (A := list (R * R * R)) (fun ramps_ => {domain}) (sum {cost}) {value}"
    at = f"(fun x : R => {_of_ramp(inside.term(unit))})"
    premises = f"{_of_ramp(kind)} {at}\n    {cost}"
    demands = [d for x, y in quantity.data for d in scope.definedness(x, _label(inside, x, y))]
    return Statement(proposition, in_cases(lambda: _proof(quantity, scope, premises, once)), "is_min_unique", demands)


def _once(scope: Scope, paid: Operation) -> Operation:
    """What a ramp of weight 1 costs; the rule has shown that the cost grows with |v|. Raises NotInCoqError."""
    weighted = put(unfolded(paid), {"v": number(1), "s": number(1)})
    once = scope.within({"c": "real"}).setting.tidy(weighted)
    if "c" in names_in(once):
        raise NotInCoqError("a cost that depends on the kink has no Coq generator yet")
    return once


def _label(inside: Scope, x: str, y: str) -> Operation:
    return put(inside.tree(y), {"x": inside.tree(x)})


def _met(quantity: CheapestRamps, ramps: str, label: str) -> str:
    """What is asked of the sum of the ramps at a datum."""
    return f"1 <= {label} * sum {ramps} ramps_" if quantity.margins else f"sum {ramps} ramps_ = {label}"


def _of_ramp(term: str) -> str:
    """A function of a ramp (weight, side, kink)."""
    return f"(fun '({', '.join(RAMP)}) => {term})"


def _list(entries: Iterable[str]) -> str:
    return f"({' :: '.join([*entries, 'nil'])})%list"


def _proof(quantity: CheapestRamps, scope: Scope, premises: str, once: Operation) -> str:
    low, high = (scope.term(text) for text in quantity.kinks)

    def tidy(text: str) -> str:
        return scope.term(scope.setting.tidy(scope.setting.read(text)))

    inside = scope.within(dict.fromkeys(quantity.names, "real"))
    multipliers = [tidy(text) for text in quantity.multipliers]
    data = [
        (scope.term(x), scope.term(_label(inside, x, y)), a)
        for (x, y), a in zip(quantity.data, multipliers, strict=True)
    ]
    dual = _list(f"({x}, {y}, {a})" for x, y, a in data)
    prices = _list(f"({x}, {a})" for x, _, a in data)
    network = _list(f"({', '.join(tidy(unit[name]) for name in RAMP)})" for unit in quantity.network)
    each = "".join("[E | " for _ in quantity.network) + "[]" + "]" * len(quantity.network)
    end = "nonneg" if quantity.margins else "equal"
    further = "".join(f" | intros; {TIDY}; {end}" for _ in quantity.further)
    lemma, signs = "min_by_duality", ""
    if quantity.margins:
        lemma, signs = "min_by_margins", "  - written_data.\n"
    return (
        f"apply ({lemma} _ {premises}\n    {dual}\n    {network}); cbv beta; {TIDY}.\n"
        f"  - repeat apply conj; [intros v s c {each}; injection E; intros; subst; defined"
        f"{f' | {end}' * len(data)}{further}].\n"
        f"  - equal.\n  - intros us [units _] [[v s] c]. apply units.\n  - interpolates.\n{signs}  - equal.\n"
        f"  - intros [[v s] c] [Hs Hc]. match goal with |- _ <= ?paid =>\n"
        f"      replace paid with ({scope.term(once)} * Rabs v) by (destruct Hs as [-> | ->]; equal) end.\n"
        f"    match goal with |- ?earned <= _ => replace earned with (v * ramp_price s {prices} c)\n"
        f"      by (unfold ramp_price, ramp, relu; {TIDY}; ring) end.\n"
        f"    apply weighted_price, (ramp_price_bounded s _ {low} {high}); [.. | exact Hc];\n"
        "      destruct Hs as [-> | ->]; at_knots."
    )
