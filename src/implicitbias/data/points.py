"""Points of the plane from a CSV file, each number taken as the exact decimal that is written there."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from implicitbias.data.source import name_of, text_in
from implicitbias.errors import DataError
from implicitbias.exact.rational import exact

LARGEST = Fraction(10**150)
SMALLEST = 1 / LARGEST
"""Sizes that are read. Slopes are quotients of differences: inside these bounds they stay within double precision,
in which results are plotted and compared."""

_DELIMITERS = (";", "\t", ",")
"""Separators in order of precedence: if a line has semicolons and commas, the semicolons separate, and the commas are
decimal ones (which are then refused)."""

LONGEST_LINE = 1_000_000
"""Characters of a line that are read: cells take much more memory than the text that they stand in."""
NAMED = 12
"""Columns that a message names."""


@dataclass(frozen=True)
class Points:
    """(x_n, y_n), x strictly increasing, with the line of the file on which each stands."""

    x: tuple[Fraction, ...]
    y: tuple[Fraction, ...]
    lines: tuple[int, ...]
    source: str
    x_name: str = "x"
    y_name: str = "y"

    def __len__(self) -> int:
        return len(self.x)


def read_points(source: str | Path, x: str | None = None, y: str | None = None, at_least: int = 2) -> Points:
    """The points of a CSV file, or of standard input where the source is `-`.

    x, y      columns, by the name in the header or by position from 1; default: the first and the second
    at_least  the number of points needed

    Cells are separated by commas, semicolons, tabs or blanks; a first line without numbers is a header; empty lines and
    lines that begin with # are skipped. Numbers are decimals or fractions (0.1, -2e-3, 1/3), taken exactly.

    Raises DataError, with the line, for anything else: NaN, infinity, a missing column or cell, no text, too few
    points, sizes beyond 10^±150, x that repeats or does not increase.
    """
    name = name_of(source)
    rows = _rows(text_in(source), name)
    if not rows:
        raise DataError(f"{name} holds no data: a line for each point is needed, such as 0.5,1.25")
    header = _header(rows[0][1], x, y)
    columns = [_column(asked, fallback, header, rows[0][1], name) for asked, fallback in ((x, 0), (y, 1))]
    body = rows[1:] if header else rows
    labels = [header[c] if header else str(c + 1) for c in columns]
    values: tuple[list[Fraction], list[Fraction]] = ([], [])
    for line, cells in body:
        for column, label, found in zip(columns, labels, values, strict=True):
            found.append(_number(cells, column, label, f"{name}, line {line}"))
    lines = tuple(line for line, _ in body)
    if len(lines) < at_least:
        count = {0: "no points", 1: "one point"}.get(len(lines), f"{len(lines)} points")
        raise DataError(f"{name} holds {count}, and at least {at_least} are needed: add lines such as 0.5,1.25")
    points = Points(tuple(values[0]), tuple(values[1]), lines, name, *labels)
    _require_increasing(points)
    return points


@dataclass(frozen=True)
class Labelled:
    """(x_n, label_n), x strictly increasing. Labels are exact numbers if all of them are numbers, otherwise words."""

    x: tuple[Fraction, ...]
    labels: tuple[Fraction, ...] | tuple[str, ...]
    source: str
    repeated: int = 0
    """Number of repetitions that were dropped: points given more than once with the same label."""
    lines: tuple[int, ...] = ()
    """The line of the file on which each stands."""

    def __len__(self) -> int:
        return len(self.x)


def read_labelled(source: str | Path, x: str | None = None, label: str | None = None) -> Labelled:
    """Points and their labels from a CSV file, as `read_points` reads them; they are sorted by x.

    x, label  columns, by name or position; default: the columns headed x and label, otherwise the first and the
              second

    Raises DataError, with the line, for what `read_points` refuses, for empty or NaN labels, and for a point with two
    different labels.
    """
    name = name_of(source)
    rows = _rows(text_in(source), name)
    if not rows:
        raise DataError(f"{name} holds no data: a line for each point is needed, such as 0.5,cat")
    header = _header(rows[0][1], x, label)
    x, label = (
        usual if asked is None and header and header.count(usual) == 1 else asked
        for asked, usual in ((x, "x"), (label, "label"))
    )
    columns = [_column(asked, fallback, header, rows[0][1], name) for asked, fallback in ((x, 0), (label, 1))]
    named = [header[c] if header else str(c + 1) for c in columns]
    found = []
    for line, cells in rows[1:] if header else rows:
        place = f"{name}, line {line}"
        at = _number(cells, columns[0], named[0], place)
        text = cells[columns[1]] if columns[1] < len(cells) else ""
        if not text:
            raise DataError(f"{place}: the label is missing: write a word or a number in column {named[1]}")
        if text.lower().lstrip("+-") == "nan":
            raise DataError(f"{place}: the label is {text}: write a word or a number, or remove the line")
        found.append((at, line, text))
    if not found:
        raise DataError(f"{name} holds no points: add lines such as 0.5,cat")
    found.sort(key=lambda entry: entry[:2])
    labels = _numbers_or_words([text for *_, text in found])
    kept: list[int] = []
    for n, (at, line, text) in enumerate(found):
        if kept and found[kept[-1]][0] == at:
            if labels[kept[-1]] != labels[n]:
                _, other, before = found[kept[-1]]
                raise DataError(
                    f"{name}: x={_short(at)} has the label {before!r} on line {other} and {text!r} on line {line}: no "
                    "classifier has both; keep one of them"
                )
            continue
        kept.append(n)
    chosen = tuple(labels[n] for n in kept)
    places, lines = tuple(found[n][0] for n in kept), tuple(found[n][1] for n in kept)
    return Labelled(places, chosen, name, len(found) - len(kept), lines)  # type: ignore[arg-type]


def _numbers_or_words(texts: list[str]) -> list[Fraction] | list[str]:
    try:
        return [exact(text) for text in texts]
    except DataError:
        return texts


def _lines(given: str, name: str) -> list[tuple[int, str]]:
    """Each line that is neither empty nor a comment, with its number.

    Lines are split before cells are, so that a stray quotation mark cannot swallow the rest of the file.
    """
    lines = [(number, line) for number, line in enumerate(given.splitlines(), 1) if line.strip()]
    lines = [(number, line) for number, line in lines if not line.lstrip().startswith("#")]
    for number, line in lines:
        if len(line) > LONGEST_LINE:
            raise DataError(
                f"{name}, line {number} has {len(line)} characters, more than the {LONGEST_LINE} of a line that are "
                "read: write one point per line"
            )
    return lines


def _rows(given: str, name: str) -> list[tuple[int, list[str]]]:
    """(line number, cells) of every line that is neither empty nor a comment."""
    lines = _lines(given, name)
    if not lines:
        return []
    delimiter = next((d for d in _DELIMITERS if d in lines[0][1]), None)
    rows = []
    for number, line in lines:
        try:
            cells = line.split() if delimiter is None else next(csv.reader([line], delimiter=delimiter))
        except csv.Error as error:
            raise DataError(f"{name}, line {number}: {error}") from None
        rows.append((number, [cell.strip() for cell in cells]))
    return rows


def _header(cells: list[str], *asked: str | None) -> list[str] | None:
    """The first line as a header: when it holds no number, or a column that is asked for by name."""
    by_name = any(name in cells for name in asked if name is not None and _position(name) is None)
    return cells if by_name or not any(_is_like_a_number(cell) for cell in cells) else None


def _is_like_a_number(cell: str) -> bool:
    try:
        exact(cell)
    except DataError:
        # A first line of NaN or of 1e999 holds bad data and is not a header.
        try:
            float(cell)
        except ValueError:
            return False
    return True


def _column(asked: str | None, fallback: int, header: list[str] | None, first: Sequence[str], name: str) -> int:
    there_are = f"{len(first)} column{'s' if len(first) != 1 else ''}"
    if header:
        there_are += f": {', '.join(header[:NAMED])}{', …' * (len(header) > NAMED)}"
    if asked is None:
        if fallback >= len(first):
            raise DataError(f"{name} needs a column for x and one for y; it has {there_are}")
        return fallback
    if header and asked in header:
        if header.count(asked) > 1:
            raise DataError(f"{name} has {header.count(asked)} columns named {asked!r}: choose by position, from 1")
        return header.index(asked)
    position = _position(asked)
    if position is not None and 1 <= position <= len(first):
        return position - 1
    hint = "choose one by name or by position, from 1" if header else "choose by position, from 1: there is no header"
    raise DataError(f"{name} has no column {asked!r}; it has {there_are}; {hint}")


def _position(asked: str) -> int | None:
    """A column's position, if it is given by position: no file has so many columns that it takes ten digits."""
    return int(asked) if re.fullmatch("[0-9]{1,9}", asked) else None


