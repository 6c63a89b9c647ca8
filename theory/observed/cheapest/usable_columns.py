"""Which columns of a linear programme some of its solutions use: by linear programmes in rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Rational = Fraction | int


def usable_columns(
    costs: Sequence[Rational],
    rows: Sequence[Sequence[Rational]],
    right: Sequence[Rational],
    among: Sequence[int],
    free: Sequence[bool] | bool = False,
) -> set[int]:
    """The columns `among` those that are positive in some solution of min costs·v, rows·v = right, v >= 0 unless free.

    The largest total of the columns that are left is 0 where no solution uses any of them. As a mean of solutions is a
    solution, one solution uses all that are found. Raises ArithmeticError if there is no solution, or if they are
    unbounded.

    >>> sorted(usable_columns([1, 1, 2], [[1, 1, 1]], [3], range(3)))
    [0, 1]
    """
    from implicitbias.convex.programmes.linear_programme import Optimum, minimise

    least = minimise(costs, rows, right, free=free)
    if not isinstance(least, Optimum):
        raise ArithmeticError("the programme has no solution")
    found: set[int] = set()
    left = set(among)
    while left:
        most = minimise([-int(k in left) for k in range(len(costs))], [*rows, costs], [*right, least.value], free=free)
        if not isinstance(most, Optimum):
            raise ArithmeticError("the solutions are unbounded")
        used = {k for k in left if most.primal[k] > 0}
        if not used:
            break
        found |= used
        left -= used
    return found
