"""Whether a certificate is about the points of a CSV file: row by row, and if not, where they differ.

Rows may come in any order. Classes may have other names in the file, one for each class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from implicitbias.certificate.about import Data
from implicitbias.certificate.kinds import minimisers, penalised_line, penalised_variation, variation, variation_margins
from implicitbias.certificate.rational import Rational
from implicitbias.commands.data.margin_group import in_bins
from implicitbias.commands.data.numbers import text_of
from implicitbias.data.points import read_labelled, read_points
from implicitbias.data.table import read_table
from implicitbias.errors import UserError

TABLES = {
    module.KIND.name for module in (minimisers, penalised_line, penalised_variation, variation, variation_margins)
}
"""Kinds of certificates that are written for data with any number of inputs, in any order."""

Value = Fraction | str | int
Row = tuple[tuple[Fraction, ...], Value, int]
"""Inputs, number or class, and the line of the file or the place in the certificate."""


@dataclass(frozen=True)
class Columns:
    """Which columns of the file are meant, as the commands that read data have them; None for their defaults."""

    x: str | None = None
    y: str | None = None
    label: str | None = None
    bins: int | None = None


def difference(kind: str, proved: Data, file: str, columns: Columns) -> str:
    """The first difference between what a certificate is about and the file, with its row; "" if there is none.

    Raises UserError for a file that cannot be read, and for columns that its kind of data does not have.
    """
    rows = _of_file(file, kind in TABLES, proved.classes, columns)
    known = [
        (tuple(map(_fraction, inputs)), _fraction(value), n)
        for n, (inputs, value) in enumerate(zip(proved.inputs, proved.values, strict=True))
    ]
    if rows and len(rows[0][0]) != len(known[0][0]):
        return f"{file} has {len(rows[0][0])} inputs, and the certificate has {len(known[0][0])}"
    if proved.classes:
        rows.sort(key=lambda row: row[0])
        known.sort(key=lambda row: row[0])
    else:
        rows.sort(key=lambda row: (row[0], row[1]))
        known.sort(key=lambda row: (row[0], row[1]))
    names: dict[Value, Fraction] = {}
    for (inputs, value, line), (others, number, n) in zip(rows, known, strict=False):
        where = f"{file}, line {line}, and point {n + 1} of the certificate"
        for j, (given, meant) in enumerate(zip(inputs, others, strict=True)):
            if given != meant:
                which = "x" if len(inputs) == 1 else f"input {j + 1}"
                return f"{where}: {which} is {_shown(given)} and {_shown(meant)}"
        if not proved.classes and value != number:
            return f"{where}: y is {_shown(value)} and {_shown(number)}"
        if proved.classes and (names.setdefault(value, number) != number):
            return f"{where}: the label {_shown(value)} is class {names[value]} elsewhere, and {number} here"
    if len(rows) != len(known):
        return f"{file} has {len(rows)} different points, and the certificate has {len(known)}"
    for value, number in names.items():
        together = [_shown(other) for other, same in names.items() if same == number and other != value]
        if together:
            return f"{file} tells the labels {_shown(value)} and {together[0]} apart, and the certificate does not"
    return ""


def _of_file(file: str, table: bool, classes: bool, columns: Columns) -> list[Row]:
    """The rows as the command reads them that writes such a certificate."""
    wrong = ("--y", columns.y) if classes else ("--label", columns.label)
    if wrong[1] is not None:
        has = "labels" if classes else "numbers y"
        raise UserError(f"{wrong[0]} belongs to other certificates: the points of this one have {has}; leave it out")
    if columns.bins is not None and (table or not classes):
        raise UserError("--bins belongs to certificates of maximum margin: leave it out")
    if table:
        x = [] if columns.x is None else columns.x.split(",")
        read = read_table(file, x, columns.label if classes else columns.y, labelled=not classes, classes=classes)
        return list(zip(read.x, read.words if classes else read.y, read.lines, strict=True))
    if classes:
        found = read_labelled(file, columns.x, columns.label)
        labels: Sequence[Value] = found.labels if columns.bins is None else in_bins(found.labels, columns.bins)
        return [((at,), label, line) for at, label, line in zip(found.x, labels, found.lines, strict=True)]
    points = read_points(file, columns.x, columns.y, at_least=1)
    return [((at,), value, line) for at, value, line in zip(points.x, points.y, points.lines, strict=True)]


def _fraction(number: Rational) -> Fraction:
    return Fraction(number.numerator, number.denominator)


def _shown(value: Value) -> str:
    return repr(value) if isinstance(value, str) else text_of(Fraction(value))
