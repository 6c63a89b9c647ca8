"""Linear equations to a hundred digits: elimination with complete pivoting in fixed-point arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

BITS = 400
"""Digits after the point, in bits."""


def solve_to_digits(
    rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction], cut: Fraction = Fraction(1, 10**35)
) -> list[Fraction]:
    """x with rows·x = right, to many digits. If rows are dependent, some entries are 0; contradictions between them are
    ignored.

    cut  pivots below this share of the first count as 0

    >>> x = solve_to_digits([[Fraction(2), Fraction(1)], [Fraction(4), Fraction(2)]], [Fraction(1), Fraction(2)])
    >>> [round(float(v), 12) for v in x]
    [0.5, 0.0]
    """
    one = 1 << BITS
    table = [
        [*(value.numerator * one // value.denominator for value in row), r.numerator * one // r.denominator]
        for row, r in zip(rows, right, strict=True)
    ]
    size = len(rows[0]) if rows else 0
    left = list(range(size))
    pivots: list[tuple[int, list[int]]] = []
    least = 0
    while table and left:
        value, i, j = max((abs(row[j]), i, j) for i, row in enumerate(table) for j in left)
        if not pivots:
            least = max(1, value * cut.numerator // cut.denominator)
        if value < least:
            break
        chosen = table.pop(i)
        left.remove(j)
        pivots.append((j, chosen))
        head = chosen[j]
        for row in table:
            if row[j]:
                factor = (row[j] << BITS) // head
                for k in left:
                    row[k] -= factor * chosen[k] >> BITS
                row[size] -= factor * chosen[size] >> BITS
                row[j] = 0
    x = [0] * size
    for j, row in reversed(pivots):
        rest = row[size] - sum(row[k] * x[k] >> BITS for k in range(size) if k != j and x[k])
        x[j] = (rest << BITS) // row[j]
    return [Fraction(value, one) for value in x]
