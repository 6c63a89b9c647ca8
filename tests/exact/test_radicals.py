"""Reduction by the equations of roots."""

import pytest
import sympy

from implicitbias.exact.radicals import vanishes_by_radicals

x, y = sympy.symbols("x y", positive=True)
root = sympy.sqrt(1 + x**2)


@pytest.mark.parametrize(
    "zero",
    [
        1 / (root + x) + x - root,
        (root**3 - root) / x**2 - root,
        sympy.sqrt(y + root) ** 2 - y - root,
        (x + y) ** sympy.Rational(4, 3) / (x + y) ** sympy.Rational(1, 3) - x - y,
    ],
)
def test_what_the_equations_of_the_roots_imply_is_seen(zero: sympy.Expr) -> None:
    assert vanishes_by_radicals(zero)


@pytest.mark.parametrize("other", [root - x, root - sympy.sqrt(1 + y**2), sympy.sqrt(x) + 1, root**3 - root])
def test_what_is_not_zero_is_not_called_so(other: sympy.Expr) -> None:
    assert not vanishes_by_radicals(other)
