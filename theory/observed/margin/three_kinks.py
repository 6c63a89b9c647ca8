"""A KKT point of problem (4) with three kinks, for two points of one label: the most known without a label switch."""

from __future__ import annotations


def regions_of_three_kinks() -> int:
    """1 + the kinks of the network for x = (-2√3, 3√3/5), both labels +: all conditions in Q(√3), |D| <= 1 among them.

    λ = (1, 5/2)/√13; units R, L and one active at both points, all with v > 0, κ = (2, 1/2, 1)/√13. Raises
    ArithmeticError if a condition fails.
    """
    import sympy

    root = sympy.sqrt(3)
    x, weight, square = (
        (-2 * root, 3 * root / 5),
        (sympy.Integer(1), sympy.Rational(5, 2)),
        (sympy.Integer(2), sympy.Rational(1, 2), sympy.Integer(1)),
    )
    active: tuple[tuple[int, ...], ...] = ((1,), (0,), (0, 1))
    s = [(sum(weight[i] * x[i] for i in row), sum(weight[i] for i in row)) for row in active]
    margins = [sympy.Integer(0), sympy.Integer(0)]
    for (w, b), k, row in zip(s, square, active, strict=True):
        if sympy.expand(w**2 + b**2) != 13:
            raise ArithmeticError("|s| is not 1")
        for i, at in enumerate(x):
            height = sympy.expand(w * at + b)
            if bool(height > 0) != (i in row):
                raise ArithmeticError("a unit is active at another point")
            margins[i] += k * height if i in row else 0
    if [sympy.expand(margin) for margin in margins] != [13, 13]:
        raise ArithmeticError("margins are not 1")
    # on all three cones |D| <= |s| = 1; on the ray of each point the other one is active
    for here, there in ((0, 1), (1, 0)):
        if bool(sympy.expand(weight[there] ** 2 * (x[1] - x[0]) ** 2 - 13 * (1 + x[here] ** 2)) > 0):
            raise ArithmeticError("sup |D| is above 1")
    return 1 + len({sympy.radsimp(-b / w) for w, b in s})