def _number(cells: Sequence[str], column: int, label: str, place: str) -> Fraction:
    if column >= len(cells):
        raise DataError(f"{place}: column {label} is missing; the line has {len(cells)} cell{'s'[: len(cells) != 1]}")
    if not cells[column]:
        raise DataError(f"{place}: the cell of column {label} is empty: write a number or remove the line")
    try:
        number = exact(cells[column])
    except DataError as error:
        comma = "; a decimal is written with a point" if "," in cells[column] else ""
        raise DataError(f"{place}, column {label}: {error}{comma}") from None
    if number and not SMALLEST <= abs(number) <= LARGEST:
        raise DataError(
            f"{place}, column {label}: {cells[column][:40]} is outside the sizes that are read, 0 and 1e-150 to 1e150: "
            "rescale the data"
        )
    return number


def _require_increasing(points: Points) -> None:
    seen: dict[Fraction, int] = {}
    for n, x in enumerate(points.x):
        if (m := seen.setdefault(x, n)) != n:
            where = f"{points.source}: x={_short(x)} stands on line {points.lines[m]} and on line {points.lines[n]}"
            if points.y[m] == points.y[n]:
                raise DataError(f"{where}, with the same y: remove one of them")
            raise DataError(
                f"{where}, with y={_short(points.y[m])} and y={_short(points.y[n])}: no function has two values at one "
                "place; keep one of them or their mean"
            )
    for n in range(1, len(points)):
        if points.x[n - 1] > points.x[n]:
            raise DataError(
                f"{points.source}: x must increase, but x={_short(points.x[n])} on line {points.lines[n]} follows "
                f"x={_short(points.x[n - 1])} on line {points.lines[n - 1]}: sort the lines by x"
            )


def _short(number: Fraction) -> str:
    text = str(float(number))
    return text if Fraction(text) == number else str(number) if number.denominator < 10**12 else text
