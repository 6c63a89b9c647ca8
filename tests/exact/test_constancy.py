"""Expressions that vanish because they are constant, and those that only look so."""

from __future__ import annotations

import pytest
import sympy

from implicitbias.exact.constancy import is_smooth, is_zero_as_a_constant
from implicitbias.exact.symbolic import prove_zero, symbol

s = symbol("s", "positive")
t = symbol("t")
rho = sympy.sqrt(1 + s**2)


@pytest.mark.parametrize(
    "expr",
    [
        sympy.acos(1 / rho) - sympy.atan(s),
        sympy.asin(1 / rho) + sympy.atan(s) - sympy.pi / 2,
        sympy.acos(1 / rho) + sympy.asin(1 / rho) - sympy.pi / 2,
        sympy.asin(1 / rho) - sympy.acos(s / rho),
        sympy.asin(2 * (1 + s) / (s**2 + 2 * s + 2)) - sympy.atan(2 * (1 + s) / (s * (s + 2))),
        s * sympy.atan(1 / s) + s * sympy.atan(s) - s * sympy.pi / 2,
    ],
)
def test_inverse_functions_that_make_up_a_constant_are_proved_to_vanish(expr: sympy.Expr) -> None:
    assert prove_zero(expr).status is True


def test_a_constant_that_is_not_zero_is_not_zero() -> None:
    assert not is_zero_as_a_constant(sympy.atan(s) + sympy.atan(1 / s) - 1)
    assert prove_zero(sympy.atan(s) + sympy.atan(1 / s) - 1).status is False


def test_a_jump_between_two_constants_is_not_overlooked() -> None:
    far = 1000  # where no sampled point lies
    step = sympy.atan(s - far) + sympy.atan(1 / (s - far)) + sympy.pi / 2
    assert sympy.simplify(sympy.diff(step, s)) == 0
    assert not is_zero_as_a_constant(step)
    assert prove_zero(step).status is not True


def test_two_branches_that_agree_on_one_side_only_are_told_apart() -> None:
    folded = sympy.asin(2 * s / (1 + s**2)) - 2 * sympy.atan(s)  # zero for s < 1 alone
    assert prove_zero(folded).status is False


@pytest.mark.parametrize("expr", [1 / t, sympy.sqrt(t), sympy.log(t), sympy.sign(t), sympy.floor(t), sympy.asin(t)])
def test_what_is_not_smooth_everywhere_is_not_called_smooth(expr: sympy.Expr) -> None:
    assert not is_smooth(expr)
