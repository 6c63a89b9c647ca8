"""Derivatives at a point: what is found, what is refused, and that the subject decides."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from implicitbias.exact.formula import Assumption
from implicitbias.theorems.primitives import PRIMITIVES, Primitive, Vocabulary
from implicitbias.theorems.quantity import Steps
from implicitbias.theorems.rules.calculus.derivative import Derivative
from implicitbias.theorems.setting import NotShownError, RefusedError, Setting, minus
from implicitbias.theorems.theorem import assumed

Domains = Mapping[str, Assumption]


def found(
    quantity: Derivative,
    value: str,
    variables: Domains,
    assuming: tuple[str, ...] = (),
    vocabulary: Vocabulary = PRIMITIVES,
) -> None:
    setting = Setting(variables, (), vocabulary)
    for text in assuming:
        setting = assumed(setting, text)
    setting.zero(minus(quantity.establish(setting, Steps()), setting.read(value)), "the value")


@pytest.mark.parametrize(
    ("quantity", "value", "variables"),
    [
        (Derivative("logistic_loss(y*z)", "z", "t"), "-y/(1 + exp(y*t))", {"y": "real", "t": "real"}),
        (Derivative("relu(w*z)", "z", "0", side="right"), "w", {"w": "positive"}),
        (Derivative("relu(w*z)", "z", "0", side="right"), "0", {"w": "negative"}),
        (Derivative("relu(w*z)", "z", "0", side="left"), "w", {"w": "negative"}),
        (Derivative("u*relu(z - b) + v*relu(b - z)", "z", "b", side="jump"), "u + v", dict.fromkeys("uvb", "real")),
        (Derivative("relu(z)", "z", "0", side="between", share="q/(1 + q)"), "q/(1 + q)", {"q": "nonnegative"}),
        (Derivative("relu(z)**2", "z", "0"), "0", {}),
        (Derivative("Abs(z)**3", "z", "0"), "0", {}),
        (Derivative("relu(z**3)", "z", "0"), "0", {}),
        (Derivative("Max(0, 1 - z, z**2)", "z", "0"), "-1", {}),
        (Derivative("Abs(a)*z", "z", "t"), "Abs(a)", {"a": "real", "t": "real"}),
        (Derivative(Derivative("exp(q*z)", "z", "r"), "r", "t"), "q**2*exp(q*t)", {"q": "real", "t": "real"}),
        (Derivative(Derivative("relu(z)**2", "z", "r"), "r", "t", near=("r > 0",)), "2", {"t": "positive"}),
    ],
)
def test_derivatives(quantity: Derivative, value: str, variables: Domains) -> None:
    found(quantity, value, variables)


@pytest.mark.parametrize(
    ("why", "quantity", "variables"),
    [
        ("a kink has no derivative", Derivative("relu(z)", "z", "0"), {}),
        ("a kink somewhere in the domain", Derivative("relu(z)", "z", "t"), {"t": "real"}),
        ("the side of a kink is open", Derivative("relu(z - a)", "z", "t"), {"t": "real", "a": "real"}),
        ("the domain ends at the point", Derivative("sqrt(z)", "z", "0", side="right"), {}),
        ("the domain ends at the point", Derivative("0*sqrt(z) + z", "z", "0"), {}),
        ("a pole", Derivative("1/z", "z", "t"), {"t": "real"}),
        ("a jump", Derivative("sign(z)", "z", "0", side="right"), {}),
        ("a step that decides a maximum", Derivative("Max(0, -floor(z) - 1/2)", "z", "0"), {}),
        (
            "a condition that holds at the point alone",
            Derivative(Derivative("relu(z)**2", "z", "r"), "r", "t", near=("r >= 0",)),
            {"t": "nonnegative"},
        ),
        (
            "a condition that jumps at the point",
            Derivative(Derivative("relu(z)", "z", "r"), "r", "0", near=("sign(r) + 1 > 0",)),
            {},
        ),
        (
            "a condition that fails at the point",
            Derivative(Derivative("relu(z)", "z", "r"), "r", "t", near=("r > 0",)),
            {"t": "real"},
        ),
        (
            "a contradictory condition",
            Derivative(Derivative("relu(z)", "z", "r"), "r", "t", near=("r > 0", "r < 0")),
            {"t": "positive"},
        ),
        ("an undecided sign", Derivative("Abs(z**5)", "z", "0"), {}),
        ("a share above 1", Derivative("relu(z)", "z", "0", side="between", share="q"), {"q": "nonnegative"}),
        ("no share", Derivative("relu(z)", "z", "0", side="between"), {}),
        ("a share of one side", Derivative("relu(z)", "z", "0", side="right", share="1/2"), {}),
        ("no such side", Derivative("z", "z", "0", side="up"), {}),  # type: ignore[arg-type]
    ],
)
def test_unsound_witnesses_are_refused(why: str, quantity: Derivative, variables: Domains) -> None:
    with pytest.raises((RefusedError, NotShownError)):
        quantity.establish(Setting(variables), Steps())


def test_the_bound_variable_has_a_name_of_its_own() -> None:
    with pytest.raises(ValueError, match="taken"):
        Derivative("t**2", "t", "t").establish(Setting({"t": "real"}), Steps())


def test_another_subject_has_another_derivative() -> None:
    """With relu replaced by its square the jump at the threshold is gone."""
    squared = Primitive("relu", ("z",), "Max(0, z)**2", "the square of the rectifier")
    jump = Derivative("u*relu(z - b)", "z", "b", side="jump")
    found(jump, "u", {"u": "real", "b": "real"})
    found(jump, "0", {"u": "real", "b": "real"}, (), MappingProxyType({**PRIMITIVES, "relu": squared}))
