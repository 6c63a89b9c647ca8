"""The data of a network from a CSV file, each number taken as the exact decimal that is written there."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np

from implicitbias.data.points import _column, _header, _number, _rows
from implicitbias.data.source import name_of, text_in
from implicitbias.errors import DataError
from implicitbias.exact.rational import exact
from implicitbias.networks.samples import Samples, of_classes, of_numbers

LABELS = ("y", "label", "class", "target")
"""Headers of the column of labels, where no other is named."""


def read_samples(source: str | Path, inputs: int, outputs: int, y: str | None = None, classes: bool = False) -> Samples:
    """The points of a CSV file for a network with these inputs and outputs; of standard input where the source is `-`.

    The first d columns that hold no labels are x. Labels are in the column y, by default in one headed y, label, class
    or target, else in what is left: one column, or one per output; without such a column there are none. Labels that
    are no numbers are classes, and so are the numbers of one column for several outputs.

    classes  numbers are classes too

    Raises DataError, with the line, for anything else.
    """
    name = name_of(source)
    rows = _rows(text_in(source), name)
    if not rows:
        raise DataError(f"{name} holds no data: a line for each point is needed, such as 0.5,-2,1.25")
    first = rows[0][1]
    header = _header(first, y)
    body = rows[1:] if header else rows
    if not body:
        raise DataError(f"{name} holds a header and no points: add lines such as 0.5,1.25")
    for line, cells in body:
        if len(cells) != len(first):
            raise DataError(f"{name}, line {line} has {len(cells)} cells, and the first line has {len(first)}")
    named = [header.index(label) for label in LABELS if header and header.count(label) == 1]
    chosen = [_column(y, 0, header, first, name)] if y is not None else named[:1]
    others = [c for c in range(len(first)) if c not in chosen]
    labels, columns = chosen or others[inputs:], others[:inputs]
    fits = len(others) == inputs if chosen else len(labels) in (0, 1, outputs)
    if len(columns) < inputs or not fits:
        raise DataError(
            f"{name} has {len(first)} columns, and the network {inputs} inputs and {outputs} outputs: a column for "
            f"each input is needed, then one of labels{' or one per output' if outputs > 1 else ''}, or none"
        )
    headers = [header[c] if header else str(c + 1) for c in range(len(first))]

    def numbers(chosen: list[int]) -> tuple[tuple[Fraction, ...], ...]:
        return tuple(
            tuple(_number(cells, c, headers[c], f"{name}, line {line}") for c in chosen) for line, cells in body
        )

    x = numbers(columns)
    found = Samples(np.array([[float(v) for v in row] for row in x]), exactly=(x, ()), source=name)
    if not labels:
        return found
    words = [cells[labels[0]] for _, cells in body]
    if len(labels) == 1 and (classes or outputs > 1 or not all(map(_is_number, words))):
        for (line, _), word in zip(body, words, strict=True):
            if not word or word.lower().lstrip("+-") == "nan":
                raise DataError(f"{name}, line {line}: the label is {word or 'missing'}: write a word or a number")
        return of_classes(found, words, outputs)
    targets = numbers(labels)
    table = np.array([[float(v) for v in row] for row in targets])
    return of_numbers(Samples(found.x, table, exactly=(x, targets), source=name))


def _is_number(word: str) -> bool:
    try:
        exact(word)
    except DataError:
        return not any(character.isalpha() for character in word) or word.lower().lstrip("+-") in ("nan", "inf")
    return True
