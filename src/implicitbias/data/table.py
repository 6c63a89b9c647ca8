"""Points with several inputs from a CSV file, each number taken as the exact decimal that is written there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from implicitbias.data.points import _column, _header, _number, _rows
from implicitbias.data.source import name_of, text_in
from implicitbias.errors import DataError

LABEL = "y"
"""By default the column with this header holds the labels."""


@dataclass(frozen=True)
class Table:
    """(x_n, y_n), x in several columns, with the line of the file on which each stands; y is empty if not read.

    words  what is written in the column of labels, where labels are classes
    """

    x: tuple[tuple[Fraction, ...], ...]
    y: tuple[Fraction, ...]
    lines: tuple[int, ...]
    source: str
    x_names: tuple[str, ...]
    y_name: str = ""
    words: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.x)

    def repeated(self) -> list[tuple[int, ...]]:
        """Positions, from 0, of points that are equal."""
        places: dict[tuple[Fraction, ...], list[int]] = {}
        for n, x in enumerate(self.x):
            places.setdefault(x, []).append(n)
        return [tuple(group) for group in places.values() if len(group) > 1]


def columns_in(source: str | Path) -> int:
    """The cells of the first line of a file that has any; 0 if there is none, or it cannot be read twice."""
    if str(source) == "-" or not Path(source).is_file():
        return 0
    rows = _rows(text_in(source), name_of(source))
    return len(rows[0][1]) if rows else 0


def read_table(
    source: str | Path,
    x: Sequence[str] = (),
    y: str | None = None,
    labelled: bool = False,
    at_least: int = 1,
    classes: bool = False,
) -> Table:
    """The points of a CSV file, or of standard input where the source is `-`.

    x         the columns of inputs, by name or position from 1; default: all but that of the labels
    y         the column of the labels; default: the column headed y; otherwise the last column if `labelled`, else none
    labelled  whether labels are read
    classes   whether labels are read as they are written, words or numbers

    Cells, headers, comments and numbers are as in `data.points.read_points`. Raises DataError, with the line, for
    anything else.
    """
    name = name_of(source)
    rows = _rows(text_in(source), name)
    if not rows:
        raise DataError(f"{name} holds no data: a line for each point is needed, such as 0.5,-2,1.25")
    first = rows[0][1]
    header = _header(first, *x, y)
    body = rows[1:] if header else rows
    label: int | None = None
    if y is not None:
        label = _column(y, 0, header, first, name)
    elif header and header.count(LABEL) == 1 and LABEL not in x:
        label = header.index(LABEL)
    elif labelled or classes:
        label = len(first) - 1
    chosen = [_column(asked, 0, header, first, name) for asked in x]
    columns = chosen or [c for c in range(len(first)) if c != label]
    if not columns or label in columns or len(set(columns)) < len(columns):
        raise DataError(
            f"{name} needs a column of inputs{' next to that of the labels' if label is not None else ''}, each named "
            f"once; it has {len(first)} column{'s' * (len(first) != 1)}"
        )
    if len(body) < at_least:
        raise DataError(f"{name} holds {len(body)} points, and at least {at_least} needed: add lines such as 0.5,-2,1")
    names = [header[c] if header else str(c + 1) for c in range(len(first))]

    def numbers(c: int) -> list[Fraction]:
        return [_number(cells, c, names[c], f"{name}, line {line}") for line, cells in body]

    for line, cells in body:
        if len(cells) != len(first):
            raise DataError(f"{name}, line {line} has {len(cells)} cells, and the first line has {len(first)}")
    inputs = tuple(zip(*(numbers(c) for c in columns), strict=True))
    labels = tuple(numbers(label)) if labelled and label is not None else ()
    words = tuple(cells[label] for _, cells in body) if classes and label is not None else ()
    for (line, _), word in zip(body, words, strict=False):
        if not word or word.lower().lstrip("+-") == "nan":
            raise DataError(f"{name}, line {line}: the label is {word or 'missing'}: write a word or a number")
    return Table(
        inputs,
        labels,
        tuple(line for line, _ in body),
        name,
        tuple(names[c] for c in columns),
        names[label] if label is not None else "",
        words,
    )
