"""On which primitives a definition depends: `0*relu(x) + a` names the rectifier and does not care what it is.

Each primitive that is named, or reached through others, is replaced by other functions of the same parameters; if no
text of the definition has another value at any exact point, the definition does not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from implicitbias.exact.formula import Assumption, Operation
from implicitbias.theorems.primitives import PRIMITIVES, Vocabulary, read, unfolded, used

POINTS = 12
"""The exact points at which two definitions are compared."""


def reached(definitions: Iterable[Operation], vocabulary: Vocabulary = PRIMITIVES) -> tuple[str, ...]:
    """The primitives that are named, and those that they are made of, in the vocabulary's order.

    >>> reached([read("unit(1, 1, 0, x)", ["x"]).tree])
    ('relu', 'unit')
    """
    found: set[str] = set()
    todo = set().union(*(used(tree, vocabulary) for tree in definitions))
    while todo:
        name = todo.pop()
        found.add(name)
        primitive = vocabulary[name]
        todo |= used(read(primitive.formula, dict.fromkeys(primitive.parameters), vocabulary).tree, vocabulary) - found
    return tuple(name for name in vocabulary if name in found)


def otherwise(name: str, vocabulary: Vocabulary = PRIMITIVES) -> Iterator[tuple[str, Vocabulary]]:
    """The vocabulary with another primitive of this name: twice as large, squared, one more, each parameter more."""
    primitive = vocabulary[name]
    formulas = [f"2*({primitive.formula})", f"({primitive.formula})**2", f"({primitive.formula}) + 1"]
    formulas += [f"({primitive.formula}) + {parameter}" for parameter in primitive.parameters]
    for formula in formulas:
        yield f"{name} = {formula}", {**vocabulary, name: replace(primitive, formula=formula)}


def ignored(definitions: Sequence[Operation], variables: Mapping[str, Assumption]) -> tuple[str, ...]:
    """The primitives that are reached and do not matter.

    >>> ignored([read("relu(x) + 0*squared_loss(x, 1)", ["x"]).tree], {"x": "real"})
    ('squared_loss',)
    """
    domains = tuple(variables.items())
    return tuple(name for name in reached(definitions) if not _matters(name, tuple(definitions), domains))


@lru_cache(maxsize=1024)
def _matters(name: str, definitions: tuple[Operation, ...], domains: tuple[tuple[str, Assumption], ...]) -> bool:
    from implicitbias.exact.points import sample_points
    from implicitbias.theorems.points import SignAt

    points = list(sample_points(dict(domains), count=POINTS))
    seen = False
    for definition in definitions:
        if name not in reached([definition]):
            continue
        for _, vocabulary in otherwise(name):
            difference = Operation("-", (unfolded(definition, vocabulary), unfolded(definition)))
            sign_of = SignAt(difference)
            for sign in map(sign_of, points):
                if sign in (1, -1):
                    return True
                seen = seen or sign == 0
    return not seen  # a definition without a value at these points is not said to be independent of anything
