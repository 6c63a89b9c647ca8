"""Derivatives in Coq: beside the point the formula is a smooth one, by signs that hold around the point."""

from __future__ import annotations

from collections.abc import Sequence

from implicitbias.exact.formula import Operation
from implicitbias.formal.generator import Statement
from implicitbias.formal.terms import NotInCoqError, Scope, named
from implicitbias.theorems.beside import beside, decisions
from implicitbias.theorems.differentiate import derivative
from implicitbias.theorems.quantity import Quantity
from implicitbias.theorems.rules.derivative import Derivative
from implicitbias.theorems.setting import NotShownError, Setting, negated, put
from implicitbias.theorems.sign import Sign

PREDICATES = {
    "both": "is_derive",
    "left": "is_left_derive",
    "right": "is_right_derive",
    "jump": "is_derive_jump",
    "between": "is_derive_between",
}
AROUND = {0: "derive_around", -1: "left_derive_around", 1: "right_derive_around"}


def statement(quantity: Derivative, scope: Scope, value: str) -> Statement:
    if isinstance(quantity.of, Quantity):
        raise NotInCoqError("the derivative of another quantity has no Coq generator yet")
    variable = named(quantity.variable)
    inside = scope.within({quantity.variable: "real"})
    function = f"(fun {variable} : R => {inside.term(quantity.of)})"
    share = f"{scope.term(quantity.share)} " if quantity.share is not None else ""
    predicate = PREDICATES[quantity.side]
    unique = {"both": "is_derive_unique_value"}.get(quantity.side, f"{predicate}_unique")
    return Statement(
        proposition=f"{predicate} {share}{function} {scope.term(quantity.at)} {value}",
        proof=_proof(quantity, scope),
        unique=unique,
        defined=[
            *scope.definedness(quantity.at, *([quantity.share] if quantity.share is not None else [])),
            *(f"(forall {variable} : R, {demand})" for demand in inside.definedness(quantity.of)),
        ],
    )


def _proof(quantity: Derivative, scope: Scope) -> str:
    setting = scope.setting
    assert isinstance(quantity.of, str)
    function, at = setting.read(quantity.of, (quantity.variable,)), setting.read(quantity.at)
    try:
        around = {side: Around(scope, function, quantity.variable, at, side) for side in (-1, 1)}
    except NotShownError:  # the whole of a theorem with cases: its cases are proved
        return "idtac."
    match quantity.side:
        case "left":
            return f"{around[-1].tactic(-1)}."
        case "right":
            return f"{around[1].tactic(1)}."
        case "both" if around[-1].smooth == around[1].smooth:
            return f"{around[1].tactic(0)}."
        case "both":
            return f"apply derive_of_sides; [{around[-1].tactic(-1)} | {around[1].tactic(1)}]."
    exists = " ".join(f"exists {around[side].slope()}." for side in (-1, 1))
    end = "equal" if quantity.share is None else "split; [defined | equal]"
    return f"{exists} split; [{around[-1].tactic(-1)} | split; [{around[1].tactic(1)} | {end}]]."


class Around:
    """A formula beside a point: the smooth one, and what is positive around the point.

    Raises NotShownError or RefusedError.
    """

    def __init__(self, scope: Scope, function: Operation, variable: str, at: Operation, side: int) -> None:
        self.scope, self.variable, self.at = scope, variable, at
        self.smooth = beside(scope.setting, function, variable, at, side)
        self.positive = list(_positive(scope.setting, decisions(scope.setting, function, variable, at, side)))
        self.inside = scope.within({variable: "real"})

    def slope(self) -> str:
        """The derivative of the smooth formula at the point."""
        slope = put(derivative(self.smooth, self.variable), {self.variable: self.at})
        return self.scope.term(self.scope.setting.tidy(slope))

    def tactic(self, side: int) -> str:
        z = f"fun {named(self.variable)} : R =>"
        signs = "".join(f"0 < {self.inside.term(tree)} /\\ " for tree in self.positive)
        return f"around_by {AROUND[side]} ({z} {self.inside.term(self.smooth)}) ({z} {signs}True)"


def _positive(setting: Setting, decided: Sequence[tuple[Operation, Sign | None]]) -> list[Operation]:
    """What is positive at the point, each once."""
    trees = [tree if sign is Sign.POSITIVE else negated(tree) for tree, sign in decided if sign is not Sign.ZERO]
    return list(dict.fromkeys(trees))
