"""Linear algebra in numbers a + b√D, and their recognition from digits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from implicitbias.exact.quadratic import Quadratic

ROOTS = 500
"""Square roots of integers up to this are tried."""
SIZE = 10**7
"""The largest integer in a + b√D = (k + l√D)/m."""
SURE = Fraction(1, 10**40)
"""How close a recognised number must be; that it is the right one is checked exactly afterwards."""

Row = list[Quadratic]


def in_field(value: Quadratic | Fraction | int, root: int) -> Quadratic:
    return value if isinstance(value, Quadratic) else Quadratic(Fraction(value), Fraction(0), root)


def inner(a: Sequence[Quadratic], b: Sequence[Any]) -> Quadratic:
    total: Quadratic = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


def recognised(values: Sequence[Fraction]) -> tuple[int, tuple[Quadratic, ...]]:
    """D and the numbers a + b√D that agree with these values to their digits."""
    import mpmath

    simple = [value.limit_denominator(SIZE) for value in values]
    if all(abs(a - b) <= SURE * max(Fraction(1), abs(a)) for a, b in zip(values, simple, strict=True)):
        return 2, tuple(Quadratic(value, Fraction(0), 2) for value in simple)
    with mpmath.workdps(55):
        numbers = [mpmath.mpf(value.numerator) / value.denominator for value in values]
        first = next(
            n for a, b, n in zip(values, simple, numbers, strict=True) if abs(a - b) > SURE * max(Fraction(1), abs(a))
        )
        for root in (d for d in range(2, ROOTS) if all(d % (k * k) for k in range(2, int(d**0.5) + 1))):
            surd = mpmath.sqrt(root)
            if _relation(mpmath, first, surd) is None:
                continue
            relations = [_relation(mpmath, number, surd) for number in numbers]
            if all(relation is not None for relation in relations):
                return root, tuple(
                    Quadratic(Fraction(-k, m), Fraction(-n, m), root) for m, k, n in (r for r in relations if r)
                )
    raise ArithmeticError(
        "the atoms are not recognised as numbers a + b√D with small integers: its minimiser may need higher roots"
    )


def _relation(mpmath: Any, number: Any, surd: Any) -> tuple[int, int, int] | None:
    """m·number + k + n·surd = 0 in integers."""
    if abs(number) < mpmath.mpf(10) ** -45:
        return 1, 0, 0
    found = mpmath.pslq([number, mpmath.mpf(1), surd], tol=mpmath.mpf(10) ** -42, maxcoeff=SIZE, maxsteps=2000)
    return None if found is None or found[0] == 0 else (int(found[0]), int(found[1]), int(found[2]))


def left_inverse(columns: Sequence[Row], root: int) -> list[Row]:
    """R with R·(columns) = 1. Raises ArithmeticError if the columns are dependent."""
    count, n = len(columns), len(columns[0])
    one, zero = in_field(1, root), in_field(0, root)
    rows: list[tuple[Row, Row]] = [
        ([column[i] for column in columns], [one if k == i else zero for k in range(n)]) for i in range(n)
    ]
    found: list[tuple[Row, Row]] = []
    for j in range(count):
        pivot = next((r for r in rows if r[0][j]), None)
        if pivot is None:
            raise ArithmeticError("the outputs of the atoms depend on each other: the minimiser is not unique")
        rows.remove(pivot)
        scaled = ([v / pivot[0][j] for v in pivot[0]], [v / pivot[0][j] for v in pivot[1]])
        rows, found = [_reduced(r, scaled, j) for r in rows], [*(_reduced(r, scaled, j) for r in found), scaled]
    return [right for _, right in found]


def _reduced(row: tuple[Row, Row], by: tuple[Row, Row], j: int) -> tuple[Row, Row]:
    factor = row[0][j]
    if not factor:
        return row
    return (
        [a - factor * b for a, b in zip(row[0], by[0], strict=True)],
        [a - factor * b for a, b in zip(row[1], by[1], strict=True)],
    )
