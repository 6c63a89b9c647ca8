"""Derivatives by structure: against sympy, and where there is none."""

from __future__ import annotations

import pytest
import sympy

from implicitbias.exact.formula import parse, written
from implicitbias.theorems.differentiate import derivative, smooth
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting


@pytest.mark.parametrize(
    "text",
    [
        "a*x**3 - exp(-x/2)",
        "x**a + a**x - x**x",
        "log(1 + exp(-a*x))",
        "sqrt(x**2 + a)/x",
        "erf(x/a)*atan(x)",
        "sin(x)**2*cos(a*x) - tan(x/4)",
        "sinh(x) + cosh(x)*tanh(a*x)",
        "asin(x/9) - acos(x/8)",
        "1/(1 + x**2)**(3/2)",
        "Max(a, 1)*x - Abs(a)",
        "-x**0*5",
    ],
)
def test_agrees_with_sympy(text: str) -> None:
    at = {"x": sympy.Rational(7, 5), "a": sympy.Rational(11, 3)}
    names = {name: sympy.Symbol(name) for name in at}
    wanted = sympy.diff(sympy.sympify(text, locals=names), names["x"])
    found = sympy.sympify(written(derivative(parse(text).tree, "x")), locals=names)
    difference = (wanted - found).subs({names[name]: value for name, value in at.items()})
    assert abs(sympy.N(difference, 40)) < sympy.Rational(1, 10**35)


@pytest.mark.parametrize("text", ["Abs(x)", "Max(0, a*x)", "floor(x)", "sign(x)*x", "gamma(x)"])
def test_no_rule_for_what_has_kinks_or_jumps(text: str) -> None:
    with pytest.raises(NotShownError):
        derivative(parse(text).tree, "x")


@pytest.mark.parametrize("text", ["sqrt(x)", "x**(3/2)", "0*sqrt(x)", "asin(1 - x)"])
def test_an_end_of_the_domain_is_not_smooth(text: str) -> None:
    """At 0 there is a value and no neighbourhood on both sides."""
    setting = Setting({"x": "nonnegative"})
    with pytest.raises((NotShownError, RefusedError)):
        smooth(setting, parse(text).tree, "x", "the function")


def test_a_pole_of_the_tangent_is_not_smooth() -> None:
    setting = Setting({"x": "real"})
    with pytest.raises(NotShownError):
        smooth(setting, parse("tan(x)").tree, "x", "the function")


def test_parts_that_are_constant_may_lie_at_the_end() -> None:
    setting = Setting({"x": "real", "a": "nonnegative"})
    smooth(setting, parse("x*sqrt(a)").tree, "x", "the function")
