"""Derivatives against difference quotients, and limits at infinity."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from implicitbias.exact.enclosure import evaluate
from implicitbias.exact.formula import Expression, Operation, parse
from implicitbias.theorems.calculus import SLOPES, derivative, limit_at_infinity
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting

FORMULAS = [
    *(f"{head}(w/4)" for head in SLOPES),
    "w**3*exp(-w)/(1 + w**2)",
    "(w + 1)**(5/2)",
    "w**w",
    "2**w",
    "w**a",
    "a*w - (3 - w)",
    "a/(w*a)",
    "-log(w)**2",
]


def at(tree: Operation, w: Fraction) -> float:
    value = evaluate(Expression("", frozenset({"w", "a"}), tree), {"w": w, "a": Fraction(3)}, 400)
    return float(value) if isinstance(value, Fraction) else float(value.lower)


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_derivative_is_the_limit_of_difference_quotients(formula: str) -> None:
    tree, step = parse(formula).tree, Fraction(1, 10**5)
    for w in (Fraction(1), Fraction(7, 5)):
        quotient = (at(tree, w + step) - at(tree, w - step)) / float(2 * step)
        assert math.isclose(at(derivative(tree, "w"), w), quotient, rel_tol=1e-6, abs_tol=1e-6)


@pytest.mark.parametrize("formula", ["Abs(w)", "Max(w, a)", "sign(w)", "floor(w)", "gamma(w)", "exp(Min(w, 1))"])
def test_what_has_corners_has_no_derivative(formula: str) -> None:
    with pytest.raises(NotShownError):
        derivative(parse(formula).tree, "w")


def test_what_is_constant_may_have_corners() -> None:
    assert derivative(parse("Abs(a)*w").tree, "w") == parse("Abs(a)*1").tree


SETTING = Setting({"a": "positive", "x": "real"})


@pytest.mark.parametrize(
    ("formula", "limit"),
    [
        ("exp(-a*w**2)*w**7", "0"),
        ("w**a*exp(-w)", "0"),
        ("(3*w**2 - w)/(a*w**2 + 1)", "3/a"),
        ("w/(w**2 + 1)", "0"),
        ("atan(a*w) - atan(-w)", "pi"),
        ("erf(-w)", "-1"),
        ("x + exp(1/w)", "x + 1"),
        ("exp(-w**2 + 100*w)", "0"),
        ("sin(w)*exp(-w)", "0"),
    ],
)
def test_limits(formula: str, limit: str) -> None:
    found = limit_at_infinity(SETTING, parse(formula).tree, "w")
    SETTING.zero(Operation("-", (found, parse(limit).tree)), "limit")


@pytest.mark.parametrize(
    "formula",
    [
        "w",
        "sin(w)",
        "exp(x*w)",
        "exp(-x**2*w)",
        "w**2/(w + 1)",
        "log(w)",
        "exp(-w)*exp(w)",
        "exp(-w)/exp(-2*w)",
        "1/(x*w)",
    ],
)
def test_what_has_no_limit_or_is_not_shown_to(formula: str) -> None:
    with pytest.raises((NotShownError, RefusedError)):
        limit_at_infinity(SETTING, parse(formula).tree, "w")
