"""What data a certificate is about: the points, and how they are said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .rational import Rational
from .words import at_least, at_most, in_words

FEW = 3
"""Coordinates of a point that are said."""

Inputs = tuple[Rational, ...]


@dataclass(frozen=True)
class Data:
    """Points of R^d with their numbers or classes.

    values   one for each point
    classes  values only tell which points are of one class
    """

    inputs: tuple[Inputs, ...]
    values: tuple[Rational, ...]
    classes: bool = False


def on_a_line(x: Sequence[Rational], values: Sequence[Rational | int], classes: bool = False) -> Data:
    """Data with one input."""
    numbers = (value if isinstance(value, Rational) else Rational(value) for value in values)
    return Data(tuple((at,) for at in x), tuple(numbers), classes)


def about(data: Data, digest: str) -> str:
    """The beginning of what is proved.

    digest  of the data in the document
    """
    many, d = len(data.inputs) > 1, len(data.inputs[0])
    said = f"{len(data.inputs)} point{'s' * many}" + f" with {d} inputs" * (d > 1)
    if many:
        columns = list(zip(*data.inputs, strict=True))[:FEW]
        low = _listed([at_least(min(column)) for column in columns], d)
        high = _listed([at_most(max(column)) for column in columns], d)
        said += f", inputs from {low} to {high}, the first {_point(data, 0)}, the last {_point(data, -1)}"
    else:
        said += f", {_point(data, 0)}"
    return f"About {said} (SHA-256 of data {digest[:16]}…)"


def _point(data: Data, n: int) -> str:
    inputs = _listed([in_words(at) for at in data.inputs[n][:FEW]], len(data.inputs[n]))
    return f"{inputs} {'of class' if data.classes else '->'} {in_words(data.values[n])}"


def _listed(words: list[str], d: int) -> str:
    return words[0] if d == 1 else f"({', '.join(words)}{', …' * (d > FEW)})"
