"""The cells into which data cut the space of parameters: read from a document, and counted in integers.

The hyperplanes θ·x̃_i = 0, x̃ = (x, 1), cut R^(d+1) into cells. A cell is named by a point "inside" it, off all the
hyperplanes; its pattern tells at which data its parameters are active, θ·x̃_i > 0. Parameters with different patterns
are in different cells, so if there are as many patterns as there are cells, every cell is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import gcd, lcm

from ..budget import price, refuse, spend
from ..rational import Rational, key_of, total
from ..reading import Fields, read_fields, read_integer, read_list, read_numbers

Point = tuple[Rational, ...]
"""(x, 1)."""
Pattern = tuple[bool, ...]


def read_points(given: object) -> list[Point]:
    """(x, 1) of each point of data.x; how many coordinates they have is not checked."""
    listed = read_list(given, otherwise := "data.x must be a list of points, at least one")
    if not listed:
        refuse(otherwise)
    return [(*read_numbers(point, f"data.x[{i}]"), Rational(1)) for i, point in enumerate(listed)]


def read_cells(given: object, x: Sequence[Point]) -> Iterator[tuple[str, Pattern, Fields]]:
    """Where each of dual.cells stands in the document, its pattern, and its fields "above" and "below", unread."""
    for k, cell in enumerate(read_list(given, "dual.cells must be a list")):
        where = f"dual.cells[{k}]"
        fields = read_fields(cell, where, ("inside", "above", "below"))
        inside = read_numbers(fields["inside"], f"{where}.inside")
        if len(inside) != len(x[0]):
            refuse(f"{where}.inside must have {len(x[0])} numbers")
        values = [dot(inside, point) for point in x]
        if 0 in values:
            refuse(f"{where}.inside lies on the hyperplane of point {values.index(Rational(0))}, in no cell")
        yield where, tuple(value > 0 for value in values), fields


def read_multipliers(given: object, where: str, n: int) -> Iterator[tuple[int, object]]:
    """The pairs [i, m] of one side of a cell, i a point; m is not read."""
    for pair in read_list(given, f"{where} must be a list of pairs [i, m]"):
        otherwise = f"{where} must be a list of pairs [i, m], i from 0 to {n - 1}"
        i, m = read_list(pair, otherwise, 2)
        yield read_integer(i, range(n), otherwise), m


def require_all_cells(patterns: Iterable[Pattern], x: Sequence[Point]) -> None:
    """Refused unless there are as many different patterns as cells."""
    different = len({bytes(pattern) for pattern in patterns})
    count = count_cells([_integers(point) for point in x])
    if different != count:
        refuse(f"dual.cells has {different} different cells, and there are {count}")


def count_cells(rows: Sequence[tuple[int, ...]]) -> int:
    """The number of cells into which the hyperplanes θ·row = 0 cut the space of θ.

    One hyperplane H more adds as many cells as there are within H, cut by the hyperplanes that were there.
    """
    distinct = list({key_of(*line): line for line in (_line(row) for row in rows if any(row))}.values())
    if not rows or len(rows[0]) <= 2:
        return max(1, 2 * len(distinct)) if rows and len(rows[0]) == 2 else 1 + bool(distinct)
    count = 1
    for i, row in enumerate(distinct):
        k = next(j for j, value in enumerate(row) if value)
        longest = max(value.bit_length() for value in row)
        spend(sum(price(longest, value.bit_length()) for other in distinct[:i] for value in other))
        count += count_cells(
            [tuple(row[k] * other[j] - other[k] * row[j] for j in range(len(row)) if j != k) for other in distinct[:i]]
        )
    return count


def _line(row: tuple[int, ...]) -> tuple[int, ...]:
    """The same for all multiples of the row."""
    spend(2 * sum(price(value.bit_length(), value.bit_length()) for value in row))
    divisor = gcd(*row) if next(value for value in row if value) > 0 else -gcd(*row)
    return tuple(value // divisor for value in row)


def _integers(point: Sequence[Rational]) -> tuple[int, ...]:
    longest = max(value.bits for value in point)
    spend(len(point) * price(len(point) * longest, longest))
    scale = lcm(*(value.denominator for value in point))
    return tuple(value.numerator * (scale // value.denominator) for value in point)


def dot(a: Sequence[Rational], b: Sequence[Rational]) -> Rational:
    return total(p * q for p, q in zip(a, b, strict=True))
