"""Limits by continuous extension: what is found, what is refused."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from implicitbias.exact.formula import Assumption
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.rules.calculus.limit import Limit
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus

Domains = Mapping[str, Assumption]

SLOPE_OF_THE_LOSS = Derivative("logistic_loss(z)", "z", "r")


@pytest.mark.parametrize(
    ("quantity", "value", "variables"),
    [
        (Limit("x/(1 + x)", "x", to="oo", extension="1/(e + 1)"), "1", {}),
        (Limit("relu(x)/x", "x", to="-oo", extension="0"), "0", {}),
        (Limit("relu(x)/x", "x", to="oo", extension="1"), "1", {}),
        (Limit("Abs(x - a)/(x - a)", "x", to="left", at="a", extension="-1"), "-1", {"a": "real"}),
        (Limit("relu(x**2 - a**2)/(x - a)", "x", to="right", at="a", extension="2*a + e"), "2*a", {"a": "positive"}),
        (
            Limit("relu(a**2 - x**2)/(a - x)", "x", to="left", at="a", extension="2*a - e", within="a"),
            "2*a",
            {"a": "positive"},
        ),
        (Limit("(exp(a*x) - 1)/x", "x", to="right", at="0", extension="exp(a*e) - 1", order=1), "a", {"a": "real"}),
        (
            Limit("(exp(x) - 1 - x)/x**2", "x", to="right", at="0", extension="exp(e) - 1 - e", order=2),
            "1/2",
            {},
        ),
        (
            Limit("x**4*(1/sqrt(1 + 1/x**2) - 1 + 1/(2*x**2))", "x", to="oo",
                  extension="1/sqrt(1 + e**2) - 1 + e**2/2", order=4),
            "3/8",
            {},
        ),
        (
            Limit("g*(1 + 1/r)", "r", to="right", at="1", where={"g": SLOPE_OF_THE_LOSS},
                  extension="-1/(1 + exp(1 + e))*(1 + 1/(1 + e))"),
            "-2/(1 + exp(1))",
            {},
        ),
    ],
)  # fmt: skip
def test_limits(quantity: Limit, value: str, variables: Domains) -> None:
    setting = Setting(variables)
    setting.zero(minus(quantity.establish(setting, Steps()), setting.read(value)), "the value")


@pytest.mark.parametrize(
    ("why", "quantity", "variables"),
    [
        ("another value", Limit("x/(1 + x)", "x", to="oo", extension="2/(e + 1)"), {}),
        ("a limit on the other side", Limit("Abs(x)/x", "x", to="right", at="0", extension="-1"), {}),
        ("a function that grows", Limit("x", "x", to="oo", extension="1/e"), {}),
        ("the extension jumps at the end", Limit("1/x", "x", to="right", at="0", extension="sign(e)/e"), {}),
        ("lower derivatives are not 0", Limit("(exp(x) - 1)/x**2", "x", to="right", at="0",
                                              extension="exp(e) - 1", order=2), {}),
        ("a negative order", Limit("1/x", "x", to="right", at="0", extension="1", order=-1), {}),
        ("no neighbourhood of the end", Limit("relu(x - 1)", "x", to="right", at="0", extension="0", within="0"), {}),
        ("a neighbourhood that may be empty", Limit("relu(x - a)", "x", to="right", at="0", extension="0",
                                                    within="a"), {"a": "real"}),
        ("equal only near another place", Limit("relu(x - 1)", "x", to="right", at="0", extension="0"), {}),
        ("a point for a limit at infinity", Limit("1/x", "x", to="oo", at="0", extension="e"), {}),
        ("no point", Limit("x", "x", to="left", extension="-e"), {}),
        ("undefined near the end", Limit("sqrt(x)", "x", to="left", at="0", extension="sqrt(-e)"), {}),
        ("a condition that fails near the end", Limit("g", "r", to="right", at="0", extension="0", near=("r < 0",),
                                                      where={"g": Derivative("relu(z)", "z", "r")}), {}),
        ("undecided", Limit("exp(-x)", "x", to="oo", extension="exp(-1/e)"), {}),
    ],
)  # fmt: skip
def test_unsound_witnesses_are_refused(why: str, quantity: Limit, variables: Domains) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        quantity.establish(Setting(variables), Steps())
