"""Roots of squares, and formulas that the borders of a cell leave no other value than 0."""

from __future__ import annotations

import pytest

from implicitbias.exact.formula import Assumption
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus
from implicitbias.theorems.theorem import assumed

NAMES: dict[str, Assumption] = {"T": "nonnegative", "s": "real", "x": "real", "y": "real", "p": "positive"}
SETTING = Setting(NAMES)


def shown_equal(a: str, b: str, setting: Setting = SETTING) -> str:
    return setting.zero(minus(setting.read(a), setting.read(b)), "the difference")


@pytest.mark.parametrize(
    ("root", "modulus"),
    [
        ("sqrt(s**2)", "Abs(s)"),
        ("sqrt(Max(T**2, s**2))", "Max(T, Abs(s))"),
        ("sqrt(4*p*s**2)", "2*Abs(s)*sqrt(p)"),
        ("sqrt(2*x**2)", "sqrt(2)*Abs(x)"),
        ("sqrt(x**2/p**2)", "Abs(x)/p"),
        ("sqrt(x**2 - 2*x*y + y**2)", "Abs(x - y)"),
        ("sqrt(x**2*y**2)", "Abs(x)*Abs(y)"),
        ("sqrt(x**6)", "Abs(x)**3"),
        ("sqrt(sqrt(x**4))", "Abs(x)"),
        ("(s**2)**(1/2)", "Abs(s)"),
        ("(s**2)**(3/2)", "Abs(s)**3"),
        ("sqrt(Min(x**2, y**2))", "Min(Abs(x), Abs(y))"),
    ],
)
def test_the_root_of_a_square_is_the_modulus(root: str, modulus: str) -> None:
    assert "cell" in shown_equal(root, modulus)


@pytest.mark.parametrize(
    ("root", "other"),
    [
        ("sqrt(s**2)", "s"),
        ("sqrt(s**2)", "-s"),
        ("sqrt(x**2 + y**2)", "Abs(x) + Abs(y)"),
        ("sqrt(x**2*p)", "Abs(x)*p"),
        ("sqrt(x**4)", "Abs(x)"),
        ("sqrt((x - y)**2)", "Abs(x) - Abs(y)"),
        ("sqrt(Max(T**2, s**2))", "Max(T, s)"),
        ("(s**2)**(3/2)", "s**3"),
    ],
)
def test_nothing_else_is(root: str, other: str) -> None:
    with pytest.raises(RefusedError):
        shown_equal(root, other)


def test_the_sign_of_the_base_decides() -> None:
    assert shown_equal("sqrt(s**2)", "-s", assumed(SETTING, "s <= 0"))
    with pytest.raises(RefusedError):
        shown_equal("sqrt(s**2)", "s", assumed(SETTING, "s <= 0"))


def test_hypotheses_that_meet_in_a_point_pin_a_formula() -> None:
    line = assumed(assumed(SETTING, "x <= y"), "y <= x")
    assert shown_equal("x", "y", line)
    assert shown_equal("s*(x - y)**2", "0", line)
    with pytest.raises((RefusedError, NotShownError)):
        shown_equal("x", "2*y", line)
    with pytest.raises((RefusedError, NotShownError)):
        shown_equal("x", "y", assumed(SETTING, "x <= y"))


def test_a_power_of_zero_with_a_positive_exponent_is_zero() -> None:
    whole = Setting({"n": "positive integer", "m": "nonnegative integer", "t": "real"})
    assert shown_equal("0**(2/n)", "0", whole)
    assert shown_equal("Abs(t - t)**(1/(n + 1))", "0", whole)
    for exponent in ("m/2", "-1/n", "t"):
        with pytest.raises((RefusedError, NotShownError)):
            shown_equal(f"0**({exponent})", "0", whole)
