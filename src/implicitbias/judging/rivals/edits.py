"""The claimed formula with one or two places changed: what a slip of the pen, or of the mind, would have written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from implicitbias.exact.formula import Operation

Place = tuple[int, ...]
"""A part of a formula: which argument to take, step by step from the whole."""

HOLES = ("□1", "□2")
"""The names that stand for the changed parts; no symbol of a claim can have them."""

SWAPPED = {
    "+": ("-", "*", "Max"),
    "-": ("+", "*", "/"),
    "*": ("+", "-", "/", "**"),
    "/": ("*", "-", "+"),
    "**": ("*",),
    "Max": ("Min", "+"),
    "Min": ("Max", "+"),
    "Abs": ("sqrt", "neg"),
    "sqrt": ("Abs",),
    "floor": ("Abs",),
    "sign": ("Abs",),
    "exp": ("cosh", "sinh"),
    "log": ("sqrt",),
    "sin": ("cos", "tan"),
    "cos": ("sin",),
    "tan": ("sin", "atan"),
    "asin": ("acos", "atan"),
    "acos": ("asin",),
    "atan": ("asin", "tanh"),
    "sinh": ("cosh", "tanh"),
    "cosh": ("sinh", "exp"),
    "tanh": ("sinh", "atan", "erf"),
    "erf": ("tanh",),
    "gamma": ("exp",),
}
INSERTED = ("+", "-", "*", "/", "Max", "Min")


@dataclass(frozen=True)
class Edit:
    """At this place stands another part."""

    place: Place
    part: Operation


def places(tree: Operation, at: Place = ()) -> Iterator[tuple[Place, Operation]]:
    """Every part with its place, the whole first."""
    yield at, tree
    for i, argument in enumerate(tree.arguments):
        yield from places(argument, (*at, i))


def replaced(tree: Operation, place: Place, part: Operation) -> Operation:
    """The formula with another part at a place.

    >>> from implicitbias.exact.formula import parse, written
    >>> written(replaced(parse("a*(b + 1)").tree, (1, 0), Operation("c")))
    'a*(c + 1)'
    """
    if not place:
        return part
    first, *rest = place
    arguments = list(tree.arguments)
    arguments[first] = replaced(arguments[first], tuple(rest), part)
    return Operation(tree.head, tuple(arguments))


def apart(one: Place, other: Place) -> bool:
    """Whether neither place lies within the other."""
    shared = min(len(one), len(other))
    return one[:shared] != other[:shared]


def small_edits(tree: Operation, symbols: Sequence[str]) -> list[Edit]:
    """One place changed a little: a part dropped, an operation swapped, a symbol or constant put in or exchanged."""
    found: dict[tuple[Place, Operation], Edit] = {}
    leaves = [Operation(name) for name in symbols] + [_number(n) for n in (1, 2, 3)]
    for place, node in places(tree):
        for part in _instead(node, leaves):
            if part != node:
                found.setdefault((place, part), Edit(place, part))
    return list(found.values())


def pairs(edits: Sequence[Edit]) -> Iterator[tuple[Place, list[Operation], Place, list[Operation]]]:
    """The edits of two places at a time, grouped by the places, which lie apart."""
    at: dict[Place, list[Operation]] = {}
    for edit in edits:
        at.setdefault(edit.place, []).append(edit.part)
    for one, other in combinations(at, 2):
        if apart(one, other):
            yield one, at[one], other, at[other]


def _instead(node: Operation, leaves: Sequence[Operation]) -> Iterator[Operation]:
    yield from node.arguments
    yield from leaves
    if node.number is not None:
        yield from (_number(node.number + step) for step in (1, -1))
        yield from (_number(node.number * factor) for factor in (2, Fraction(1, 2), -1))
        return
    if len(node.arguments) == 2:
        yield Operation(node.head, node.arguments[::-1])
    if len(node.arguments) > 2:
        yield from (Operation(node.head, _without(node.arguments, i)) for i in range(len(node.arguments)))
    for head in SWAPPED.get(node.head, ()):
        if len(node.arguments) <= 2 and (len(node.arguments) == 2) == (
            head in ("+", "-", "*", "/", "**", "Max", "Min")
        ):
            yield Operation(head, node.arguments)
    yield from _as_if_linear(node)
    yield from (Operation(head, (node,)) for head in ("neg", "Abs"))
    for leaf in leaves:
        yield from (Operation(head, (node, leaf)) for head in INSERTED)


def _as_if_linear(node: Operation) -> Iterator[Operation]:
    """f(x) + f(y) for f(x + y), f(x + y) and f(x - y) for f(x) + f(y), and so on: a function taken for a linear one."""
    if len(node.arguments) == 1 and node.head != "neg" and len(node.arguments[0].arguments) == 2:
        inner = node.arguments[0]
        first, second = inner.arguments
        of_first, of_second = Operation(node.head, (first,)), Operation(node.head, (second,))
        yield Operation(inner.head, (of_first, of_second))
        yield Operation(inner.head, (of_first, second))
        yield Operation(inner.head, (first, of_second))
    if len(node.arguments) == 2:
        first, second = node.arguments
        if first.head == second.head and len(first.arguments) == len(second.arguments) == 1:
            inside = first.arguments[0], second.arguments[0]
            yield from (Operation(first.head, (Operation(head, inside),)) for head in ("+", "-", "*", "/"))
        if node.head == first.head == "+":  # (x + f(y)) + f(z) is x + (f(y) + f(z)) too
            one, two = first.arguments
            yield from (Operation("+", (one, merged)) for merged in _as_if_linear(Operation("+", (two, second))))
            yield from (Operation("+", (two, merged)) for merged in _as_if_linear(Operation("+", (one, second))))


def _without(arguments: tuple[Operation, ...], dropped: int) -> tuple[Operation, ...]:
    return arguments[:dropped] + arguments[dropped + 1 :]


def _number(number: int | Fraction) -> Operation:
    return Operation("number", number=Fraction(number))
