"""What a formula with Abs, Max, Min and sign is just beside a point, on one side of it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

from implicitbias.exact.formula import Operation, written
from implicitbias.theorems.differentiate import derivative, smooth
from implicitbias.theorems.setting import NotShownError, Setting, minus, names_in, negated, number, put
from implicitbias.theorems.sign import Sign
from implicitbias.theorems.theorem import assumed

HIGHEST_ORDER = 3
"""The most derivatives that are asked which way an argument leaves 0."""


def beside(setting: Setting, tree: Operation, variable: str, at: Operation, side: int) -> Operation:
    """The smooth formula that is equal to `tree` from the point on, some way to the right (side 1) or left (side -1).

    variable  not a variable of the setting
    at        the point, in the setting's variables; the formula agrees there too

    Each part that bends is decided by the sign of its argument at the point, where that is not 0, or by the first
    derivative that is not 0: the arguments are smooth around the point, so the sign lasts for some way. What is
    returned is shown to be smooth around the point. Raises RefusedError or NotShownError.
    """
    return resolved(setting, tree, variable, at, side).formula


class Resolved(NamedTuple):
    """A smooth formula beside a point, and what decides the parts that bend: positive there, or only beside it."""

    formula: Operation
    at_the_point: tuple[Operation, ...]
    beside_it: tuple[Operation, ...]


def resolved(setting: Setting, tree: Operation, variable: str, at: Operation, side: int) -> Resolved:
    """As `beside`, with what has decided the parts that bend."""
    positive: list[Operation] = []
    leaving: list[Operation] = []
    while (piece := bend(tree, {variable})) is not None:
        argument = decides(piece)
        upwards = _upwards(setting, piece, argument, variable, at, side)
        zero = setting.sign(put(argument, {variable: at})) is Sign.ZERO
        (leaving if zero else positive).append(argument if upwards else negated(argument))
        tree = put_for(tree, piece, branch(piece, upwards))
    smooth(setting, tree, variable, "the formula beside the point", at)
    return Resolved(tree, tuple(positive), tuple(leaving))


def around(setting: Setting, variable: str, at: Operation, near: Sequence[str]) -> Setting:
    """The setting in which the variable is near the point: `near` are strict inequalities, shown to hold around it.

    Raises RefusedError or NotShownError.
    """
    there = setting.with_variables({variable: "real"})
    for text in near:
        there = assumed(there, text)
    for text, hypothesis in zip(near, there.hypotheses[len(setting.hypotheses) :], strict=True):
        if not hypothesis.strict:
            raise NotShownError(f"{text} holds at the point, but perhaps not around it: give a strict inequality")
        smooth(setting, hypothesis.tree, variable, text, at)
        setting.at_least_zero(put(hypothesis.tree, {variable: at}), f"{text} at the point", strict=True)
    return there


def decides(piece: Operation) -> Operation:
    """The formula whose sign decides what a part that bends is."""
    return minus(*piece.arguments) if len(piece.arguments) == 2 else piece.arguments[0]


def branch(piece: Operation, positive: bool) -> Operation:
    """What a part that bends is where the formula that decides it is positive, or negative."""
    first = piece.arguments[0]
    match piece.head:
        case "sign":
            return number(1 if positive else -1)
        case "Abs":
            return first if positive else negated(first)
    return first if positive == (piece.head == "Max") or len(piece.arguments) == 1 else piece.arguments[1]


def _upwards(setting: Setting, piece: Operation, argument: Operation, variable: str, at: Operation, side: int) -> bool:
    """Whether what decides a part is at least 0 beside the point."""
    what = written(argument)
    smooth(setting, argument, variable, f"what decides {written(piece)}", at)
    sign = setting.sign(put(argument, {variable: at}))
    if piece.head == "sign" and sign not in (Sign.POSITIVE, Sign.NEGATIVE):
        raise NotShownError(f"{written(piece)} may jump at the point")
    return _leaves_upwards(setting, argument, variable, at, side) if sign is Sign.ZERO else _decided(sign, what)


def _leaves_upwards(setting: Setting, argument: Operation, variable: str, at: Operation, side: int) -> bool:
    """Whether an argument that is 0 at the point is at least 0 beside it."""
    rate = argument
    for order in range(1, HIGHEST_ORDER + 1):
        rate = derivative(rate, variable)
        if rate.number == 0:
            return True  # it stays 0: both branches are the same
        sign = setting.sign(put(rate, {variable: at}))
        if sign is not Sign.ZERO:
            return _decided(sign, f"derivative {order} of {written(argument)}") == (side > 0 or order % 2 == 0)
    raise NotShownError(f"the sign of {written(argument)} beside the point is not shown")


def _decided(sign: Sign | None, what: str) -> bool:
    if sign not in (Sign.POSITIVE, Sign.NEGATIVE):
        raise NotShownError(f"the sign of {what} at the point is not shown: split on it")
    return sign is Sign.POSITIVE


def bend(tree: Operation, variables: Set[str]) -> Operation | None:
    """An innermost part that bends or jumps with one of the variables, with two arguments at most."""
    for argument in tree.arguments:
        if (found := bend(argument, variables)) is not None:
            return found
    if not names_in(tree) & variables:
        return None
    if tree.head in ("Abs", "sign"):
        return tree
    if tree.head in ("Max", "Min"):
        return Operation(tree.head, tree.arguments[:2]) if len(tree.arguments) > 2 else tree
    return None


def put_for(tree: Operation, piece: Operation, by: Operation) -> Operation:
    """The formula with another in the place of a part that bends."""
    if tree == piece:
        return by
    if tree.head == piece.head and len(tree.arguments) > 2 and tree.arguments[:2] == piece.arguments:
        return Operation(tree.head, (by, *(put_for(a, piece, by) for a in tree.arguments[2:])))
    if not tree.arguments:
        return tree
    return Operation(tree.head, tuple(put_for(a, piece, by) for a in tree.arguments))
