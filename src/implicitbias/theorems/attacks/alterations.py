"""Altered theorems: a false formula typed in, a witness that is slightly wrong, a case or a hypothesis left out.

They are made from the record alone, for every kind of quantity: texts by their role, fields of the witness by their
type (`implicitbias.theorems.quantity`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from implicitbias.errors import FormulaError
from implicitbias.exact.formula import Assumption, Expression, Operation, parse, substituted, written
from implicitbias.theorems.primitives import PRIMITIVES, arities, unfolded
from implicitbias.theorems.quantity import Quantity, texts
from implicitbias.theorems.theorem import Theorem

Path = tuple[str | int, ...]


class States(StrEnum):
    """What an altered theorem says beside the one it was made from."""

    SAME = "the same, shown otherwise"
    MORE = "the same, of more values"
    NOTHING = "nothing: no value satisfies its hypotheses"
    ANOTHER = "another quantity"


@dataclass(frozen=True)
class Altered:
    """how: what was altered; planted: the false formula that was typed in, if one was."""

    how: str
    theorem: Theorem
    states: States
    planted: str = ""


def planted(theorem: Theorem, claimed: str, false: str) -> Iterator[Altered]:
    """The false formula, in the theorem's variables, in each text, in those that equal the claim's, in many at once."""
    formula = _in_variables(theorem, false)
    if formula is None:
        return
    definition = [path for path, _ in texts(theorem.quantity, "definition")]
    witness = [path for path, _ in texts(theorem.quantity, "witness")]
    claim = _in_variables(theorem, claimed)
    equal = [path for path, text in texts(theorem.quantity) if claim is not None and _equal(theorem, text, claim)]
    places: dict[str, Sequence[Path]] = {
        **{_named(path): [path] for path in (*witness, *definition)},
        "every text of the witness": witness,
        "every text of the definition": definition,
        "every text": (*witness, *definition),
        "every text that equals the claim's formula": equal,
    }
    distinct: dict[tuple[Path, ...], str] = {}
    for place, paths in places.items():
        if paths:
            distinct.setdefault(tuple(paths), place)
    for paths, place in distinct.items():
        states = States.ANOTHER if set(paths) & set(definition) else States.SAME
        made = theorem.quantity
        for path in paths:
            made = _put(made, path, formula)
        yield Altered(f"{formula} in the place of {place}", replace(theorem, quantity=made), states, false)
        gaps = [path for path in witness if path not in paths]
        if states is States.ANOTHER and gaps:  # the false formula defined, and a witness that leaves nothing over
            for path in gaps:
                made = _put(made, path, "0")
            how = f"{formula} in the place of {place}, 0 in the witness"
            yield Altered(how, replace(theorem, quantity=made), states, false)


def perturbed(theorem: Theorem) -> Iterator[Altered]:
    """Each number of the witness one more or less; each sign, term, symbol and root changed or dropped."""
    names = sorted({*theorem.for_all, *(name for _, text in texts(theorem.quantity) for name in _names(text))})
    for path, text in texts(theorem.quantity, "witness"):
        tree = _read(text)
        if tree is None:
            continue
        for other in dict.fromkeys(_neighbours(tree, names)):
            new = written(other)
            made = replace(theorem, quantity=_put(theorem.quantity, path, new))
            yield Altered(f"{_named(path)}: {new} in the place of {text}", made, States.SAME)


def with_holes(theorem: Theorem) -> Iterator[Altered]:
    """A part of the witness, a split or a hypothesis left out; hypotheses that contradict each other; wider domains."""
    for path in _parts(theorem.quantity, ()):
        made = replace(theorem, quantity=_without(theorem.quantity, path))
        yield Altered(f"{_named(path)} left out", made, States.SAME)
    for i, text in enumerate(theorem.split):
        made = replace(theorem, split=theorem.split[:i] + theorem.split[i + 1 :])
        yield Altered(f"no split on {text}", made, States.SAME)
    for i, text in enumerate(theorem.assuming):
        made = replace(theorem, assuming=theorem.assuming[:i] + theorem.assuming[i + 1 :])
        yield Altered(f"without the hypothesis {text}", made, States.MORE)
    for name, domain in theorem.for_all.items():
        if wider := WIDER.get(domain):
            made = replace(theorem, for_all={**theorem.for_all, name: wider})
            yield Altered(f"{name} {wider} in the place of {domain}", made, States.MORE)
    for name in theorem.for_all:
        impossible = (f"{name} > 1", f"{name} < -1")
        made = replace(theorem, assuming=(*theorem.assuming, *impossible))
        yield Altered(f"with the hypotheses {' and '.join(impossible)}", made, States.NOTHING)
        break


WIDER: dict[Assumption, Assumption] = {"positive": "nonnegative", "nonnegative": "real", "negative": "real"}


# texts of a theorem


def _in_variables(theorem: Theorem, formula: str) -> str | None:
    """The claim's formula with what is given for its symbols put in; None if it holds a symbol that is not given."""
    tree = parse(formula).tree
    found = {name: _read(text) for name, text in theorem.given.items()}
    given = {name: unfolded(part) if part is not None else None for name, part in found.items()}
    if not parse(formula).names <= given.keys() or None in given.values():
        return None
    return written(substituted(tree, {name: part for name, part in given.items() if part is not None}))


def _equal(theorem: Theorem, text: str, formula: str) -> bool:
    """Whether a text of the theorem is the formula in its variables: as it is written, or at exact points."""
    from implicitbias.theorems.points import SignAt, points_of

    tree = _read(text)
    if tree is None:
        return False
    other = parse(formula).tree
    if tree == other:
        return True
    if not Expression("", frozenset(_names(text)), tree).names <= theorem.for_all.keys():
        return False
    sign_of = SignAt(Operation("-", (unfolded(tree), other)))
    seen = False
    for sign in map(sign_of, points_of(theorem.for_all, (), ())):
        if sign in (1, -1):
            return False
        seen = seen or sign == 0
    return seen


def _read(text: str) -> Operation | None:
    """A text of a theorem as a formula; None for what is not one."""
    try:
        return parse(text, more=arities(PRIMITIVES)).tree
    except FormulaError:
        return None


def _names(text: str) -> set[str]:
    try:
        return set(parse(text, more=arities(PRIMITIVES)).names)
    except FormulaError:
        return set()


def _named(path: Path) -> str:
    first, *rest = path
    return str(first) + "".join(f"[{part}]" for part in rest)


# neighbours of a formula


def _neighbours(tree: Operation, names: Sequence[str]) -> Iterator[Operation]:
    """Formulas that differ from this one in one place."""
    yield from _at_the_top(tree, names)
    for i, argument in enumerate(tree.arguments):
        for other in _neighbours(argument, names):
            yield Operation(tree.head, (*tree.arguments[:i], other, *tree.arguments[i + 1 :]))


def _at_the_top(tree: Operation, names: Sequence[str]) -> Iterator[Operation]:
    if tree.number is not None:
        for step in (1, -1):
            yield Operation("number", number=tree.number + Fraction(step))
        return
    if tree.is_name:
        yield from (Operation(name) for name in names if name != tree.head)
        return
    match tree.head:
        case "+" | "-":
            yield Operation("-" if tree.head == "+" else "+", tree.arguments)
            yield from tree.arguments
        case "*" | "/" | "Max" | "Min":
            yield from tree.arguments
        case "neg" | "sqrt" | "Abs":
            yield tree.arguments[0]


# parts of a quantity


def _put(value: Any, path: Path, new: str) -> Any:
    """The quantity, tuple or mapping with another text at the path."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    if isinstance(value, Quantity):
        return replace(value, **{str(first): _put(getattr(value, str(first)), rest, new)})
    if isinstance(value, Mapping):
        return {key: _put(inner, rest, new) if key == first else inner for key, inner in value.items()}
    return tuple(_put(inner, rest, new) if index == first else inner for index, inner in enumerate(value))


def _parts(value: Any, path: Path) -> Iterator[Path]:
    """Where an element of a tuple or mapping of the witness stands, nested quantities included."""
    if isinstance(value, Quantity):
        for f in fields(value):
            inner = getattr(value, f.name)
            if f.metadata["role"] == "witness" or isinstance(inner, Quantity):
                yield from _parts(inner, (*path, f.name))
        return
    elements: Sequence[tuple[str | int, Any]] = ()
    if isinstance(value, Mapping):
        elements = list(value.items())
    elif isinstance(value, tuple | list):
        elements = list(enumerate(value))
    for key, inner in elements:
        yield (*path, key)
        yield from _parts(inner, (*path, key))


def _without(value: Any, path: Path) -> Any:
    first, rest = path[0], path[1:]
    if isinstance(value, Quantity):
        return replace(value, **{str(first): _without(getattr(value, str(first)), rest)})
    if isinstance(value, Mapping):
        kept = [(key, inner) for key, inner in value.items() if rest or key != first]
        return {key: _without(inner, rest) if key == first else inner for key, inner in kept}
    kept_items = [(i, inner) for i, inner in enumerate(value) if rest or i != first]
    return tuple(_without(inner, rest) if i == first else inner for i, inner in kept_items)
